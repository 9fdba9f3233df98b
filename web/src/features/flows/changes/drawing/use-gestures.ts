import { type RefObject, useEffect, useEffectEvent } from "react";
import type { Point } from "./viewport.ts";

interface Gestures {
  onPan: (byX: number, byY: number) => void;
  onZoom: (factor: number, at: Point) => void;
  onTap: (at: Point) => void;
  onDoubleTap: (at: Point) => void;
}

/** Smaller moves of a finger or a mouse are taps. */
const tapPx = 5;
const linePx = 16;

/** Drag, wheel and pinch. Points are in CSS pixels from the top left corner of the element. */
export function useGestures(element: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const onPan = useEffectEvent(gestures.onPan);
  const onZoom = useEffectEvent(gestures.onZoom);
  const onTap = useEffectEvent(gestures.onTap);
  const onDoubleTap = useEffectEvent(gestures.onDoubleTap);
  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    const pointers = new Map<number, Point>();
    let moved = 0;
    const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top } = target.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    const onDown = (event: PointerEvent) => {
      if (event.button !== 0) return;
      if (pointers.size === 0) moved = 0;
      pointers.set(event.pointerId, pointOf(event));
      // Events made by scripts have no pointer to capture.
      if (event.isTrusted) target.setPointerCapture(event.pointerId);
    };
    const onMove = (event: PointerEvent) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = pointOf(event);
      moved += Math.hypot(now.x - before.x, now.y - before.y);
      if (moved < tapPx) return;
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (!other) onPan(now.x - before.x, now.y - before.y);
      else {
        // Both fingers stay on what they touched.
        const [was, is] = [distance(before, other), distance(now, other)];
        onPan((now.x - before.x) / 2, (now.y - before.y) / 2);
        if (was > 0 && is > 0) onZoom(is / was, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      }
      pointers.set(event.pointerId, now);
    };
    const onUp = (event: PointerEvent) => {
      if (!pointers.delete(event.pointerId)) return;
      if (event.type === "pointerup" && pointers.size === 0 && moved < tapPx) onTap(pointOf(event));
    };
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const delta = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? linePx : 1);
      // Trackpads report a pinch as a wheel with Ctrl, in smaller steps.
      const limited = Math.max(-240, Math.min(240, delta));
      onZoom(Math.exp(-limited * (event.ctrlKey ? 0.01 : 0.0018)), pointOf(event));
    };
    const onDouble = (event: MouseEvent) => onDoubleTap(pointOf(event));
    const stop = new AbortController();
    const { signal } = stop;
    target.addEventListener("pointerdown", onDown, { signal });
    target.addEventListener("pointermove", onMove, { signal });
    target.addEventListener("pointerup", onUp, { signal });
    target.addEventListener("pointercancel", onUp, { signal });
    target.addEventListener("wheel", onWheel, { signal, passive: false });
    target.addEventListener("dblclick", onDouble, { signal });
    return () => stop.abort();
  }, [element]);
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
