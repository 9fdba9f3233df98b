import { z } from "zod";

export const spanUnits = ["minutes", "hours", "days", "weeks", "months"] as const;
export type SpanUnit = (typeof spanUnits)[number];

/** A range that ends at the current time: the last `amount` of `unit`. Decision 0044. */
export interface LastSpan {
  amount: number;
  unit: SpanUnit;
}

const codes: Readonly<Record<SpanUnit, string>> = { minutes: "m", hours: "h", days: "d", weeks: "w", months: "mo" };

/** Maximum amount of a unit; keeps the start of the range after the year 1. */
export const maxAmount = (unit: SpanUnit): number => (unit === "months" ? 9_999 : 99_999);

export const isSpan = ({ amount, unit }: LastSpan): boolean => Number.isInteger(amount) && amount >= 1 && amount <= maxAmount(unit);

/** Text form in saved searches and URLs: `15m`, `24h`, `7d`, `4w`, `3mo`. */
export const spanCode = ({ amount, unit }: LastSpan): string => `${amount}${codes[unit]}`;

/** Inverse of `spanCode`; undefined for anything else. */
export function parseSpan(code: string): LastSpan | undefined {
  const [, digits = "", letters] = /^([1-9]\d{0,4})([a-z]{1,2})$/.exec(code) ?? [];
  const unit = spanUnits.find((candidate) => codes[candidate] === letters);
  const span = unit && { amount: Number(digits), unit };
  return span && isSpan(span) ? span : undefined;
}

/** A span in its text form. */
export const lastSpan = z.string().refine((code) => parseSpan(code) !== undefined, "is not a span such as 30m, 24h, 7d, 4w or 3mo");

const unitMs: Readonly<Record<Exclude<SpanUnit, "months">, number>> = {
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
};

/**
 * The range at a given time, in epoch milliseconds rounded down to whole seconds. Months follow the UTC calendar: three months
 * before May 31 is the last day of February.
 */
export function spanAt({ amount, unit }: LastSpan, nowMs: number): { startMs: number; endMs: number } {
  const endMs = Math.floor(nowMs / 1_000) * 1_000;
  return { startMs: unit === "months" ? monthsBefore(endMs, amount) : endMs - amount * unitMs[unit], endMs };
}

function monthsBefore(epochMs: number, months: number): number {
  const date = new Date(epochMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const daysOfMonth = new Date(date);
  daysOfMonth.setUTCMonth(daysOfMonth.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(day, daysOfMonth.getUTCDate()));
  return date.getTime();
}
