import { firstAfter } from "#lib/time/sorted-times.ts";
import type { MapItem } from "./map-items.ts";
import type { ShownPath } from "./path-model.ts";

const hourMs = 3_600_000;

/** How long ago an item was last seen: below the warning hours, from the warning hours on, or from the error hours on. */
export type Staleness = "fresh" | "warning" | "error";

export interface StaleHours {
  readonly staleWarningHours: number;
  readonly staleErrorHours: number;
}

interface AgeInput extends StaleHours {
  /** The end of the search's time range; null without one. */
  readonly rangeEndMs: number | null;
  readonly newestMs: number | null;
  /** Counts only without a range and without rows. */
  readonly nowMs: number;
}

/**
 * The time that ages are measured against: the end of the time range. If there is none, or even the newest row is older than
 * that by more than the error hours (as in an archive or a finished season), it is the time of that row.
 */
export function ageEndMs({ rangeEndMs, newestMs, nowMs, staleErrorHours }: AgeInput): number {
  if (newestMs === null) return rangeEndMs ?? nowMs;
  return rangeEndMs === null || rangeEndMs - newestMs > staleErrorHours * hourMs ? newestMs : rangeEndMs;
}

/** Items without a time count as "error". */
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

/** When an item was last seen before `atMs`: by its path if that is loaded, otherwise by its last row, even if that is later. */
export function lastSeenMs(item: MapItem, path: ShownPath | undefined, atMs: number): number | null {
  const points = path?.points ?? null;
  if (points === null || item.timeMs === null || item.timeMs <= atMs) return item.timeMs;
  const { timeMs } = points;
  return timeMs[firstAfter(timeMs, atMs) - 1] ?? item.timeMs;
}

const codes: Readonly<Record<Staleness, number>> = { fresh: 0, warning: 1, error: 2 };

/** Input of `staleColors`, computed once and reused for every moment. */
export interface ItemTimes {
  readonly items: readonly MapItem[];
  /** When each item was last seen; NaN if unknown. */
  readonly timesMs: Float64Array;
  readonly indexById: ReadonlyMap<string, number>;
}

export const itemTimes = (items: readonly MapItem[]): ItemTimes => ({
  items,
  timesMs: Float64Array.from(items, ({ timeMs }) => timeMs ?? Number.NaN),
  indexById: new Map(items.map(({ id }, index) => [id, index])),
});

/** The staleness color of every item at a moment, encoded as `MapItems.colors`. */
export function staleColors(
  { items, timesMs, indexById }: ItemTimes,
  paths: ReadonlyMap<string, ShownPath>,
  atMs: number,
  hours: StaleHours,
): Uint8Array {
  const colors = new Uint8Array(timesMs.length);
  const [warningMs, errorMs] = [hours.staleWarningHours * 3_600_000, hours.staleErrorHours * 3_600_000];
  for (let index = 0; index < colors.length; index++) {
    const ageMs = atMs - (timesMs[index] ?? Number.NaN);
    // NaN compares false, so unknown times get the error color.
    colors[index] = ageMs < errorMs ? (ageMs < warningMs ? codes.fresh : codes.warning) : codes.error;
  }
  for (const [id, path] of paths) {
    const index = indexById.get(id);
    const item = index === undefined ? undefined : items[index];
    if (index === undefined || item === undefined || item.timeMs === null || item.timeMs <= atMs) continue;
    colors[index] = codes[stalenessOf(lastSeenMs(item, path, atMs), atMs, hours)];
  }
  return colors;
}
