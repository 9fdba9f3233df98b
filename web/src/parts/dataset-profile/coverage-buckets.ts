import type { Coverage, CoverageUnit } from "@fairway/contract/dataset-profiles";
import { monthNames, utcText } from "@fairway/contract/utc-texts";

export interface CoverageBar {
  readonly startMs: number;
  readonly rows: number;
  readonly label: string;
}

/** Beyond this, units without rows are left out. */
const maxBars = 250;

const monthsOf = { month: 1, year: 12, decade: 120, century: 1_200 } as const;

/** The bars from the first to the last unit, including units without rows. */
export function coverageBars({ unit, buckets }: Coverage): CoverageBar[] {
  const rows = new Map(buckets.map((bucket) => [bucket.startMs, bucket.rows]));
  const [first, last] = [buckets[0]?.startMs, buckets.at(-1)?.startMs];
  const starts: number[] = [];
  if (first !== undefined && last !== undefined) {
    for (let ms = first; ms <= last && starts.length <= maxBars; ms = nextStart(ms, unit)) starts.push(ms);
  }
  const shown = starts.length > maxBars || starts.length < buckets.length ? buckets.map(({ startMs }) => startMs) : starts;
  return shown.map((startMs) => ({ startMs, rows: rows.get(startMs) ?? 0, label: unitLabel(startMs, unit) }));
}

function nextStart(ms: number, unit: CoverageUnit): number {
  const date = new Date(ms);
  if (unit === "day") date.setUTCDate(date.getUTCDate() + 1);
  else date.setUTCMonth(date.getUTCMonth() + monthsOf[unit]);
  return date.getTime();
}

/** `03/05/2018`, `Mar 2018`, `2018`, `2010s`, `2001–2100`. */
function unitLabel(startMs: number, unit: CoverageUnit): string {
  const date = new Date(startMs);
  const year = date.getUTCFullYear();
  switch (unit) {
    case "day":
      return dateText(startMs);
    case "month":
      return `${monthNames[date.getUTCMonth()]} ${year}`;
    case "year":
      return String(year);
    case "decade":
      return `${year}s`;
    case "century":
      return `${year}–${year + 99}`;
    default:
      return unit satisfies never;
  }
}

/** MM/DD/YYYY in UTC. */
export const dateText = (epochMs: number): string => utcText(epochMs)?.split(",")[0] ?? String(epochMs);
