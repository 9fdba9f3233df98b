import { expect, it } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { findPattern, splitMatches } from "#lib/text/find-text.ts";
import { findCells, maxMatches } from "./find-cells.ts";

const never = new AbortController().signal;
const patternOf = (query: string) => {
  const find = findPattern(query);
  if (!find) throw new Error("empty");
  return find;
};

it("finds displayed text in any case, row by row in column order", async () => {
  const columns = [buildColumn("name"), buildColumn("time", { type: "TIMESTAMP_SECONDS" })];
  const rows = [
    { name: "Maria", time: 1_129_723_200 },
    { name: "Rita", time: 0 },
    { name: "MARIA", time: 0 },
  ];
  expect(await findCells(rows, columns, patternOf("maria"), never)).toEqual([
    { row: 0, column: "name" },
    { row: 2, column: "name" },
  ]);
  expect(await findCells(rows, columns, patternOf("2005"), never)).toEqual([{ row: 0, column: "time" }]);
  // Matches the displayed text in the current time zone.
  const hour = (zone: string) => findCells(rows, columns, patternOf("07:00:00 AM"), never, zone);
  expect([await hour("UTC"), await hour("Asia/Bangkok")]).toEqual([[], [1, 2].map((row) => ({ row, column: "time" }))]);
});

it("does not change lastIndex of the expression", async () => {
  const find = patternOf("rita");
  expect(await findCells([{ name: "Maria" }, { name: "Rita" }], [buildColumn("name")], find, never)).toHaveLength(1);
  expect(splitMatches("Rita", find)).toEqual([{ text: "Rita", isMatch: true }]);
});

it("stops at the maximum number of matches", async () => {
  const rows = Array.from({ length: maxMatches + 5 }, () => ({ name: "x" }));
  expect(await findCells(rows, [buildColumn("name")], patternOf("x"), never)).toHaveLength(maxMatches);
});

it("returns null once aborted", async () => {
  expect(await findCells([{ name: "x" }], [buildColumn("name")], patternOf("x"), AbortSignal.abort())).toBeNull();
});
