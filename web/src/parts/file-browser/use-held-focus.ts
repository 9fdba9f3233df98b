import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from "react";

interface Options {
  /** Focuses another element of the region. */
  refocus: (region: HTMLElement) => void;
  /** Receives the keys that are pressed while the region itself has the focus. */
  onKeyDown: (event: KeyboardEvent) => void;
}

interface HeldFocus {
  /** Whether the region has the focus, or had it until the focused element disappeared. */
  isHeld: () => boolean;
  /** Holds the focus as if it had been in the region. */
  hold: () => void;
  regionProps: {
    tabIndex: -1;
    onFocus: (event: FocusEvent) => void;
    onBlur: (event: FocusEvent) => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
}

/** Keeps the focus in a region if the focused element disappears. */
export function useHeldFocus(region: RefObject<HTMLElement | null>, { refocus, onKeyDown }: Options): HeldFocus {
  const isHeld = useRef(false);
  useEffect(() => {
    const { activeElement } = document;
    if (region.current && isHeld.current && (activeElement === document.body || activeElement === region.current)) refocus(region.current);
  });
  return {
    isHeld: () => isHeld.current,
    hold: () => {
      isHeld.current = true;
    },
    regionProps: {
      tabIndex: -1,
      onFocus: () => {
        isHeld.current = true;
      },
      // React reports no blur of an element that it removes.
      onBlur: () => {
        isHeld.current = false;
      },
      onKeyDown: (event) => {
        if (event.target === event.currentTarget) onKeyDown(event);
      },
    },
  };
}
