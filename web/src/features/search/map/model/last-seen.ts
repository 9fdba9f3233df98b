import { firstAfter } from "#lib/sorted-times.ts";
import type { MapItem } from "./map-items.ts";
import type { PathState } from "./path-sessions.ts";
import { type StaleHours, type Staleness, stalenessOf } from "./stale-age.ts";

/** When an item was last seen at a moment: by its path where that is there, else by its last row, also where that lies later. */
export function lastSeenMs(item: MapItem, path: PathState | undefined, atMs: number): number | null {
  const points = path?.points ?? null;
  if (points === null || item.timeMs === null || item.timeMs <= atMs) return item.timeMs;
  const { timeMs } = points;
  return timeMs[firstAfter(timeMs, atMs) - 1] ?? item.timeMs;
}

const codes: Readonly<Record<Staleness, number>> = { fresh: 0, warning: 1, error: 2 };

/** What the colours of items are told by, worked out once for all moments. */
export interface ItemTimes {
  readonly items: readonly MapItem[];
  /** When each was last seen; NaN: not known. */
  readonly timesMs: Float64Array;
  readonly indexById: ReadonlyMap<string, number>;
}

export const itemTimes = (items: readonly MapItem[]): ItemTimes => ({
  items,
  timesMs: Float64Array.from(items, ({ timeMs }) => timeMs ?? Number.NaN),
  indexById: new Map(items.map(({ id }, index) => [id, index])),
});

/** The colours of all items at a moment, as the map takes them. */
export function staleColours(
  { items, timesMs, indexById }: ItemTimes,
  paths: ReadonlyMap<string, PathState>,
  atMs: number,
  hours: StaleHours,
): Uint8Array {
  const colours = new Uint8Array(timesMs.length);
  const [warningMs, errorMs] = [hours.staleWarningHours * 3_600_000, hours.staleErrorHours * 3_600_000];
  for (let index = 0; index < colours.length; index++) {
    const ageMs = atMs - (timesMs[index] ?? Number.NaN);
    // False where the time is not known.
    colours[index] = ageMs < errorMs ? (ageMs < warningMs ? codes.fresh : codes.warning) : codes.error;
  }
  for (const [id, path] of paths) {
    const index = indexById.get(id);
    const item = index === undefined ? undefined : items[index];
    if (index === undefined || item === undefined || item.timeMs === null || item.timeMs <= atMs) continue;
    colours[index] = codes[stalenessOf(lastSeenMs(item, path, atMs), atMs, hours)];
  }
  return colours;
}
