import { useEffect, useMemo, useState } from "react";
import type { TimeWindow } from "#features/search/map/canvas/map-canvas.ts";
import type { MapItemList } from "#features/search/map/model/map-items.ts";
import type { ClockSettings } from "#features/search/map/model/map-view-state.ts";
import type { ShownPath } from "#features/search/map/model/path-model.ts";
import { PlaybackClock } from "#features/search/map/playback/clock.ts";
import { type EventTimes, sortedTimes, timesWithout } from "#features/search/map/playback/event-times.ts";
import { useClockSettings } from "#features/search/map/playback/use-clock-settings.ts";

const ageIntervalMs = 500;

/** The clock of all items and paths, and the time that ages are measured against: the clock's time unless it is at the end. */
export function useMapClock(
  list: MapItemList,
  paths: ReadonlyMap<string, ShownPath>,
  endTimeMs: number,
  { settings, onSettings }: { settings: ClockSettings | null; onSettings: (settings: ClockSettings | null) => void },
): { clock: PlaybackClock; endMs: number; isAtEnd: boolean } {
  const domain = useDomain(list, paths);
  const [clock] = useState(() => new PlaybackClock(domain, { settings }));
  useEffect(() => clock.setDomain(domain), [clock, domain]);
  useEffect(() => () => clock.destroy(), [clock]);
  useClockSettings(clock, onSettings);
  const [atMs, setAtMs] = useState<number | null>(() => (clock.state.nowMs >= domain.toMs ? null : clock.state.nowMs));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const read = () => {
      timer = null;
      const { nowMs, domain: currentDomain } = clock.state;
      setAtMs(nowMs >= currentDomain.toMs ? null : nowMs);
    };
    const unsubscribe = clock.subscribe(() => {
      timer ??= setTimeout(read, ageIntervalMs);
    });
    return () => {
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    };
  }, [clock]);
  return { clock, endMs: atMs ?? endTimeMs, isAtEnd: atMs === null };
}

/** Times of events: all points of loaded paths, and the last position of items without a path. */
export function useEventTimes({ items, byId }: MapItemList, paths: ReadonlyMap<string, ShownPath>): EventTimes {
  const itemTimes = useMemo(() => sortedTimes(Float64Array.from(items, ({ timeMs }) => timeMs ?? Number.NaN)), [items]);
  return useMemo(() => {
    const visible = [...paths].flatMap(([id, { points }]) => (points ? [{ item: byId.get(id), points }] : []));
    const excludedTimes = sortedTimes(Float64Array.from(visible, ({ item }) => item?.timeMs ?? Number.NaN));
    return [timesWithout(itemTimes, excludedTimes), ...visible.map(({ points }) => points.timeMs.subarray(0, points.count))];
  }, [itemTimes, byId, paths]);
}

/** From the first to the last time of all loaded data. */
function useDomain({ items }: MapItemList, paths: ReadonlyMap<string, ShownPath>): TimeWindow {
  const itemsDomain = useMemo(() => {
    let [fromMs, toMs] = [Infinity, -Infinity];
    for (const { timeMs } of items) {
      if (timeMs === null) continue;
      if (timeMs < fromMs) fromMs = timeMs;
      if (timeMs > toMs) toMs = timeMs;
    }
    return { fromMs, toMs };
  }, [items]);
  let { fromMs, toMs } = itemsDomain;
  for (const { points } of paths.values()) {
    if (points === null || points.count === 0) continue;
    fromMs = Math.min(fromMs, points.timeMs[0] ?? 0);
    toMs = Math.max(toMs, points.timeMs[points.count - 1] ?? 0);
  }
  if (fromMs > toMs) [fromMs, toMs] = [0, 0];
  return useMemo(() => ({ fromMs, toMs }), [fromMs, toMs]);
}
