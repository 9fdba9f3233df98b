import { useEffect } from "react";
import { isDialogOpen } from "#ui/dialog/open-dialogs.ts";
import { openOverlay } from "./overlays.ts";
import { pressed } from "#ui/shortcut-keys.ts";

/** Handles the shortcuts of every screen. Ignores keys that a field, a dialog or a menu uses. */
export function useShortcuts(): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      if (pressed(event, "everywhere.search")) {
        event.preventDefault();
        // The palette can leave the page, which would lose what a dialog holds.
        if (!isDialogOpen()) openOverlay("palette");
        return;
      }
      if (isTyping(event.target) || isOverlayOpen()) return;
      if (pressed(event, "everywhere.shortcuts")) {
        event.preventDefault();
        openOverlay("shortcuts");
      } else if (pressed(event, "everywhere.filter")) {
        const filter = pageFilter();
        if (!filter) return;
        event.preventDefault();
        filter.focus();
        if (filter instanceof HTMLInputElement) filter.select();
      }
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
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

const isOverlayOpen = (): boolean =>
  document.querySelector("[role=dialog]:not([aria-modal=false]), [role=alertdialog], [role=menu]:is(:popover-open, :not([popover]))") !==
  null;
