import { describe, expect, it } from "vitest";
import {
  dayOf,
  toDraft,
  withDays,
  parsePastedRange,
  type RangeDraft,
  expandPastedRange,
  validateRange as validateRangeAt,
  withLast,
} from "./time-range-draft.ts";
import { lastRangeOf, timeRangeOf } from "#parts/search-model/time-range.ts";

const now = Date.UTC(2024, 4, 6, 7, 8, 9);
const validateRange = (draft: RangeDraft) => validateRangeAt(draft, now);

describe("validateRange", () => {
  it("[SEARCH-22] returns start, end and a summary of a valid range", () => {
    expect(validateRange({ start: "2004-09-02", end: "10/09/2004" }).range).toStrictEqual({
      startMs: Date.UTC(2004, 8, 2),
      endMs: Date.UTC(2004, 9, 9, 23, 59, 59),
      text: "09/02/2004, 12:00:00 AM – 10/09/2004, 11:59:59 PM UTC",
    });
  });

  it("[SEARCH-23] drops milliseconds", () => {
    const { range } = validateRange({ start: "2004-09-02T00:00:00.123Z", end: "1097366399999" });
    expect(range).toMatchObject({ startMs: Date.UTC(2004, 8, 2), endMs: 1_097_366_399_000 });
  });

  it("treats two empty fields as any time", () => {
    expect(validateRange({ start: " ", end: "" })).toStrictEqual({ range: null });
  });

  it("leaves the end of an empty field open", () => {
    expect([validateRange({ start: "2004-09-02", end: "" }).range, validateRange({ start: " ", end: "2004-09-02" }).range]).toStrictEqual([
      { startMs: Date.UTC(2004, 8, 2), endMs: null, text: "From 09/02/2004, 12:00:00 AM UTC" },
      { startMs: null, endMs: Date.UTC(2004, 8, 2, 23, 59, 59), text: "Until 09/02/2004, 11:59:59 PM UTC" },
    ]);
  });

  it.each([
    [
      { start: "2004-10-09", end: "2004-09-02" },
      { range: undefined, endProblem: "The end is before the start." },
    ],
    [
      { start: "soon", end: "2004-09-02" },
      { range: undefined, startProblem: expect.stringContaining("Not a time.") as string },
    ],
    [
      { start: "2004-09-02", end: "02/30/2004" },
      { range: undefined, endProblem: expect.stringContaining("Not a time.") as string },
    ],
  ])("reports the problem of %j", (draft, validation) => {
    expect(validateRange(draft)).toStrictEqual(validation);
  });

  it("accepts a range of one second", () => {
    expect(validateRange({ start: "2004-09-02T00:00:00Z", end: "2004-09-02T00:00:00Z" }).range).not.toBeUndefined();
  });
});

it("fills both fields from a pasted range, and ignores a single time", () => {
  expect(parsePastedRange("2001-01-01 – 2001-02-01")).toStrictEqual({ start: "01/01/2001, 12:00:00 AM", end: "02/01/2001, 11:59:59 PM" });
  expect(parsePastedRange("2001-01-01")).toBeUndefined();
  expect(parsePastedRange("so")).toBeUndefined();
});

it("keeps the typed time of an unchanged day when the calendar changes the other day", () => {
  const before = { start: "09/02/2004, 06:30:00 AM", end: "10/09/2004, 11:59:59 PM" };
  expect(withDays(before, "2004-09-02", "2004-09-05")).toStrictEqual({
    start: "09/02/2004, 06:30:00 AM",
    end: "09/05/2004, 11:59:59 PM",
  });
  expect(withDays(before, "2004-09-03", null)).toStrictEqual({ start: "09/03/2004, 12:00:00 AM", end: "" });
  expect(dayOf("nonsense", "start")).toBeNull();
  expect(toDraft(null)).toStrictEqual({ start: "", end: "" });
});

describe("a relative range", () => {
  const hours = { amount: "24", unit: "hours" } as const;
  const today = { start: "05/05/2024, 07:08:09 AM", end: "05/06/2024, 07:08:09 AM" };

  it("stays relative when parsed and edited again, with start and end as of now", () => {
    const draft = withLast({ start: "", end: "" }, hours, now);
    expect(draft).toStrictEqual({ ...today, last: hours });
    expect(validateRange(draft)).toStrictEqual({ range: lastRangeOf({ amount: 24, unit: "hours" }, now) });
    expect(toDraft(lastRangeOf({ amount: 24, unit: "hours" }, now))).toStrictEqual(draft);
    expect(expandPastedRange(draft)).toBe(draft);
  });

  it("becomes fixed when a day is picked or the amount is cleared", () => {
    const draft = withLast({ start: "", end: "" }, hours, now);
    expect(withLast(draft, { amount: " ", unit: "hours" }, now)).toStrictEqual(today);
    expect(validateRange(withLast(draft, { amount: "", unit: "hours" }, now)).range).toStrictEqual(timeRangeOf(now - 86_400_000, now));
    expect(withDays(draft, "2024-05-05", "2024-05-07")).toStrictEqual({ start: today.start, end: "05/07/2024, 11:59:59 PM" });
  });

  it.each([
    ["0", "hours", "Enter a whole number from 1 to 99,999."],
    ["1.5", "days", "Enter a whole number from 1 to 99,999."],
    ["-3", "days", "Enter a whole number from 1 to 99,999."],
    ["100000", "weeks", "Enter a whole number from 1 to 99,999."],
    ["10000", "months", "Enter a whole number from 1 to 9,999."],
    ["some", "minutes", "Enter a whole number from 1 to 99,999."],
  ] as const)("refuses %s %s", (amount, unit, lastProblem) => {
    const draft = withLast(today, { amount, unit }, now);
    expect(draft).toStrictEqual({ ...today, last: { amount, unit } });
    expect(validateRange(draft)).toStrictEqual({ range: undefined, lastProblem });
  });
});
