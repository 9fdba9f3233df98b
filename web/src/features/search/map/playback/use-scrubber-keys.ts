import type { KeyboardEvent } from "react";
import type { PlaybackClock } from "./clock.ts";
import { pressed } from "#ui/shortcut-keys.ts";
import type { EventTimes } from "./event-times.ts";

/** Keyboard support of the time slider: standard slider keys plus player shortcuts. */
export function useScrubberKeys(clock: PlaybackClock, times: EventTimes): (event: KeyboardEvent) => void {
  const move = (share: number) => {
    const { nowMs, axis } = clock.state;
    clock.seek(nowMs + share * (axis.toMs - axis.fromMs));
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => move(0.01),
    ArrowUp: () => move(0.01),
    ArrowLeft: () => move(-0.01),
    ArrowDown: () => move(-0.01),
    PageUp: () => move(0.1),
    PageDown: () => move(-0.1),
    Home: () => clock.seek(clock.state.domain.fromMs),
    End: () => clock.seek(clock.state.domain.toMs),
  };
  const shortcut = (event: KeyboardEvent): (() => void) | undefined => {
    const stepped = pressed(event, "playback.step");
    if (stepped) return () => clock.step(stepped === "Shift+ArrowRight" ? 1 : -1, times);
    const zoomed = pressed(event, "map.zoom");
    if (zoomed) return () => clock.zoomAxis(zoomed === "-" ? 0.5 : 2, clock.state.nowMs);
    if (pressed(event, "playback.play")) return () => (clock.state.isPlaying ? clock.pause() : clock.play());
    return pressed(event, "playback.whole") ? () => clock.setAxis(clock.state.domain) : undefined;
  };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = shortcut(event) ?? keys[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
}
