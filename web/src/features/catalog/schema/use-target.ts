import { type RefObject, useEffect, useEffectEvent, useRef } from "react";

interface Target {
  scroller: RefObject<HTMLElement | null>;
  /** Of the list within the scroller: it grows while parts above the list are loaded. */
  scrollMargin: number;
  /** -1 = none. */
  index: number;
}

/** Keeps a row in view on arrival until the user does something: what is above it may be loaded later. */
export function useTarget({ scroller, scrollMargin, index }: Target, scrollTo: (index: number) => void): void {
  const isLeft = useRef(false);
  const scroll = useEffectEvent(scrollTo);
  useEffect(() => {
    const element = scroller.current;
    const leave = () => {
      isLeft.current = true;
    };
    const events = ["wheel", "pointerdown", "keydown", "touchstart"] as const;
    for (const event of events) element?.addEventListener(event, leave, { passive: true });
    return () => {
      for (const event of events) element?.removeEventListener(event, leave);
    };
  }, [scroller]);
  useEffect(() => {
    // The position of the row follows from the margin.
    if (index >= 0 && scrollMargin >= 0 && !isLeft.current) scroll(index);
  }, [index, scrollMargin]);
}
