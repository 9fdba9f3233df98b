import { setImmediate } from "node:timers/promises";

/** Work that goes on for longer holds up everyone else. */
const sliceMs = 15;

/** For loops over what a caller sent: `await slice.end()` in each round lets others have their turn now and then. */
export class TimeSlice {
  #began = performance.now();

  async end(): Promise<void> {
    if (performance.now() - this.#began < sliceMs) return;
    await setImmediate();
    this.#began = performance.now();
  }
}
