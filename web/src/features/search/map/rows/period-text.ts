import type { BucketUnit, TimeBucket } from "@fairway/contract/distributions";
import { utcText } from "@fairway/contract/utc-texts";
import type { Steps } from "./grid-frames.ts";

const months = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", month: "short", year: "numeric" });

/** The shown steps, such as "2005 to 2008". Steps are those of the calendar of UTC. */
export function periodText(buckets: readonly TimeBucket[], unit: BucketUnit, { from, to }: Steps): string {
  const [startMs, endMs] = [buckets[from]?.startMs, buckets[to - 1]?.endMs];
  if (startMs === undefined || endMs === undefined) return "";
  if (unit === "hour" || unit === "minute") return `${momentText(startMs)} to ${momentText(endMs)} UTC`;
  const [first, last] = [dateText(startMs, unit), dateText(endMs - 1, unit)];
  return first === last ? first : `${first} to ${last}`;
}

const momentText = (timeMs: number): string => (utcText(timeMs) ?? "").replace(/:\d\d /, " ");

function dateText(timeMs: number, unit: BucketUnit): string {
  if (unit === "year") return String(new Date(timeMs).getUTCFullYear());
  if (unit === "month") return months.format(timeMs);
  return (utcText(timeMs) ?? "").split(",", 1)[0] ?? "";
}
