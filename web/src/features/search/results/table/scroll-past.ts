import { type PointerEvent, type RefObject, useRef, type WheelEvent } from "react";

/** A touch or a wheel may go on moving the rows for this long. */
const momentumMs = 1_500;
const dragMs = 10_000;
const tolerancePx = 4;

interface ScrollHandlers {
  onWheel: (event: WheelEvent) => void;
  onTouchMove: () => void;
  onPointerDown: (event: PointerEvent) => void;
  onScroll: () => void;
}

/**
 * Calls back when a person scrolls down to the end of the rows, or beyond it, by wheel, touch or scroll bar. Never for scrolling
 * by the page itself, such as to a found cell.
 */
export function useScrollPast(scroller: RefObject<HTMLElement | null>, onPast: (() => void) | undefined): ScrollHandlers {
  const movedAtMs = useRef(-Infinity);
  const lastTop = useRef(0);
  const isAtEnd = () => {
    const element = scroller.current;
    return element !== null && element.scrollTop + element.clientHeight >= element.scrollHeight - tolerancePx;
  };
  const onMoved = () => {
    movedAtMs.current = performance.now();
  };
  return {
    onWheel: ({ deltaY }) => {
      onMoved();
      // At the end, or where all rows fit, nothing scrolls any more.
      if (deltaY > 0 && isAtEnd()) onPast?.();
    },
    onTouchMove: onMoved,
    onPointerDown: (event) => {
      // On the scroll bar, which is dragged without further events.
      if (event.target === scroller.current) movedAtMs.current = performance.now() + dragMs;
    },
    onScroll: () => {
      const top = scroller.current?.scrollTop ?? 0;
      const isDown = top > lastTop.current;
      lastTop.current = top;
      if (isDown && performance.now() - movedAtMs.current < momentumMs && isAtEnd()) onPast?.();
    },
  };
}
