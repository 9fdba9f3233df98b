import { expect, it } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { finder, partsOf } from "#lib/find-text.ts";
import { findCells, mostMatches } from "./find-cells.ts";

const never = new AbortController().signal;
const found = (query: string) => {
  const find = finder(query);
  if (!find) throw new Error("empty");
  return find;
};

it("finds in any case, row by row in the columns' order, in the text that cells show", async () => {
  const columns = [buildColumn("name"), buildColumn("time", { type: "TIMESTAMP_SECONDS" })];
  const rows = [
    { name: "Maria", time: 1_129_723_200 },
    { name: "Rita", time: 0 },
    { name: "MARIA", time: 0 },
  ];
  expect(await findCells(rows, columns, found("maria"), never)).toEqual([
    { row: 0, column: "name" },
    { row: 2, column: "name" },
  ]);
  expect(await findCells(rows, columns, found("2005"), never)).toEqual([{ row: 0, column: "time" }]);
  // What is shown is what is found.
  const hour = (zone: string) => findCells(rows, columns, found("07:00:00 AM"), never, zone);
  expect([await hour("UTC"), await hour("Asia/Bangkok")]).toEqual([[], [1, 2].map((row) => ({ row, column: "time" }))]);
});

it("leaves the expression able to mark every match, also when the last cell held one", async () => {
  const find = found("rita");
  expect(await findCells([{ name: "Maria" }, { name: "Rita" }], [buildColumn("name")], find, never)).toHaveLength(1);
  expect(partsOf("Rita", find)).toEqual([{ text: "Rita", isMatch: true }]);
});

it("stops counting where nobody would step any more", async () => {
  const rows = Array.from({ length: mostMatches + 5 }, () => ({ name: "x" }));
  expect(await findCells(rows, [buildColumn("name")], found("x"), never)).toHaveLength(mostMatches);
});

it("answers nothing once it was ended", async () => {
  expect(await findCells([{ name: "x" }], [buildColumn("name")], found("x"), AbortSignal.abort())).toBeNull();
});
