import type { KeyboardEvent } from "react";

const fields = "input, textarea, select, [contenteditable]";

/** N and P, or Alt with an arrow, as in the comparison of texts: to the next change or the previous one. Not while typing. */
export function changeStepOf({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): 1 | -1 | undefined {
  if (ctrlKey || metaKey || (target instanceof Element && target.closest(fields) !== null)) return undefined;
  if (altKey ? key === "ArrowDown" : key === "n") return 1;
  if (altKey ? key === "ArrowUp" : key === "p") return -1;
  return undefined;
}
