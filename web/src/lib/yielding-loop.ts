const sliceMs = 8;

/**
 * Calls `step` for 0 … count − 1 in slices that yield to the page. Resolves to false if aborted.
 * Short work runs synchronously in one slice.
 */
export async function forEachYielding(count: number, step: (index: number) => void, signal?: AbortSignal): Promise<boolean> {
  let sliceStartMs = performance.now();
  for (let index = 0; index < count; index += 1) {
    // Reading the clock costs more than a small step.
    if (index % 16 === 0 && performance.now() - sliceStartMs > sliceMs) {
      await nextTurn();
      if (signal?.aborted) return false;
      sliceStartMs = performance.now();
    }
    step(index);
  }
  return !signal?.aborted;
}

/** Yields to the event loop without the 4 ms minimum delay of nested timers. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
