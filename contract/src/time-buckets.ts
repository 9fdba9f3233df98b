import { type BucketUnit, type TimeBucket, type TimeDistribution, maxTimeBuckets } from "./distributions.ts";

/** Calendar units of UTC. */
export interface BucketSize {
  readonly unit: BucketUnit;
  readonly size: number;
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Exact up to weeks; months and years have about this length. */
const unitMs: Readonly<Record<BucketUnit, number>> = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
  month: 30.436875 * dayMs,
  year: 365.2425 * dayMs,
};

/** The first Monday of 1970, from which weeks are counted. */
const firstMondayMs = 4 * dayMs;

/** Ascending; each is less than three times as long as the one before. */
const sizes: readonly BucketSize[] = (
  [
    ["minute", [1, 2, 5, 10, 15, 30]],
    ["hour", [1, 2, 3, 6, 12]],
    ["day", [1, 2, 3]],
    ["week", [1, 2]],
    ["month", [1, 2, 3, 6]],
    ["year", [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000]],
  ] as const
).flatMap(([unit, list]) => list.map((size) => ({ unit, size })));

/** Whether buckets of time have this size. */
export const isBucketSize = ({ unit, size }: BucketSize): boolean => sizes.some((one) => one.unit === unit && one.size === size);

/** About the length of a bucket. */
export const bucketMs = ({ unit, size }: BucketSize): number => unitMs[unit] * size;

/** The smallest size, at least `minMs` long, that covers times from `firstMs` to `lastMs` with at most `maxBuckets` buckets. */
export function bucketSizeFor(firstMs: number, lastMs: number, minMs = 0, maxBuckets = maxTimeBuckets): BucketSize {
  const largest: BucketSize = { unit: "year", size: 5_000 };
  return sizes.find((size) => bucketMs(size) >= minMs && (lastMs - firstMs) / bucketMs(size) < maxBuckets - 2) ?? largest;
}

/** Fewer times may have a common interval by chance. */
const minRegularTimes = 8;

/** The interval between times that come at regular intervals, such as every day at midnight: finer buckets would be a comb. */
export function intervalOf(times: readonly number[]): number {
  const interval = times.reduce((common, time) => greatestCommonDivisor(common, time), 0);
  return times.length >= minRegularTimes || interval % dayMs === 0 ? interval : 0;
}

/** Start of the bucket that contains a time. */
export function bucketStart(epochMs: number, { unit, size }: BucketSize): number {
  if (unit === "month" || unit === "year") {
    const date = new Date(epochMs);
    const months = unit === "year" ? 12 * size : size;
    const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
    return monthStart(month - modulo(month, months));
  }
  const originMs = unit === "week" ? firstMondayMs : 0;
  return epochMs - modulo(epochMs - originMs, unitMs[unit] * size);
}

/** Start of the bucket after the one that starts at a time. */
export function nextBucketStart(startMs: number, { unit, size }: BucketSize): number {
  if (unit !== "month" && unit !== "year") return startMs + unitMs[unit] * size;
  const date = new Date(startMs);
  return monthStart(date.getUTCFullYear() * 12 + date.getUTCMonth() + (unit === "year" ? 12 * size : size));
}

/** Adds up counts of finer buckets. */
export function fillBuckets(
  counts: readonly { readonly startMs: number; readonly rows: number }[],
  size: BucketSize,
): Omit<TimeDistribution, "newestMs"> {
  const rowsByStart = new Map<number, number>();
  for (const { startMs, rows } of counts) {
    const start = bucketStart(startMs, size);
    rowsByStart.set(start, (rowsByStart.get(start) ?? 0) + rows);
  }
  const starts = [...rowsByStart.keys()];
  const lastMs = starts.reduce((last, start) => Math.max(last, start), -Infinity);
  const buckets: TimeBucket[] = [];
  for (let startMs = starts.reduce((first, start) => Math.min(first, start), Infinity); startMs <= lastMs;) {
    const endMs = nextBucketStart(startMs, size);
    buckets.push({ startMs, endMs, rows: rowsByStart.get(startMs) ?? 0 });
    startMs = endMs;
  }
  return { ...size, buckets };
}

/** Not Date.UTC(year, …): it reads the years 0 to 99 as 1900 to 1999. */
function monthStart(months: number): number {
  const month = modulo(months, 12);
  return new Date(0).setUTCFullYear((months - month) / 12, month, 1);
}

function greatestCommonDivisor(one: number, other: number): number {
  let [larger, smaller] = [Math.abs(one), Math.abs(other)];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;
