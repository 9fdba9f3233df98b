import { firstAfter } from "#lib/sorted-times.ts";
import type { MapItem } from "./map-items.ts";
import type { PathState } from "./path-sessions.ts";

const hourMs = 3_600_000;

/** How long an item has not been heard of: below the warning hours, from there on, from the error hours on. */
export type Staleness = "fresh" | "warning" | "error";

export interface StaleHours {
  readonly staleWarningHours: number;
  readonly staleErrorHours: number;
}

interface Measured extends StaleHours {
  /** The end of the search's time range; null without one. */
  readonly rangeEndMs: number | null;
  readonly newestMs: number | null;
  readonly nowMs: number;
}

/**
 * What ages are measured against: the end of the range, else now; but where even the newest row is older than the error
 * hours, as in an archive, that row, as everything would be stale otherwise.
 */
export function ageEndMs({ rangeEndMs, newestMs, nowMs, staleErrorHours }: Measured): number {
  if (rangeEndMs !== null) return rangeEndMs;
  return newestMs !== null && nowMs - newestMs > staleErrorHours * hourMs ? newestMs : nowMs;
}

/** An item without a time is as stale as can be. */
export function stalenessOf(timeMs: number | null, endMs: number, { staleWarningHours, staleErrorHours }: StaleHours): Staleness {
  const ageMs = timeMs === null ? Infinity : endMs - timeMs;
  if (ageMs >= staleErrorHours * hourMs) return "error";
  return ageMs >= staleWarningHours * hourMs ? "warning" : "fresh";
}

/** `not yet seen`, `now`, `12 min ago`, `36 h ago`, `51 d ago`, `3 y ago`. */
export function ageText(timeMs: number | null, endMs: number): string {
  if (timeMs === null) return "no time";
  const minutes = Math.floor((endMs - timeMs) / 60_000);
  if (minutes < 0) return "not yet seen";
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 72) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days < 730 ? `${days.toLocaleString("en-US")} d ago` : `${Math.floor(days / 365.25)} y ago`;
}

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
