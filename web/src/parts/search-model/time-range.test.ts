import { expect, it } from "vitest";
import { lastRangeOf, lastText, rangeAt, timeRangeOf } from "./time-range.ts";

const now = Date.UTC(2024, 4, 6, 7, 8, 9, 789);

it("[SEARCH-22] a relative range has start, end and its own summary", () => {
  expect(lastRangeOf({ amount: 24, unit: "hours" }, now)).toStrictEqual({
    startMs: Date.UTC(2024, 4, 5, 7, 8, 9),
    endMs: Date.UTC(2024, 4, 6, 7, 8, 9),
    text: "Last 24 hours",
    last: { amount: 24, unit: "hours" },
  });
  expect([lastText({ amount: 1, unit: "hours" }), lastText({ amount: 3, unit: "months" })]).toStrictEqual(["Last 1 hour", "Last 3 months"]);
});

it("only a relative range moves with the clock", () => {
  const later = now + 3_600_000;
  const last = lastRangeOf({ amount: 15, unit: "minutes" }, now);
  expect(rangeAt(last, later)).toStrictEqual(lastRangeOf({ amount: 15, unit: "minutes" }, later));
  expect(rangeAt(last, later).endMs).toBe(last.endMs + 3_600_000);
  const fixed = timeRangeOf(last.startMs, last.endMs);
  expect(rangeAt(fixed, later)).toBe(fixed);
});
