import { type LastSpan, spanAt, spanUnits } from "@fairway/contract/relative-times";
import { z } from "zod";
import { utcText } from "@fairway/contract/utc-texts";
import type { TimeRangeFilter } from "./search-record.ts";

/** Bounds of a range; null where it is open. */
export type TimeBounds = Pick<TimeRangeFilter, "startMs" | "endMs">;

/** A range with both ends. */
export type BoundedRange = TimeRangeFilter & { startMs: number; endMs: number };

/** A fixed range with its summary. Milliseconds are dropped. */
export function timeRangeOf(startMs: number, endMs: number): BoundedRange;
export function timeRangeOf(startMs: number | null, endMs: number | null): TimeRangeFilter;
export function timeRangeOf(startMs: number | null, endMs: number | null): TimeRangeFilter {
  const range = { startMs: wholeSecond(startMs), endMs: wholeSecond(endMs) };
  return { ...range, text: rangeText(range) };
}

const wholeSecond = (epochMs: number | null): number | null => (epochMs === null ? null : Math.floor(epochMs / 1000) * 1000);

/** `09/02/2004, 12:00:00 AM – 10/09/2004, 11:59:59 PM UTC`, or with one end `From …` and `Until …`. */
export function rangeText({ startMs, endMs }: TimeBounds): string {
  if (startMs === null) return endMs === null ? "Any time" : `Until ${utcText(endMs)} UTC`;
  return endMs === null ? `From ${utcText(startMs)} UTC` : `${utcText(startMs)} – ${utcText(endMs)} UTC`;
}

/** `Last 24 hours`; `Last 1 month`, because "last month" would mean the calendar month. */
export const lastText = ({ amount, unit }: LastSpan): string => `Last ${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`;

/** A relative range as of `nowMs`. */
export const lastRangeOf = (last: LastSpan, nowMs: number): BoundedRange => ({ ...spanAt(last, nowMs), text: lastText(last), last });

/** The range as of `nowMs`. A fixed range stays as it is. */
export const rangeAt = (range: TimeRangeFilter, nowMs: number): TimeRangeFilter => (range.last ? lastRangeOf(range.last, nowMs) : range);

/** A range as stored in the tab across reloads. */
export const storedTimeRange = z.object({
  startMs: z.number().nullable(),
  endMs: z.number().nullable(),
  text: z.string(),
  last: z.object({ amount: z.number(), unit: z.enum(spanUnits) }).optional(),
});
