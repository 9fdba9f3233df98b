const sliceMs = 8;
/** Reading the clock costs more than a small step. */
const smallSteps = 16;

/**
 * Calls `step` for 0 … count − 1 in slices that yield to the page. Resolves to false if aborted.
 * Short work runs synchronously in one slice.
 * @param stepsPerLook steps between two looks at the clock; 1 for steps that take a millisecond or more
 */
export async function forEachYielding(
  count: number,
  step: (index: number) => void,
  signal?: AbortSignal,
  stepsPerLook = smallSteps,
): Promise<boolean> {
  let sliceStartMs = performance.now();
  for (let index = 0; index < count; index += 1) {
    if (index % stepsPerLook === 0 && performance.now() - sliceStartMs > sliceMs) {
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
