/** Runs a function once the browser is idle. Returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  if ("requestIdleCallback" in globalThis) {
    const idle = requestIdleCallback(run, { timeout: 2_000 });
    return () => cancelIdleCallback(idle);
  }
  // Safari has no idle callbacks.
  const timer = setTimeout(run, 500);
  return () => clearTimeout(timer);
}
