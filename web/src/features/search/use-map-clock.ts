import { useEffect, useMemo, useState } from "react";
import type { TimeWindow } from "#parts/map-canvas/map-canvas.ts";
import type { MapItemList } from "#parts/map-results/map-items.ts";
import type { PathState } from "#parts/map-results/map-sessions.ts";
import { PlaybackClock } from "#parts/playback/clock.ts";
import { eventTimes } from "#parts/playback/event-times.ts";

const agesEveryMs = 500;

/** The clock of all items and paths, and what ages are measured against: its time while it is not at the end. */
export function useMapClock(
  list: MapItemList,
  paths: ReadonlyMap<string, PathState>,
  endTimeMs: number,
): { clock: PlaybackClock; endMs: number } {
  const domain = useMemo(() => domainOf(list, paths), [list, paths]);
  const [clock] = useState(() => new PlaybackClock(domain));
  useEffect(() => clock.setDomain(domain), [clock, domain]);
  useEffect(() => () => clock.destroy(), [clock]);
  const [atMs, setAtMs] = useState<number | null>(null);
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
export function useEventTimes({ items }: MapItemList, paths: ReadonlyMap<string, PathState>): Float64Array {
  return useMemo(() => {
    const lists: Float64Array[] = [];
    for (const state of paths.values()) if (state.phase === "visible") lists.push(state.points.timeMs.subarray(0, state.points.count));
    const last = items.filter(({ id }) => paths.get(id)?.phase !== "visible").map(({ timeMs }) => timeMs ?? Number.NaN);
    return eventTimes([...lists, Float64Array.from(last)]);
  }, [items, paths]);
}

/** From the first to the last time of everything that is loaded. */
function domainOf({ items }: MapItemList, paths: ReadonlyMap<string, PathState>): TimeWindow {
  let [fromMs, toMs] = [Infinity, -Infinity];
  const add = (timeMs: number) => {
    fromMs = Math.min(fromMs, timeMs);
    toMs = Math.max(toMs, timeMs);
  };
  for (const { timeMs } of items) if (timeMs !== null) add(timeMs);
  for (const state of paths.values()) {
    if (state.phase !== "visible" || state.points.count === 0) continue;
    add(state.points.timeMs[0] ?? 0);
    add(state.points.timeMs[state.points.count - 1] ?? 0);
  }
  return fromMs <= toMs ? { fromMs, toMs } : { fromMs: 0, toMs: 0 };
}
