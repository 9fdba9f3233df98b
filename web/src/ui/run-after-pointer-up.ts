/**
 * Runs now, or after the current press has ended and its click has fired. A message that appears when a field loses the focus
 * would otherwise move the pressed element away from the pointer, and the click would be lost.
 */
export function runAfterPointerUp(run: () => void): void {
  if (document.querySelector(":active") === null) return run();
  const done = new AbortController();
  for (const end of ["pointerup", "pointercancel", "keyup"])
    window.addEventListener(
      end,
      () => {
        done.abort();
        setTimeout(run);
      },
      { capture: true, signal: done.signal },
    );
}
