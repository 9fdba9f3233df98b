import { asPortal } from "#turns/caller.ts";

/**
 * Runs work one at a time. A run requested while another is under way follows it, because more may have come up since that one
 * looked; further requests share it.
 */
export class CoalescedRuns {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #isRequested = false;
  #isClosed = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when no run is requested any more. Rejects if a run fails. */
  request(): Promise<void> {
    this.#isRequested = true;
    this.#running ??= asPortal(() => this.#runWhileRequested());
    return this.#running;
  }

  /** Starts no further run, and waits for the one under way, whose failure is reported to those who requested it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.catch(() => undefined);
  }

  async #runWhileRequested(): Promise<void> {
    try {
      while (this.#isRequested && !this.#isClosed) {
        this.#isRequested = false;
        await this.#work();
      }
    } finally {
      // Not in a `finally` of the promise: a run requested before it ran would not follow.
      this.#running = undefined;
    }
  }
}
