import { expect, it } from "vitest";
import { cutNotice, resultsSubtitle, rowsLoaded } from "./result-wording.ts";

const rows = (count: number) => Array.from({ length: count }, () => ({}));
const record = { isSample: false, searchError: null, results: rows(25), totalResultCount: 3_000_000 };

it.each([
  ["[RESULT-07] a failed search", { ...record, results: null, searchError: ["No."], totalResultCount: -1 }, "error performing search"],
  ["[RESULT-08] a total that is null", { ...record, totalResultCount: null }, "unknown total result count"],
  ["[RESULT-09] a total of -1", { ...record, totalResultCount: -1 }, "loading result count..."],
  ["[RESULT-10] a known total", record, "1 – 25 of 3,000,000 results"],
  ["one result", { ...record, results: rows(1), totalResultCount: 1 }, "1 – 1 of 1 result"],
  ["no result", { ...record, results: [], totalResultCount: 0 }, "0 results"],
  ["items of a map, which has no pages", { ...record, items: 13 }, "13 items of 3,000,000 results"],
  ["graphs, which cover all results", { ...record, coversAll: true }, "3,000,000 results"],
  ["one item of one result", { ...record, results: rows(1), totalResultCount: 1, items: 1 }, "1 item of 1 result"],
  ["a total that came before the rows", { ...record, results: null }, "3,000,000 results"],
  ["a sample", { ...record, isSample: true, totalResultCount: null }, "25 sample rows"],
  ["a sample on its way", { ...record, isSample: true, results: null, totalResultCount: null }, "sample"],
  ["a page that failed, over rows that stay", { ...record, searchError: ["No."] }, "1 – 25 of 3,000,000 results"],
])("%s has its subtitle", (_, input, text) => {
  expect(resultsSubtitle(input)).toBe(text);
});

it("counts rows with thousands separators", () => {
  expect(rowsLoaded(1)).toBe("1 row loaded");
  expect(rowsLoaded(10_000)).toBe("10,000 rows loaded");
  expect(cutNotice(10_000)).toBe("The results were cut off at 10,000 rows. Narrow the filters to see the rest.");
});
