import type { TimeWindow } from "#parts/map-canvas/map-canvas.ts";
import { firstAfter, firstNotBefore } from "./clock.ts";

/** The times of all these lists in order, as the scrubber takes them; what is no time is left out. */
export function eventTimes(lists: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let count = 0;
  for (const list of lists) {
    for (let index = 0; index < list.length; index++) {
      const timeMs = list[index] ?? Number.NaN;
      if (Number.isFinite(timeMs)) all[count++] = timeMs;
    }
  }
  return all.subarray(0, count).sort();
}

/** How many of the sorted times are in each of so many equal parts of the window, whose end is part of the last one. */
export function histogram(times: Float64Array, { fromMs, toMs }: TimeWindow, parts: number): Uint32Array {
  const counts = new Uint32Array(parts);
  let before = firstNotBefore(times, fromMs);
  for (let part = 0; part < parts; part++) {
    const end = part === parts - 1 ? firstAfter(times, toMs) : firstNotBefore(times, fromMs + ((toMs - fromMs) * (part + 1)) / parts);
    counts[part] = end - before;
    before = end;
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
