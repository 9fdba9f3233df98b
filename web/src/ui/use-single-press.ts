import { useState } from "react";

/** Longer than a double click, shorter than the wait before a deliberate second try. */
const repeatWindowMs = 1_000;

/** Runs the first of several presses and ignores those within a second of it. */
export function singlePress(nowMs: () => number = () => performance.now()): (action: () => void) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (action) => {
    if (nowMs() - lastMs < repeatWindowMs) return;
    lastMs = nowMs();
    action();
  };
}

/** For actions that must not run twice on a double click or a held key, such as starting a search. */
export function useSinglePress(): (action: () => void) => void {
  const [press] = useState(() => singlePress());
  return press;
}
