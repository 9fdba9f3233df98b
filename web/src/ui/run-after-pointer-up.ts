/**
 * Runs now, or when the press that is going on has ended and its click has arrived: a message that comes up as a field is left
 * would move what is pressed away from under the pointer, and the click would be lost.
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
