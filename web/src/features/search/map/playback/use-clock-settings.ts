import { useEffect } from "react";
import { mapAddressDebounceMs } from "#features/search/map/frame/delays.ts";
import type { ClockSettings } from "#features/search/map/model/map-view-state.ts";
import { debounce } from "#lib/pacing/debounce.ts";
import type { PlaybackClock } from "./clock.ts";

/** Hands on the settings of a clock while it does not play: the time changes every frame then, and the address stores where it was left. */
export function useClockSettings(clock: PlaybackClock, onSettings: (settings: ClockSettings | null) => void): void {
  useEffect(() => {
    const debounced = debounce(mapAddressDebounceMs);
    const unsubscribe = clock.subscribe(() => {
      if (clock.state.isPlaying) debounced.cancel();
      else debounced.schedule(() => onSettings(clock.settings));
    });
    return () => {
      unsubscribe();
      debounced.flush();
    };
  }, [clock, onSettings]);
}
