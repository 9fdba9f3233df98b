import { useEffect, useState } from "react";
import type { PlaybackClock } from "#features/search/map/playback/clock.ts";
import { isAtEnd } from "./rows-clock.ts";

/** How often list, counts and legend follow a running playback. */
const followMs = 250;

/** The time of the clock for what follows it more slowly; null at the end. */
export function useFollowedTime(clock: PlaybackClock): number | null {
  const [atMs, setAtMs] = useState<number | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      clearTimeout(timer);
      timer = undefined;
      setAtMs(isAtEnd(clock) ? null : clock.state.nowMs);
    };
    read();
    const unsubscribe = clock.subscribe(() => {
      if (clock.state.isPlaying) timer ??= setTimeout(read, followMs);
      else read();
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [clock]);
  return atMs;
}
