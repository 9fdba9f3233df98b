import { utcText } from "#lib/dates.ts";
import type { TimeRangeFilter } from "#parts/open-searches/search-record.ts";

/** A range with its summary. Milliseconds are zeroed. */
export function timeRangeOf(startMs: number, endMs: number): TimeRangeFilter {
  const start = wholeSecond(startMs);
  const end = wholeSecond(endMs);
  return { startMs: start, endMs: end, text: `${utcText(start)} – ${utcText(end)} UTC` };
}

const wholeSecond = (epochMs: number): number => Math.floor(epochMs / 1000) * 1000;
