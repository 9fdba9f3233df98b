import { describe, expect, it } from "vitest";
import { dayOf, draftOf, draftOfDays, draftOfPasted, judge } from "./time-range-draft.ts";

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
