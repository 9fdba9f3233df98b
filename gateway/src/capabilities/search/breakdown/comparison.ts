import type { TimeRange } from "@fairway/contract/search";
import { instantOf, localOf, monthOf, movedByMonths } from "#query/sql/breakdown/calendar.ts";

/** Epoch milliseconds, both inclusive. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

const dayMs = 86_400_000;

/**
 * The period before another one, or a year before it. Whole months in the zone are as many months, May against April; whole days are as
 * many days; everything else is as long.
 */
export function comparedPeriod({ startMs, endMs }: Period, to: "before" | "year-before", zone: string): Period {
  const afterMs = endMs + restMs(endMs);
  const tailMs = afterMs - endMs;
  if (to === "year-before") return { startMs: movedByMonths(startMs, -12, zone), endMs: movedByMonths(afterMs, -12, zone) - tailMs };
  const [start, after] = [monthOf(startMs, zone), monthOf(afterMs, zone)];
  if (start !== undefined && after !== undefined && after > start) {
    return { startMs: movedByMonths(startMs, start - after, zone), endMs: startMs - tailMs };
  }
  const [localStart, localAfter] = [localOf(startMs, zone), localOf(afterMs, zone)];
  if (localStart % dayMs === 0 && localAfter % dayMs === 0 && localAfter > localStart) {
    return { startMs: instantOf(2 * localStart - localAfter, zone), endMs: startMs - tailMs };
  }
  const before = startMs - Math.max(1, tailMs);
  return { startMs: before - (endMs - startMs), endMs: before };
}

/** 23:59:59 stands for the moment before midnight, as the last millisecond of a second does. */
function restMs(endMs: number): number {
  if (((endMs % 1_000) + 1_000) % 1_000 === 999) return 1;
  return ((endMs % 60_000) + 60_000) % 60_000 === 59_000 ? 1_000 : 0;
}

/** Without milliseconds where there are none. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString().replace(".000Z", "Z");

export const isoRange = ({ startMs, endMs }: Period): TimeRange => ({ start: isoTime(startMs), end: isoTime(endMs) });
