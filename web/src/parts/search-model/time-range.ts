import { type LastSpan, spanAt, spanUnits } from "@fairway/contract/relative-times";
import { z } from "zod";
import { utcText } from "#lib/dates.ts";
import type { TimeRangeFilter } from "./search-record.ts";

/** A range with its summary. Milliseconds are zeroed. */
export function timeRangeOf(startMs: number, endMs: number): TimeRangeFilter {
  const range = { startMs: wholeSecond(startMs), endMs: wholeSecond(endMs) };
  return { ...range, text: rangeText(range) };
}

const wholeSecond = (epochMs: number): number => Math.floor(epochMs / 1000) * 1000;

/** From when to when. */
export const rangeText = ({ startMs, endMs }: { startMs: number; endMs: number }): string => `${utcText(startMs)} – ${utcText(endMs)} UTC`;

/** `Last 24 hours`; `Last 1 month`, as "last month" would mean the calendar's. */
export const lastText = ({ amount, unit }: LastSpan): string => `Last ${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`;

/** A range that follows the clock, as it is at a moment. */
export const lastRangeOf = (last: LastSpan, nowMs: number): TimeRangeFilter => ({ ...spanAt(last, nowMs), text: lastText(last), last });

/** A range as it is at a moment: only one that follows the clock moves. */
export const rangeAt = (range: TimeRangeFilter, nowMs: number): TimeRangeFilter => (range.last ? lastRangeOf(range.last, nowMs) : range);

/** A range as this tab keeps it over a reload. */
export const storedTimeRange = z.object({
  startMs: z.number(),
  endMs: z.number(),
  text: z.string(),
  last: z.object({ amount: z.number(), unit: z.enum(spanUnits) }).optional(),
});
