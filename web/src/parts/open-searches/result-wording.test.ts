import { expect, it } from "vitest";
import { cutNotice, resultsSubtitle, rowsLoaded } from "./result-wording.ts";

const rows = (count: number) => Array.from({ length: count }, () => ({}));
const told = { isSample: false, searchError: null, results: rows(25), totalResultCount: 3_000_000 };

it.each([
  ["[RESULT-07] a failed search", { ...told, results: null, searchError: ["No."], totalResultCount: -1 }, "error performing search"],
  ["[RESULT-08] a total that is null", { ...told, totalResultCount: null }, "unknown total result count"],
  ["[RESULT-09] a total of -1", { ...told, totalResultCount: -1 }, "loading result count..."],
  ["[RESULT-10] a known total", told, "1 – 25 of 3,000,000 results"],
  ["one result", { ...told, results: rows(1), totalResultCount: 1 }, "1 – 1 of 1 result"],
  ["no result", { ...told, results: [], totalResultCount: 0 }, "0 results"],
  ["items of a map, which has no pages", { ...told, items: 13 }, "13 items of 3,000,000 results"],
  ["one item of one result", { ...told, results: rows(1), totalResultCount: 1, items: 1 }, "1 item of 1 result"],
  ["a total that came before the rows", { ...told, results: null }, "3,000,000 results"],
  ["a sample", { ...told, isSample: true, totalResultCount: null }, "25 sample rows"],
  ["a sample on its way", { ...told, isSample: true, results: null, totalResultCount: null }, "sample"],
  ["a page that failed, over rows that stay", { ...told, searchError: ["No."] }, "1 – 25 of 3,000,000 results"],
])("%s", (_, record, text) => {
  expect(resultsSubtitle(record)).toBe(text);
});

it("counts rows with thousands separators", () => {
  expect(rowsLoaded(1)).toBe("1 row loaded");
  expect(rowsLoaded(10_000)).toBe("10,000 rows loaded");
  expect(cutNotice(10_000)).toBe("The answer was cut at 10,000 rows. Narrow the filters to see the rest.");
});
