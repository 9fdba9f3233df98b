import { setTimeout as wait } from "node:timers/promises";

/** Closes resources in reverse order of opening, even if some fail to close. */
export class ShutdownStack {
  readonly #steps: (() => void | Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  defer(close: () => void | Promise<void>): void {
    this.#steps.push(close);
  }

  /** Registers a resource to close, and returns it. */
  use<T extends { close(): void | Promise<void> }>(resource: T): T {
    this.defer(() => resource.close());
    return resource;
  }

  /** Closes everything once; later calls return the same promise. Rejects with all failures after every step was tried. */
  run(): Promise<void> {
    return (this.#running ??= this.#runOnce());
  }

  async #runOnce(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#steps.toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "not everything could be closed");
  }
}

/** Waits for the work, but resolves after the timeout at the latest. */
export async function withTimeout(timeoutMs: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, wait(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
