import { expect, it } from "vitest";
import { localTime } from "#lib/time/local-time.ts";
import { parseLocalTime } from "./local-time-text.ts";

const local = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).getTime();

it.each([
  ["2004-09-02T15:30", local(2004, 8, 2, 15, 30)],
  ["2004-09-02 15:30:05", local(2004, 8, 2, 15, 30, 5)],
  ["09-02-2004, 3:30 pm", local(2004, 8, 2, 15, 30)],
  ["9/2/2004 3:30:05 PM", local(2004, 8, 2, 15, 30, 5)],
  ["09-02-2004", local(2004, 8, 2)],
  ["2004-09", local(2004, 8, 1)],
  [" ", null],
  ["2004-09-02T15:30:00Z", Date.UTC(2004, 8, 2, 15, 30)],
  ["2004-09-02T15:30:00+02:00", Date.UTC(2004, 8, 2, 13, 30)],
  ["09/02/2004, 03:30:00 PM UTC", Date.UTC(2004, 8, 2, 15, 30)],
  ["1094139000", 1_094_139_000_000],
  ["02-30-2004", undefined],
  ["tomorrow", undefined],
])("reads %j in the browser's zone, unless it names one", (text, epochMs) => {
  expect(parseLocalTime(text)).toBe(epochMs);
});

it("a day as an end counts up to its last second, and reads what it writes", () => {
  expect(parseLocalTime("09-02-2004", "end")).toBe(local(2004, 8, 2, 23, 59, 59));
  const noon = local(2026, 0, 2, 12, 0, 7);
  expect(parseLocalTime(localTime(noon))).toBe(noon);
});
