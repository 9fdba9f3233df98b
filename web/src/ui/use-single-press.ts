import { useState } from "react";

/** Longer than a double click lasts, shorter than anybody waits before trying again. */
const repeatWindowMs = 1_000;

/** Lets the first of several presses through and ignores those that follow within a second of it. */
export function singlePress(nowMs: () => number = () => performance.now()): (action: () => void) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (action) => {
    if (nowMs() - lastMs < repeatWindowMs) return;
    lastMs = nowMs();
    action();
  };
}

/** For actions that must not happen twice by a double click or a held key, such as starting a search. */
export function useSinglePress(): (action: () => void) => void {
  const [once] = useState(() => singlePress());
  return once;
}
