const sliceMs = 8;

/**
 * Does `step` for 0 … count − 1 in slices that leave the page free between them. Answers false when the signal ended it.
 * Short work is done at once, in the same turn.
 */
export async function forEachYielding(count: number, step: (index: number) => void, signal?: AbortSignal): Promise<boolean> {
  let began = performance.now();
  for (let index = 0; index < count; index += 1) {
    // The clock costs more than a small step does.
    if (index % 16 === 0 && performance.now() - began > sliceMs) {
      await nextTurn();
      if (signal?.aborted) return false;
      began = performance.now();
    }
    step(index);
  }
  return !signal?.aborted;
}

/** A turn of the event loop without the 4 ms that nested timers are held back. */
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
