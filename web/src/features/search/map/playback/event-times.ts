import type { TimeWindow } from "#features/search/map/canvas/map-canvas.ts";
import { firstAfter, firstNotBefore } from "#lib/sorted-times.ts";

/** When something happened: lists that are sorted each, as of items and of paths. They stay apart, so that one more costs little. */
export type EventTimes = readonly Float64Array[];

/** In order, without what is no time. */
export function sortedTimes(times: Float64Array): Float64Array {
  return times.filter(Number.isFinite).sort();
}

/** The sorted times but for one of each of these, which are sorted too. */
export function timesWithout(times: Float64Array, left: Float64Array): Float64Array {
  const kept = new Float64Array(times.length);
  let [count, next] = [0, 0];
  for (let index = 0; index < times.length; index++) {
    const timeMs = times[index] ?? 0;
    while (next < left.length && (left[next] ?? 0) < timeMs) next += 1;
    if (next < left.length && left[next] === timeMs) next += 1;
    else kept[count++] = timeMs;
  }
  return kept.subarray(0, count);
}

/** The first time after this one; undefined: there is none. */
export function timeAfter(times: EventTimes, timeMs: number): number | undefined {
  const found = times.map((list) => list[firstAfter(list, timeMs)] ?? Infinity);
  const next = Math.min(...found);
  return next === Infinity ? undefined : next;
}

/** The last time before this one; undefined: there is none. */
export function timeBefore(times: EventTimes, timeMs: number): number | undefined {
  const found = times.map((list) => list[firstNotBefore(list, timeMs) - 1] ?? -Infinity);
  const last = Math.max(...found);
  return last === -Infinity ? undefined : last;
}

/** How many of the times are in each of so many equal parts of the window, whose end is part of the last one. */
export function histogram(times: EventTimes, { fromMs, toMs }: TimeWindow, parts: number): Uint32Array {
  const counts = new Uint32Array(parts);
  for (const list of times) {
    let before = firstNotBefore(list, fromMs);
    const last = firstAfter(list, toMs);
    for (let part = 0; part < parts && before < last; part++) {
      const end = part === parts - 1 ? last : firstNotBefore(list, fromMs + ((toMs - fromMs) * (part + 1)) / parts, before, last);
      counts[part] = (counts[part] ?? 0) + end - before;
      before = end;
    }
  }
  return counts;
}

/** Bars of a drawing one unit high and as many wide as there are counts, as the path of an SVG. A single event can still be seen beside many. */
export function barsPath(counts: Uint32Array): string {
  const most = counts.reduce((largest, count) => Math.max(largest, count), 0);
  let path = "";
  for (const [part, count] of counts.entries()) {
    if (count === 0) continue;
    const height = Math.max(0.08, count / most);
    path += `M${part + 0.1} 1V${(1 - height).toFixed(3)}H${part + 0.9}V1Z`;
  }
  return path;
}
