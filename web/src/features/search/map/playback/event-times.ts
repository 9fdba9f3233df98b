import type { TimeBucket } from "@fairway/contract/distributions";
import type { TimeWindow } from "#features/search/map/canvas/map-canvas.ts";
import { firstAfter, firstNotBefore } from "#lib/time/sorted-times.ts";

/** Times of events, as several sorted lists (items, each path). They stay separate so that adding a list is cheap. */
export type EventTimes = readonly Float64Array[];

/** Sorted, without NaN and infinite values. */
export function sortedTimes(times: Float64Array): Float64Array {
  return times.filter(Number.isFinite).sort();
}

/** The sorted times without one occurrence of each excluded time. Both lists are sorted. */
export function timesWithout(times: Float64Array, excluded: Float64Array): Float64Array {
  const remaining = new Float64Array(times.length);
  let [count, next] = [0, 0];
  for (let index = 0; index < times.length; index++) {
    const timeMs = times[index] ?? 0;
    while (next < excluded.length && (excluded[next] ?? 0) < timeMs) next += 1;
    if (next < excluded.length && excluded[next] === timeMs) next += 1;
    else remaining[count++] = timeMs;
  }
  return remaining.subarray(0, count);
}

/** The first time after this one, if any. */
export function timeAfter(times: EventTimes, timeMs: number): number | undefined {
  const candidates = times.map((list) => list[firstAfter(list, timeMs)] ?? Infinity);
  const next = Math.min(...candidates);
  return next === Infinity ? undefined : next;
}

/** The last time before this one, if any. */
export function timeBefore(times: EventTimes, timeMs: number): number | undefined {
  const candidates = times.map((list) => list[firstNotBefore(list, timeMs) - 1] ?? -Infinity);
  const last = Math.max(...candidates);
  return last === -Infinity ? undefined : last;
}

/** Counts the times in equal bins of the window. The end belongs to the last bin. */
export function histogram(times: EventTimes, { fromMs, toMs }: TimeWindow, bins: number): Uint32Array {
  const counts = new Uint32Array(bins);
  for (const list of times) {
    let before = firstNotBefore(list, fromMs);
    const last = firstAfter(list, toMs);
    for (let bin = 0; bin < bins && before < last; bin++) {
      const end = bin === bins - 1 ? last : firstNotBefore(list, fromMs + ((toMs - fromMs) * (bin + 1)) / bins, before, last);
      counts[bin] = (counts[bin] ?? 0) + end - before;
      before = end;
    }
  }
  return counts;
}

/**
 * SVG path data of bars, one unit high and one unit wide per count. Bars have a minimum height, so that single events
 * stay visible.
 */
export function barsPath(counts: Uint32Array): string {
  const max = counts.reduce((highest, count) => Math.max(highest, count), 0);
  let path = "";
  for (const [bin, count] of counts.entries()) {
    if (count === 0) continue;
    const height = Math.max(0.08, count / max);
    path += `M${bin + 0.1} 1V${(1 - height).toFixed(3)}H${bin + 0.9}V1Z`;
  }
  return path;
}

/** The same for buckets of time, as wide as they are long. Those beyond the axis lie beyond `width`. */
export function bucketsPath(buckets: readonly TimeBucket[], { fromMs, toMs }: TimeWindow, width: number): string {
  const max = buckets.reduce((highest, { rows }) => Math.max(highest, rows), 0);
  const place = (timeMs: number) => ((timeMs - fromMs) / Math.max(1, toMs - fromMs)) * width;
  let path = "";
  for (const { startMs, endMs, rows } of buckets) {
    if (rows === 0) continue;
    const [left, right] = [place(startMs), place(endMs)];
    const gap = (right - left) * 0.05;
    path += `M${(left + gap).toFixed(2)} 1V${(1 - Math.max(0.08, rows / max)).toFixed(3)}H${(right - gap).toFixed(2)}V1Z`;
  }
  return path;
}
