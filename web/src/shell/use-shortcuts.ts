import { useEffect } from "react";
import { isDialogOpen } from "#ui/open-dialogs.ts";
import { openOverlay } from "./overlays.ts";

/** The keys of every screen. A key that a field, a dialog or a menu uses is left to it. */
export function useShortcuts(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        // It leads away from the page: what a dialog holds would be lost.
        if (!isDialogOpen()) openOverlay("palette");
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || somethingIsOpen()) return;
      if (event.key === "?") {
        event.preventDefault();
        openOverlay("shortcuts");
      } else if (event.key === "/") {
        const filter = pageFilter();
        if (!filter) return;
        event.preventDefault();
        filter.focus();
        if (filter instanceof HTMLInputElement) filter.select();
      }
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

/** The screen's filter: the input with `data-page-filter`, or the one within it. */
function pageFilter(): HTMLElement | null {
  const marked = document.querySelector<HTMLElement>("[data-page-filter]");
  if (!marked || marked.matches("input, textarea, [contenteditable]")) return marked;
  return marked.querySelector<HTMLElement>("input, textarea") ?? marked;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])"));

const somethingIsOpen = (): boolean =>
  document.querySelector("[role=dialog], [role=alertdialog], [role=menu]:is(:popover-open, :not([popover]))") !== null;
