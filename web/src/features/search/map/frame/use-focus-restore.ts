import { useRef } from "react";

/** Remembers the focus before something was selected; falls back to the map if that element no longer exists. */
export function useFocusRestore(): { save: () => void; restore: () => void } {
  const before = useRef<HTMLElement | null>(null);
  return {
    save: () => {
      before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    },
    restore: () => {
      const to = before.current?.isConnected ? before.current : document.querySelector<HTMLElement>("[role=application] canvas");
      before.current = null;
      const focusedAtClose = document.activeElement;
      // The card is still there. Who moves on before it has gone keeps the focus.
      requestAnimationFrame(() => {
        const current = document.activeElement;
        if (current === null || current === document.body || current === focusedAtClose) to?.focus({ preventScroll: true });
      });
    },
  };
}
