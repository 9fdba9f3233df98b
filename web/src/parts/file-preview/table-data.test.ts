import { expect, it } from "vitest";
import { sortedRows, type TableData } from "./table-data.ts";

const tableOf = (texts: readonly string[], keys?: readonly number[]): TableData => ({
  columns: [{ name: "value", isNumeric: false, keys }],
  rows: texts.map((text) => (text === "none" ? [] : [text])),
});
const sorted = (texts: readonly string[], isDescending = false) => sortedRows(tableOf(texts), 0, isDescending).map((row) => texts[row]);

it("sorts numbers by value before texts, with blanks last in both directions", () => {
  const texts = ["10", "", "b", "9", "-1.5", "none", "a", "1e3"];
  expect(sorted(texts)).toEqual(["-1.5", "9", "10", "1e3", "a", "b", "", "none"]);
  expect(sorted(texts, true)).toEqual(["b", "a", "1e3", "10", "9", "-1.5", "", "none"]);
});

it("sorts whole numbers that differ beyond 2^53", () => {
  const texts = ["9007199254740993", "9007199254740992", "-9007199254740992", "-9007199254740993"];
  expect(sorted(texts)).toEqual(texts.toReversed());
});

it("sorts by given values instead of texts", () => {
  expect(sortedRows(tableOf(["2.3 KB", "1.0 GB", "", "900 bytes"], [2_300, 1e9, Number.NaN, 900]), 0, false)).toEqual([3, 0, 1, 2]);
});
