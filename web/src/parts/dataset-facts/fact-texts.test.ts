import { expect, it } from "vitest";
import { shortSpanText } from "./fact-texts.ts";

it.each([
  ["1975-06-27", "2020-11-18", "1975 – 2020"],
  ["2001-01-01", "2001-06-30", "Jan – Jun 2001"],
  ["2018-01-31", "2018-02-07", "Jan 31 – Feb 7, 2018"],
  ["2018-02-07", "2018-02-07", "Feb 7, 2018"],
])("%s to %s is said as %s", (first, last, text) => {
  expect(shortSpanText({ oldestMs: Date.parse(first), newestMs: Date.parse(last) })).toBe(text);
});

it("has no text without times", () => {
  expect(shortSpanText({ oldestMs: null, newestMs: 0 })).toBeNull();
});
