import { firstAfter } from "#parts/playback/clock.ts";
import type { MapItem } from "./map-items.ts";
import type { PathState } from "./map-sessions.ts";
import { type StaleHours, type Staleness, stalenessOf } from "./stale-age.ts";

/** When an item was last seen at a moment: by its path where that is there, else by its last row, also where that lies later. */
export function lastSeenMs(item: MapItem, path: PathState | undefined, atMs: number): number | null {
  if (path?.phase !== "visible" || item.timeMs === null || item.timeMs <= atMs) return item.timeMs;
  const { timeMs } = path.points;
  return timeMs[firstAfter(timeMs, atMs) - 1] ?? item.timeMs;
}

const codes: Readonly<Record<Staleness, number>> = { fresh: 0, warning: 1, error: 2 };

/** The colours of all items at a moment, as the map takes them. */
export function staleColours(
  items: readonly MapItem[],
  paths: ReadonlyMap<string, PathState>,
  atMs: number,
  hours: StaleHours,
): Uint8Array {
  return Uint8Array.from(items, (item) => codes[stalenessOf(lastSeenMs(item, paths.get(item.id), atMs), atMs, hours)]);
}
