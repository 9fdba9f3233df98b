import { expect, it } from "vitest";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import { rangeWithin } from "./shown-period.ts";

const period = { startMs: Date.UTC(2004, 6), endMs: Date.UTC(2004, 9), text: "Jul 2004 to Sep 2004" };

it("gives a period the range of its rows, to the last millisecond before the next step", () => {
  expect(rangeWithin(null, period)).toEqual({
    startMs: period.startMs,
    endMs: period.endMs - 1,
    text: "07/01/2004, 12:00:00 AM – 09/30/2004, 11:59:59 PM UTC",
  });
});

it("narrows the range of a search only where the period ends before it", () => {
  const summer = timeRangeOf(Date.UTC(2004, 7), Date.UTC(2004, 8));
  expect(rangeWithin(summer, period)).toBe(summer);
  const year = timeRangeOf(Date.UTC(2004, 7), Date.UTC(2005, 0));
  expect(rangeWithin(year, period)).toMatchObject({ startMs: Date.UTC(2004, 7), endMs: period.endMs - 1 });
  expect(rangeWithin(timeRangeOf(null, Date.UTC(2004, 8)), period)).toMatchObject({ startMs: period.startMs, endMs: Date.UTC(2004, 8) });
});
