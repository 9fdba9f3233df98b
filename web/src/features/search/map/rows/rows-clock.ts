import type { TimeWindow } from "#features/search/map/canvas/map-canvas.ts";
import type { ClockSettings } from "#features/search/map/model/map-view-state.ts";
import { PlaybackClock } from "#features/search/map/playback/clock.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { GridFrames } from "./grid-frames.ts";

/** Stands for a time that nothing is known of before the first call. */
const unknownDomain: TimeWindow = { fromMs: 0, toMs: 1 };

interface RowsClock {
  readonly clock: PlaybackClock;
  /** The domain of a clock whose time is not known before the first call; null if it is. */
  readonly guessed: TimeWindow | null;
}

/** A clock over the times of the rows, at its end unless `settings` say otherwise. */
export function rowsClock({ filters, datasetDescription: { timeExtent } }: SearchRecord, settings: ClockSettings | null): RowsClock {
  const [atMs = null] = settings ?? [];
  const { startMs, endMs } = filters.timeRange ?? { startMs: null, endMs: null };
  if (timeExtent !== null) {
    const fromMs = Math.max(timeExtent.startMs, startMs ?? timeExtent.startMs);
    const lastMs = Math.min(timeExtent.endMs, endMs ?? timeExtent.endMs);
    // Rows may have come since the extent was computed, and the end shows all of them.
    const toMs = Math.max(lastMs, (atMs ?? lastMs - 1) + 1);
    if (fromMs < lastMs) return { clock: new PlaybackClock({ fromMs, toMs }, { settings }), guessed: null };
  }
  const guessed = atMs === null ? unknownDomain : { fromMs: atMs - 1, toMs: atMs + 1 };
  return { clock: new PlaybackClock(guessed, { settings }), guessed };
}

/** Everything is shown there. */
export const isAtEnd = ({ state: { nowMs, domain } }: PlaybackClock): boolean => nowMs >= domain.toMs;

/** From the first to the last step, at the time where the clock was. */
export function setKnownDomain(clock: PlaybackClock, { buckets }: GridFrames): void {
  const { nowMs, domain } = clock.state;
  const [fromMs, toMs] = [buckets[0]?.startMs ?? 0, buckets.at(-1)?.endMs ?? 0];
  const share = (nowMs - domain.fromMs) / (domain.toMs - domain.fromMs);
  clock.setDomain({ fromMs, toMs });
  if (share < 1 && (share === 0 || domain === unknownDomain)) clock.seek(fromMs + share * (toMs - fromMs));
}
