import { describe, expect, it } from "vitest";
import { dayOf, draftOf, draftOfDays, draftOfPasted, judge as judgeAt, type RangeDraft, spread, withLast } from "./time-range-draft.ts";
import { lastRangeOf, timeRangeOf } from "#parts/search-model/time-range.ts";

const now = Date.UTC(2024, 4, 6, 7, 8, 9);
const judge = (draft: RangeDraft) => judgeAt(draft, now);

describe("judge", () => {
  it("[SEARCH-22] answers start, end and a summary of a readable range", () => {
    expect(judge({ start: "2004-09-02", end: "10/09/2004" }).range).toStrictEqual({
      startMs: Date.UTC(2004, 8, 2),
      endMs: Date.UTC(2004, 9, 9, 23, 59, 59),
      text: "09/02/2004, 12:00:00 AM – 10/09/2004, 11:59:59 PM UTC",
    });
  });

  it("[SEARCH-23] zeroes milliseconds of a chosen range", () => {
    const { range } = judge({ start: "2004-09-02T00:00:00.123Z", end: "1097366399999" });
    expect([range && range.startMs % 1_000, range && range.endMs % 1_000]).toStrictEqual([0, 0]);
  });

  it("takes two empty fields as any time", () => {
    expect(judge({ start: " ", end: "" })).toStrictEqual({ range: null });
  });

  it.each([
    [
      { start: "2004-09-02", end: "" },
      { range: undefined, endProblem: "Add an end." },
    ],
    [
      { start: "", end: "2004-09-02" },
      { range: undefined, startProblem: "Add a start." },
    ],
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
  ])("says what is wrong with %j", (draft, verdict) => {
    expect(judge(draft)).toStrictEqual(verdict);
  });

  it("accepts a range of one second", () => {
    expect(judge({ start: "2004-09-02T00:00:00Z", end: "2004-09-02T00:00:00Z" }).range).not.toBeUndefined();
  });
});

it("fills both fields from one pasted range, and leaves a single time alone", () => {
  expect(draftOfPasted("2001-01-01 – 2001-02-01")).toStrictEqual({ start: "01/01/2001, 12:00:00 AM", end: "02/01/2001, 11:59:59 PM" });
  expect(draftOfPasted("2001-01-01")).toBeUndefined();
  expect(draftOfPasted("so")).toBeUndefined();
});

it("keeps a typed time of a day that stays when the calendar moves the other end", () => {
  const before = { start: "09/02/2004, 06:30:00 AM", end: "10/09/2004, 11:59:59 PM" };
  expect(draftOfDays(before, "2004-09-02", "2004-09-05")).toStrictEqual({
    start: "09/02/2004, 06:30:00 AM",
    end: "09/05/2004, 11:59:59 PM",
  });
  expect(draftOfDays(before, "2004-09-03", null)).toStrictEqual({ start: "09/03/2004, 12:00:00 AM", end: "" });
  expect(dayOf("nonsense", "start")).toBeNull();
  expect(draftOf(null)).toStrictEqual({ start: "", end: "" });
});

describe("a range that follows the clock", () => {
  const hours = { amount: "24", unit: "hours" } as const;
  const today = { start: "05/05/2024, 07:08:09 AM", end: "05/06/2024, 07:08:09 AM" };

  it("is read and begins again as such; its start and end say what it is now", () => {
    const draft = withLast({ start: "", end: "" }, hours, now);
    expect(draft).toStrictEqual({ ...today, last: hours });
    expect(judge(draft)).toStrictEqual({ range: lastRangeOf({ amount: 24, unit: "hours" }, now) });
    expect(draftOf(lastRangeOf({ amount: 24, unit: "hours" }, now))).toStrictEqual(draft);
    expect(spread(draft)).toBe(draft);
  });

  it("is fixed at what it was once a day is picked or its amount is taken away", () => {
    const draft = withLast({ start: "", end: "" }, hours, now);
    expect(withLast(draft, { amount: " ", unit: "hours" }, now)).toStrictEqual(today);
    expect(judge(withLast(draft, { amount: "", unit: "hours" }, now)).range).toStrictEqual(timeRangeOf(now - 86_400_000, now));
    expect(draftOfDays(draft, "2024-05-05", "2024-05-07")).toStrictEqual({ start: today.start, end: "05/07/2024, 11:59:59 PM" });
  });

  it.each([
    ["0", "hours", "A whole number from 1 to 99,999."],
    ["1.5", "days", "A whole number from 1 to 99,999."],
    ["-3", "days", "A whole number from 1 to 99,999."],
    ["100000", "weeks", "A whole number from 1 to 99,999."],
    ["10000", "months", "A whole number from 1 to 9,999."],
    ["some", "minutes", "A whole number from 1 to 99,999."],
  ] as const)("refuses %s %s", (amount, unit, lastProblem) => {
    const draft = withLast(today, { amount, unit }, now);
    expect(draft).toStrictEqual({ ...today, last: { amount, unit } });
    expect(judge(draft)).toStrictEqual({ range: undefined, lastProblem });
  });
});
