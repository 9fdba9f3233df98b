import { expect, it } from "vitest";
import { z } from "zod";
import { deepStrict, unknownFieldIssues } from "./unknown-fields.ts";

it("entries of lists in lists are checked, and closed as any other", () => {
  const lists = deepStrict(z.object({ rows: z.array(z.array(z.object({ id: z.int() }))) }));
  expect(lists.safeParse({ rows: [[{ id: 1 }], [{ id: 2 }]] }).success).toBe(true);
  expect(lists.safeParse({ rows: [[{ id: 1 }], [{ id: "x" }]] }).error?.issues[0]?.path).toEqual(["rows", 1, 0, "id"]);
  expect(lists.safeParse({ rows: [[{ id: 1, more: true }]] }).error?.issues[0]).toMatchObject({ keys: ["more"], path: ["rows", 0, 0] });
});

it("an unknown field in one of several shapes is named by its path", () => {
  const shapes = deepStrict(z.object({ value: z.union([z.string(), z.object({ part: z.string() }), z.array(z.object({ id: z.int() }))]) }));
  const pathsOf = (value: unknown) =>
    unknownFieldIssues(shapes.safeParse({ value }).error?.issues ?? [], "").map(({ path }) => path.join("."));
  expect(pathsOf({ part: "day", zone: "UTC" })).toEqual(["value.zone"]);
  expect(pathsOf([{ id: 1 }, { id: 2, name: "b" }])).toEqual(["value.1.name"]);
  expect(pathsOf(1)).toEqual(["value"]);
});
