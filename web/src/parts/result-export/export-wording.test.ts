import { expect, it } from "vitest";
import { coverageText, cutText, progressPercent, progressText, resultText } from "./export-wording.ts";

it("describes before the start how many rows the file will hold and whether it will be cut", () => {
  expect(coverageText(null, 100)).toBe("Exports every row of the search, loaded or not, to a file.");
  expect(coverageText(1, 100)).toBe("Writes all 1 row of the search, loaded or not, to a file.");
  expect(coverageText(100, 100)).toBe("Writes all 100 rows of the search, loaded or not, to a file.");
  expect(coverageText(12_000, 10_000)).toMatch(/^The search finds 12,000 rows, and one export may contain 10,000: the file will be cut/);
});

it.each([
  [{ rows: 0, totalRows: null }, "Finding the rows …", null],
  [{ rows: 0, totalRows: 1_200 }, "Finding and sorting 1,200 rows …", null],
  [{ rows: 300, totalRows: null }, "300 rows written", null],
  [{ rows: 300, totalRows: 1_200 }, "300 of 1,200 rows written", 25],
  // The export ends at the operator's limit.
  [{ rows: 500, totalRows: 5_000 }, "500 of 5,000 rows written", 50],
  // Rows were added after the count.
  [{ rows: 1_300, totalRows: 1_200 }, "1,200 of 1,200 rows written", 100],
])("describes the progress of %j", (state, text, percent) => {
  expect([progressText(state), progressPercent(state, state.totalRows === 5_000 ? 1_000 : 10_000)]).toEqual([text, percent]);
});

it("describes rows, size and how long the file is kept", () => {
  expect(resultText({ rows: 1, file: { name: "a", bytes: 999 } }, 60)).toBe("1 row, 999 bytes. The server keeps the file for an hour.");
  expect(resultText({ rows: 2_000, file: { name: "a", bytes: 1_530 } }, 5)).toBe(
    "2,000 rows, 1.5 KB. The server keeps the file for 5 minutes.",
  );
  expect(resultText({ rows: 2_000, file: { name: "a", bytes: 79e6 } }, 60)).toContain("79.0 MB");
  expect(resultText({ rows: 2_000, file: { name: "a", bytes: 2.34e9 } }, 60)).toContain("2.3 GB");
});

it("describes what is missing from a cut file", () => {
  expect(cutText({ rows: 10, totalRows: 25 })).toMatch(/has 10 rows, .+, and 25 match\./);
  expect(cutText({ rows: 10, totalRows: null })).toMatch(/and more rows match\./);
});
