import { expect, it } from "vitest";
import { epochMsOf, utcText } from "@fairway/contract/utc-texts";
import { clockText, durationText } from "./dates.ts";

it.each([
  [Date.UTC(2005, 9, 19, 12, 0, 0), "10/19/2005, 12:00:00 PM"],
  [Date.UTC(2005, 9, 19, 0, 5, 9), "10/19/2005, 12:05:09 AM"],
  [Date.UTC(2019, 8, 1, 18, 30, 59, 999), "09/01/2019, 06:30:59 PM"],
  [Date.UTC(1851, 5, 25), "06/25/1851, 12:00:00 AM"],
  [0, "01/01/1970, 12:00:00 AM"],
])("[RESULT-54] formats %i as %s", (epochMs, text) => {
  expect(utcText(epochMs)).toBe(text);
});

it("returns undefined out of the calendar's range", () => {
  expect(utcText(8.7e15)).toBeUndefined();
  expect(utcText(Number.NaN)).toBeUndefined();
});

it("[RESULT-54] reads seconds and milliseconds by the column's type", () => {
  expect(epochMsOf("TIMESTAMP_SECONDS", 1_129_723_200)).toBe(1_129_723_200_000);
  expect(epochMsOf("TIMESTAMP_MILLS", 1_129_723_200_000)).toBe(1_129_723_200_000);
  expect(epochMsOf("TIMESTAMP_MILLS", "1129723200000")).toBe(1_129_723_200_000);
  expect(epochMsOf("TIMESTAMP_MILLS", null)).toBeUndefined();
  expect(epochMsOf("TIMESTAMP_MILLS", "")).toBeUndefined();
  expect(epochMsOf("TIMESTAMP_MILLS", "soon")).toBeUndefined();
  expect(epochMsOf("TIMESTAMP_MILLS", true)).toBeUndefined();
});

it.each([
  [84.4, "84 ms"],
  [1_249, "1.2 s"],
  [59_999, "59.9 s"],
  [65_000, "1 min 05 s"],
])("formats a duration of %d ms as %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it("shows a running clock in whole seconds", () => {
  expect(clockText(3_900)).toBe("0:03");
  expect(clockText(61_000)).toBe("1:01");
});
