import { setTimeout as wait } from "node:timers/promises";

/** What was opened, to be closed in reverse, each in spite of the others' failures. */
export class Unwinding {
  readonly #steps: (() => void | Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  add(step: () => void | Promise<void>): void {
    this.#steps.push(step);
  }

  /** Closes everything once, however often it is called. Rejects with what failed, after all have been tried. */
  run(): Promise<void> {
    return (this.#running ??= this.#runOnce());
  }

  async #runOnce(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "not everything could be closed");
  }
}

/** Waits for the work, but no longer than that. */
export async function within(ms: number, work: Promise<void>): Promise<void> {
  const patience = new AbortController();
  await Promise.race([work, wait(ms, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
}
