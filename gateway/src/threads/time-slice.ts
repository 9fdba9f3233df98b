import { setImmediate } from "node:timers/promises";

/** Longer synchronous work would noticeably block the event loop. */
const sliceMs = 15;

/** For loops over untrusted input: `await slice.end()` in each iteration yields to the event loop from time to time. */
export class TimeSlice {
  #startMs = performance.now();

  async end(): Promise<void> {
    if (performance.now() - this.#startMs < sliceMs) return;
    await setImmediate();
    this.#startMs = performance.now();
  }
}
