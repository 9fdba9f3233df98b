import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastSpan, parseSpan, spanAt, spanCode } from "./relative-times.ts";

const at = (code: string, now: string): [string, string] => {
  const span = parseSpan(code);
  if (!span) throw new Error(`${code} is no span`);
  const { startMs, endMs } = spanAt(span, Date.parse(now));
  return [new Date(startMs).toISOString(), new Date(endMs).toISOString()];
};

describe("a span", () => {
  it.each([
    ["15m", { amount: 15, unit: "minutes" }],
    ["24h", { amount: 24, unit: "hours" }],
    ["7d", { amount: 7, unit: "days" }],
    ["4w", { amount: 4, unit: "weeks" }],
    ["3mo", { amount: 3, unit: "months" }],
    ["99999m", { amount: 99_999, unit: "minutes" }],
    ["9999mo", { amount: 9_999, unit: "months" }],
  ] as const)("%s is parsed and formatted", (code, span) => {
    expect(parseSpan(code)).toStrictEqual(span);
    expect(spanCode(span)).toBe(code);
    expect(lastSpan.safeParse(code).success).toBe(true);
  });

  it.each(["", "h", "0h", "-1h", "01h", "1.5h", "100000h", "10000mo", "1y", "1M", "1 h", "1h ", "1hh", "24H"])(
    "%j is not a span",
    (code) => {
      expect(parseSpan(code)).toBeUndefined();
      expect(lastSpan.safeParse(code).success).toBe(false);
    },
  );

  it.each([
    ["15m", "2026-03-01T00:10:00.000Z", "2026-02-28T23:55:00.000Z"],
    ["24h", "2024-03-01T07:08:09.000Z", "2024-02-29T07:08:09.000Z"],
    ["1w", "2026-01-05T00:00:00.000Z", "2025-12-29T00:00:00.000Z"],
    ["1mo", "2026-03-15T10:00:00.000Z", "2026-02-15T10:00:00.000Z"],
    ["1mo", "2026-03-31T10:00:00.000Z", "2026-02-28T10:00:00.000Z"],
    ["3mo", "2024-05-31T23:59:59.000Z", "2024-02-29T23:59:59.000Z"],
    ["14mo", "2026-01-31T00:00:00.000Z", "2024-11-30T00:00:00.000Z"],
    ["9999mo", "2026-05-15T00:00:00.000Z", "1193-02-15T00:00:00.000Z"],
    ["99999w", "2026-05-15T00:00:00.000Z", "0109-11-08T00:00:00.000Z"],
  ])("%s at %s starts at %s", (code, now, start) => {
    expect(at(code, now)).toStrictEqual([start, now]);
  });

  it("[SEARCH-23] is rounded down to whole seconds", () => {
    expect(at("15m", "2026-03-01T00:15:00.987Z")).toStrictEqual(["2026-03-01T00:00:00.000Z", "2026-03-01T00:15:00.000Z"]);
  });
});

/** Days of a month, computed without Date. */
function daysOfMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

it("a span of months starts at the same day and time of an earlier month, or on its last day", () => {
  const moment = fc.record({
    year: fc.integer({ min: 1900, max: 2400 }),
    month: fc.integer({ min: 1, max: 12 }),
    // Prefers month ends, where the rule matters.
    day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 28, max: 31 })),
    secondOfDay: fc.integer({ min: 0, max: 86_399 }),
    amount: fc.integer({ min: 1, max: 9_999 }),
  });
  fc.assert(
    fc.property(moment, ({ year, month, day, secondOfDay, amount }) => {
      const today = Math.min(day, daysOfMonth(year, month));
      const iso = (y: number, m: number, d: number) =>
        `${String(y).padStart(4, "0")}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`;
      const endMs = Date.parse(`${iso(year, month, today)}T00:00:00Z`) + secondOfDay * 1_000;
      const monthsSinceYearZero = year * 12 + (month - 1) - amount;
      const [thenYear, thenMonth] = [Math.floor(monthsSinceYearZero / 12), (monthsSinceYearZero % 12) + 1];
      const then = iso(thenYear, thenMonth, Math.min(today, daysOfMonth(thenYear, thenMonth)));
      expect(spanAt({ amount, unit: "months" }, endMs + 999)).toStrictEqual({
        startMs: Date.parse(`${then}T00:00:00Z`) + secondOfDay * 1_000,
        endMs,
      });
    }),
  );
});
