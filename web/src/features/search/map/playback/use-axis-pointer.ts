import { type RefObject, useEffect } from "react";
import type { PlaybackClock } from "./clock.ts";

/** Seeks on pointer down, pauses playback while dragging, and zooms about the pointer by wheel. */
export function useAxisPointer(clock: PlaybackClock, axis: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = axis.current;
    if (!element) return undefined;
    const listeners = new AbortController();
    let resumes: boolean | null = null;
    const timeAt = ({ clientX }: MouseEvent) => {
      const { left, width } = element.getBoundingClientRect();
      const { fromMs, toMs } = clock.state.axis;
      return fromMs + ((clientX - left) / Math.max(1, width)) * (toMs - fromMs);
    };
    const release = () => {
      if (resumes === true) clock.play();
      resumes = null;
    };
    const listen = <Name extends "pointerdown" | "pointermove" | "pointerup" | "pointercancel" | "wheel">(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
    ) => element.addEventListener(name, listener, { signal: listeners.signal, passive: false });
    listen("pointerdown", (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      resumes = clock.state.isPlaying;
      clock.pause();
      clock.seek(timeAt(event));
    });
    listen("pointermove", (event) => {
      if (resumes !== null) clock.seek(timeAt(event));
    });
    listen("pointerup", release);
    listen("pointercancel", release);
    listen("wheel", (event) => {
      event.preventDefault();
      const { axis: shown } = clock.state;
      if (event.deltaX !== 0 && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const offsetMs = (event.deltaX / Math.max(1, element.clientWidth)) * (shown.toMs - shown.fromMs);
        clock.setAxis({ fromMs: shown.fromMs + offsetMs, toMs: shown.toMs + offsetMs });
      } else clock.zoomAxis(2 ** (-event.deltaY / 300), timeAt(event));
    });
    return () => listeners.abort();
  }, [clock, axis]);
}
