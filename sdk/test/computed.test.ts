import { expect, it } from "vitest";
import { computedOf, describedWith } from "../src/cli/computed.ts";
import { searchData } from "../src/client/query.ts";

it("--compute names a column and its formula, which may hold further equals signs", () => {
  expect(computedOf(["late=delay > 15", " same = origin = 'ATL' "])).toEqual({ late: "delay > 15", same: "origin = 'ATL'" });
  expect(computedOf()).toBeUndefined();
  for (const text of ["late", "=delay", "late="]) expect(() => computedOf([text])).toThrow("is not of the form NAME=FORMULA");
});

it("the body of a search has computed columns in their order, and lookups", () => {
  const lookups = [
    { id: "a", dataset: { datasetCategory: "A", datasetId: "b" }, key: [{ column: "x", on: "y" }], columns: [{ from: "z", name: "w" }] },
  ];
  expect(searchData({ computed: { late: "delay > 15", kind: "if(late, 1, 0)" }, lookups })).toEqual({
    filters: [],
    computed: [
      { name: "late", expression: "delay > 15" },
      { name: "kind", expression: "if(late, 1, 0)" },
    ],
    lookups,
  });
});

it("conditions know the types of computed columns by their values", async () => {
  const rows = [
    { late: null, speed: null },
    { late: true, speed: 1.5, kind: "a" },
  ];
  const fairway = { search: () => ({ rows: () => Promise.resolve(rows) }) } as unknown as Parameters<typeof describedWith>[2];
  const description = { schema: { columns: [] } } as unknown as Parameters<typeof describedWith>[0];
  const { schema } = await describedWith(description, { late: "", speed: "", kind: "" }, fairway, "a/b", new AbortController().signal);
  expect(schema.columns.map(({ name, type }) => [name, type])).toEqual([
    ["late", "BOOLEAN"],
    ["speed", "decimal"],
    ["kind", "STRING"],
  ]);
});
