import type { KeyboardEvent } from "react";
import { pressed } from "#ui/shortcut-keys.ts";

const fields = "input, textarea, select, [contenteditable]";

/** N and P, or Alt with an arrow, as in the comparison of texts: to the next change or the previous one. Not while typing. */
export function changeStepOf(event: KeyboardEvent): 1 | -1 | undefined {
  if (event.target instanceof Element && event.target.closest(fields) !== null) return undefined;
  if (pressed(event, "changes.next")) return 1;
  return pressed(event, "changes.previous") ? -1 : undefined;
}
