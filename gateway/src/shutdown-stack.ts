import { setTimeout as wait } from "node:timers/promises";

/** Closes what was opened, in reverse order, each in spite of the others' failures. */
export class ShutdownStack {
  readonly #steps: (() => void | Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  defer(close: () => void | Promise<void>): void {
    this.#steps.push(close);
  }

  /** Closes the resource with the stack, and returns it. */
  use<T extends { close(): void | Promise<void> }>(resource: T): T {
    this.defer(() => resource.close());
    return resource;
  }

  /** Closes everything once, however often it is called. Rejects with all failures together, after every step was tried. */
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

/** Resolves with the work, or without it once the time is up. */
export async function withTimeout(timeoutMs: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, wait(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
