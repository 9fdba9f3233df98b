import { expect, it } from "vitest";
import { validateImport } from "./imports.ts";
import { repository, trx } from "#testing/slow-validation.ts";

it("yields to the event loop while validating an import", async () => {
  let turns = 0;
  let isOver = false;
  const countTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const entities = Array.from({ length: 500 }, (_, n) => ({ name: `n${n}` }));
  const { changes, refused } = await validateImport(repository, entities, false, trx);
  isOver = true;
  expect([changes.length, refused.length]).toEqual([500, 0]);
  expect(turns).toBeGreaterThan(2);
});
