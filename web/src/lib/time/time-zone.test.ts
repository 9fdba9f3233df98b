import { expect, it } from "vitest";
import { utc, zonedText } from "./time-zone.ts";

it.each([
  // Standard and daylight saving time.
  ["2024-01-15T12:00:00Z", "America/New_York", "01/15/2024, 07:00:00 AM"],
  ["2024-07-15T12:00:00Z", "America/New_York", "07/15/2024, 08:00:00 AM"],
  ["2024-01-15T12:00:00Z", "Europe/Amsterdam", "01/15/2024, 01:00:00 PM"],
  ["2024-07-15T12:00:00Z", "Europe/Amsterdam", "07/15/2024, 02:00:00 PM"],
  // The skipped hour and the repeated one.
  ["2024-03-10T06:59:59Z", "America/New_York", "03/10/2024, 01:59:59 AM"],
  ["2024-03-10T07:00:00Z", "America/New_York", "03/10/2024, 03:00:00 AM"],
  ["2024-11-03T05:30:00Z", "America/New_York", "11/03/2024, 01:30:00 AM"],
  ["2024-11-03T06:30:00Z", "America/New_York", "11/03/2024, 01:30:00 AM"],
  ["2024-03-31T01:00:00Z", "Europe/Amsterdam", "03/31/2024, 03:00:00 AM"],
  // Another day, another year, an offset of three quarters of an hour.
  ["2023-12-31T23:30:00Z", "Asia/Kathmandu", "01/01/2024, 05:15:00 AM"],
  // Rules of that year: local mean time before standard time, and war time.
  ["1851-06-25T00:00:00Z", "America/New_York", "06/24/1851, 07:03:58 PM"],
  ["1943-01-15T12:00:00Z", "America/New_York", "01/15/1943, 08:00:00 AM"],
  ["1970-01-01T00:00:00Z", "America/New_York", "12/31/1969, 07:00:00 PM"],
  ["0001-01-01T00:00:00Z", "America/New_York", "12/31/0000, 07:03:58 PM"],
])("[RESULT-54] %s is in %s %s", (iso, zone, text) => {
  expect(zonedText(Date.parse(iso), zone)).toBe(text);
});

it("formats UTC unchanged and returns undefined out of the calendar's range", () => {
  expect(zonedText(Date.UTC(2024, 6, 15, 12), utc)).toBe("07/15/2024, 12:00:00 PM");
  for (const zone of [utc, "Europe/Amsterdam"]) {
    expect(zonedText(8.7e15, zone)).toBeUndefined();
    expect(zonedText(Number.NaN, zone)).toBeUndefined();
  }
});
