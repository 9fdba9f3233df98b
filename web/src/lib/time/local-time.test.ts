import { expect, it } from "vitest";
import { localTime } from "./local-time.ts";

it.each([
  [new Date(2026, 4, 7, 0, 5, 9), "05-07-2026, 12:05:09 am"],
  [new Date(2026, 10, 30, 9, 41, 0), "11-30-2026, 9:41:00 am"],
  [new Date(2026, 0, 1, 12, 0, 0), "01-01-2026, 12:00:00 pm"],
  [new Date(2025, 11, 31, 23, 59, 59), "12-31-2025, 11:59:59 pm"],
])("[AUDIT-14] formats %s as MM-DD-YYYY, h:mm:ss a", (date, text) => {
  expect(localTime(date.getTime())).toBe(text);
});
