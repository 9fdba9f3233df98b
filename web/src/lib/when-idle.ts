/** Runs once the browser has nothing better to do. Answers a function that takes it back. */
export function whenIdle(run: () => void): () => void {
  if ("requestIdleCallback" in globalThis) {
    const idle = requestIdleCallback(run, { timeout: 2_000 });
    return () => cancelIdleCallback(idle);
  }
  // Safari has no idle callbacks.
  const timer = setTimeout(run, 500);
  return () => clearTimeout(timer);
}
