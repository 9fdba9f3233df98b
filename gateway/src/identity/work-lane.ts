import pLimit, { type LimitFunction } from "p-limit";
import { Refusal } from "#http/refusal.ts";

/**
 * Runs expensive work a few at a time, the rest in order of arrival. Password hashing shares its threads with queries and
 * files, and sign-ins share the database with everything else, so a flood of them must wait here instead of there; what
 * does not even fit the queue is refused with 503. Decision 0240.
 */
export class WorkLane {
  readonly #limit: LimitFunction;
  readonly #max: number;

  constructor(atOnce: number, maxWaiting: number) {
    this.#limit = pLimit(atOnce);
    this.#max = atOnce + maxWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    // Work that may start at once is pending, too, until the next microtask.
    if (this.#limit.activeCount + this.#limit.pendingCount >= this.#max) {
      throw new Refusal("not-ready", "Too many people are signing in at this moment. Please try again.", { retryAfterSeconds: 2 });
    }
    return this.#limit(work);
  }
}
