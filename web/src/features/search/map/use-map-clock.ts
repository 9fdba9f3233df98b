import { useEffect, useMemo, useState } from "react";
import type { TimeWindow } from "#features/search/map/canvas/map-canvas.ts";
import type { MapItemList } from "#features/search/map/model/map-items.ts";
import type { ClockPlace } from "#features/search/map/model/map-place.ts";
import type { PathState } from "#features/search/map/model/path-sessions.ts";
import { debounce } from "#lib/debounce.ts";
import { mapPlaceDebounceMs } from "./delays.ts";
import { PlaybackClock } from "#features/search/map/playback/clock.ts";
import { type EventTimes, sortedTimes, timesWithout } from "#features/search/map/playback/event-times.ts";

const agesEveryMs = 500;

/** The clock of all items and paths, and what ages are measured against: its time while it is not at the end. */
export function useMapClock(
  list: MapItemList,
  paths: ReadonlyMap<string, PathState>,
  endTimeMs: number,
  { place, onPlace }: { place: ClockPlace | null; onPlace: (place: ClockPlace | null) => void },
): { clock: PlaybackClock; endMs: number } {
  const domain = useDomain(list, paths);
  const [clock] = useState(() => new PlaybackClock(domain, { place }));
  useEffect(() => clock.setDomain(domain), [clock, domain]);
  useEffect(() => () => clock.destroy(), [clock]);
  // While it plays its time changes with each picture: what is said is where it was left.
  useEffect(() => {
    const debounced = debounce(mapPlaceDebounceMs);
    const stop = clock.subscribe(() => {
      if (clock.state.isPlaying) debounced.cancel();
      else debounced.schedule(() => onPlace(clock.place));
    });
    return () => {
      stop();
      debounced.flush();
    };
  }, [clock, onPlace]);
  const [atMs, setAtMs] = useState<number | null>(() => (clock.state.nowMs >= domain.toMs ? null : clock.state.nowMs));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const read = () => {
      timer = null;
      const { nowMs, domain: now } = clock.state;
      setAtMs(nowMs >= now.toMs ? null : nowMs);
    };
    const stop = clock.subscribe(() => {
      timer ??= setTimeout(read, agesEveryMs);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [clock]);
  return { clock, endMs: atMs ?? endTimeMs };
}

/** When something was seen: all points of loaded paths, and the last position of the items without one. */
export function useEventTimes({ items, byId }: MapItemList, paths: ReadonlyMap<string, PathState>): EventTimes {
  const last = useMemo(() => sortedTimes(Float64Array.from(items, ({ timeMs }) => timeMs ?? Number.NaN)), [items]);
  return useMemo(() => {
    const visible = [...paths].flatMap(([id, { points }]) => (points ? [{ item: byId.get(id), points }] : []));
    const ofPaths = sortedTimes(Float64Array.from(visible, ({ item }) => item?.timeMs ?? Number.NaN));
    return [timesWithout(last, ofPaths), ...visible.map(({ points }) => points.timeMs.subarray(0, points.count))];
  }, [last, byId, paths]);
}

/** From the first to the last time of everything that is loaded. */
function useDomain({ items }: MapItemList, paths: ReadonlyMap<string, PathState>): TimeWindow {
  const ofItems = useMemo(() => {
    let [fromMs, toMs] = [Infinity, -Infinity];
    for (const { timeMs } of items) {
      if (timeMs === null) continue;
      if (timeMs < fromMs) fromMs = timeMs;
      if (timeMs > toMs) toMs = timeMs;
    }
    return { fromMs, toMs };
  }, [items]);
  let { fromMs, toMs } = ofItems;
  for (const { points } of paths.values()) {
    if (points === null || points.count === 0) continue;
    fromMs = Math.min(fromMs, points.timeMs[0] ?? 0);
    toMs = Math.max(toMs, points.timeMs[points.count - 1] ?? 0);
  }
  if (fromMs > toMs) [fromMs, toMs] = [0, 0];
  return useMemo(() => ({ fromMs, toMs }), [fromMs, toMs]);
}
