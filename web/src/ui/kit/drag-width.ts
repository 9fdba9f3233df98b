import type { PointerEvent } from "react";

/** Resizes a column while the pointer that presses its edge moves: reports the width of each place, in pixels. */
export function dragWidth({ currentTarget, clientX, pointerId }: PointerEvent, widthPx: number, onWidth: (px: number) => void): void {
  const drag = (event: Event) => {
    if (event instanceof globalThis.PointerEvent) onWidth(widthPx + event.clientX - clientX);
  };
  const end = () => {
    currentTarget.removeEventListener("pointermove", drag);
    currentTarget.removeEventListener("lostpointercapture", end);
  };
  currentTarget.setPointerCapture(pointerId);
  currentTarget.addEventListener("pointermove", drag);
  currentTarget.addEventListener("lostpointercapture", end);
}
