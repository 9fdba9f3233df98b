import { type RefObject, useLayoutEffect } from "react";
import { currentOpener } from "./use-opener.ts";

/**
 * Returns the focus to the element that opened a panel on the page when the panel is unmounted. Only if the focus is in the panel:
 * whoever has moved on keeps it.
 * @param returnTo receives the focus instead
 */
export function useFocusReturn(panel: RefObject<HTMLElement | null>, returnTo?: () => HTMLElement | null): void {
  useLayoutEffect(() => {
    const opener = currentOpener();
    const element = panel.current;
    return () => {
      if (element?.contains(document.activeElement)) (returnTo?.() ?? opener)?.focus({ preventScroll: true });
    };
  }, [panel, returnTo]);
}
