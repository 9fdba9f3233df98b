import pLimit, { type LimitFunction } from "p-limit";
import { Refusal } from "#http/refusal.ts";

/**
 * Limits the concurrency of expensive work and queues the rest in order of arrival. Password hashing shares threads with queries
 * and files, and sign-ins share the database, so a flood of sign-ins has to wait here instead. Work beyond the queue is refused
 * with 503. Decision 0240.
 */
export class WorkLane {
  readonly #limit: LimitFunction;
  readonly #max: number;

  constructor(maxConcurrent: number, maxWaiting: number) {
    this.#limit = pLimit(maxConcurrent);
    this.#max = maxConcurrent + maxWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    // Work that can start immediately counts as pending until the next microtask.
    if (this.#limit.activeCount + this.#limit.pendingCount >= this.#max) {
      throw new Refusal("not-ready", "Too many people are signing in at this moment. Please try again.", { retryAfterSeconds: 2 });
    }
    return this.#limit(work);
  }
}
