import type { QualityIssue } from "@fairway/contract/dataset-quality";
import { expect, it } from "vitest";
import { issuesLabel, issueText } from "./quality-text.ts";

const sinceMs = Date.UTC(2026, 10, 3);
const columns = (...names: string[]) => names.map((name) => ({ name, sinceMs }));
const late: QualityIssue = { kind: "late", sinceMs, updatedMs: Date.UTC(2026, 10, 1), lateAfterHours: 48 };
const drop: QualityIssue = { kind: "row-drop", sinceMs, before: 11_840, rows: 5_921 };
const empty = (count: number, ...names: string[]): QualityIssue => ({ kind: "empty-columns", sinceMs, count, columns: columns(...names) });

it.each([
  [late, "Rows have been late since 11/03/2026: the last update was on 11/01/2026, and the next was expected within 48 hours."],
  [drop, "There have been 49% fewer rows since 11/03/2026: 5,921 instead of 11,840."],
  [empty(1, "wind"), "The column wind has been empty since 11/03/2026."],
  [empty(2, "name", "wind"), "2 columns have become empty, the first on 11/03/2026: name and wind."],
  [empty(1_000, "a", "b", "c", "d", "e", "f"), "1,000 columns have become empty, the first on 11/03/2026: a, b, c, d, e and 995 more."],
] as const)("%# says an issue in a sentence", (issue, text) => {
  expect(issueText(issue)).toBe(text);
});

it("says several issues in a few words", () => {
  expect(issuesLabel([drop])).toBe("Fewer rows");
  expect(issuesLabel([empty(1, "wind")])).toBe("Empty column");
  expect(issuesLabel([late, drop])).toBe("2 quality issues");
});
