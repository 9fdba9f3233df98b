import dayjs from "dayjs";
import utc from "dayjs/plugin/utc.js";
import type { TimeRangeFilter } from "#parts/open-searches/search-record.ts";

dayjs.extend(utc);

/** MM/DD/YYYY, hh:mm:ss A in UTC. The zone is said once per screen, not in the text. */
export const timeText = (epochMs: number): string => dayjs.utc(epochMs).format("MM/DD/YYYY, hh:mm:ss A");

/** A range with its summary. Milliseconds are zeroed. */
export function timeRangeOf(startMs: number, endMs: number): TimeRangeFilter {
  const start = wholeSecond(startMs);
  const end = wholeSecond(endMs);
  return { startMs: start, endMs: end, text: `${timeText(start)} – ${timeText(end)} UTC` };
}

export const wholeSecond = (epochMs: number): number => Math.floor(epochMs / 1000) * 1000;
