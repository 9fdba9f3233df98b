import type { ResultRow } from "@fairway/contract/search";
import { expect, it } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { columnsOf } from "./column-layout.ts";

it("uses the dataset's columns, even without rows", () => {
  const columns = [buildColumn("a")];
  expect(columnsOf(columns, [])).toBe(columns);
  expect(columnsOf(columns, [{ b: 1 }])).toBe(columns);
});

it("infers columns from the rows if the dataset declares none", () => {
  const rows: ResultRow[] = [
    { id: 1, price: 2, name: null, mixed: "x" },
    { id: 2, price: 2.5, name: "b", mixed: 1, late: true },
  ];
  expect(columnsOf([], rows).map(({ name, type }) => [name, type])).toEqual([
    ["id", "integer"],
    ["price", "decimal"],
    ["name", "STRING"],
    ["mixed", "STRING"],
    ["late", "BOOLEAN"],
  ]);
});
