import type { KeyboardEvent } from "react";
import type { PlaybackClock } from "./clock.ts";
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
    "Shift+ArrowRight": () => clock.step(1, times),
    "Shift+ArrowLeft": () => clock.step(-1, times),
    PageUp: () => move(0.1),
    PageDown: () => move(-0.1),
    Home: () => clock.seek(clock.state.domain.fromMs),
    End: () => clock.seek(clock.state.domain.toMs),
    " ": () => (clock.state.isPlaying ? clock.pause() : clock.play()),
    "+": () => clock.zoomAxis(2, clock.state.nowMs),
    "=": () => clock.zoomAxis(2, clock.state.nowMs),
    "-": () => clock.zoomAxis(0.5, clock.state.nowMs),
    "0": () => clock.setAxis(clock.state.domain),
  };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keys[event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
}
