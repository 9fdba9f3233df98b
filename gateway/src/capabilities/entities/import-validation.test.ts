import { expect, it } from "vitest";
import { validateImport } from "./imports.ts";
import { repository, trx } from "#testing/slow-validation.ts";

it("stops validating an import after a thousand refused entities", async () => {
  const entities = [{ name: "a" }, ...Array.from({ length: 2_000 }, () => ({}))];
  const { refused } = await validateImport(repository, entities, false, trx);
  expect(refused).toHaveLength(1_001);
  expect(refused.at(-1)).toEqual({
    index: null,
    id: null,
    errors: [{ code: "invalid-request", message: "Only the first 1001 entities were checked, because 1000 of them are refused." }],
  });
});
