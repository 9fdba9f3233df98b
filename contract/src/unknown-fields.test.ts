import { expect, it } from "vitest";
import { z } from "zod";
import { deepStrict } from "./unknown-fields.ts";

it("entries of lists in lists are checked, and closed as any other", () => {
  const lists = deepStrict(z.object({ rows: z.array(z.array(z.object({ id: z.int() }))) }));
  expect(lists.safeParse({ rows: [[{ id: 1 }], [{ id: 2 }]] }).success).toBe(true);
  expect(lists.safeParse({ rows: [[{ id: 1 }], [{ id: "x" }]] }).error?.issues[0]?.path).toEqual(["rows", 1, 0, "id"]);
  expect(lists.safeParse({ rows: [[{ id: 1, more: true }]] }).error?.issues[0]).toMatchObject({ keys: ["more"], path: ["rows", 0, 0] });
});
