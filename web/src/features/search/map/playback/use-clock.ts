import { useSyncExternalStore } from "react";
import type { PlaybackClock, PlaybackState } from "./clock.ts";

/** One field of the clock's state: what does not change with every frame draws nothing anew with every frame. */
export function useClock<Field extends keyof PlaybackState>(clock: PlaybackClock, field: Field): PlaybackState[Field] {
  return useSyncExternalStore(clock.subscribe, () => clock.state[field]);
}
