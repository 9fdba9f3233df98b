import { useSyncExternalStore } from "react";
import type { PlaybackClock, PlaybackState } from "./clock.ts";

/** Subscribes to one field of the clock's state, so that unrelated changes per frame do not re-render. */
export function useClock<Field extends keyof PlaybackState>(clock: PlaybackClock, field: Field): PlaybackState[Field] {
  return useSyncExternalStore(clock.subscribe, () => clock.state[field]);
}
