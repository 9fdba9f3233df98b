import { Refusal } from "#http/refusal.ts";

/**
 * Runs expensive work a few at a time, the rest in order of arrival. Password hashing shares its threads with queries and
 * files, and sign-ins share the database with everything else, so a flood of them must wait here instead of there; what
 * does not even fit the queue is refused with 503.
 */
export class WorkLane {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  readonly #maxWaiting: number;

  constructor(atOnce: number, maxWaiting: number) {
    this.#free = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.length >= this.#maxWaiting) {
      throw new Refusal("not-ready", "Too many people are signing in at this moment. Please try again.", { retryAfterSeconds: 2 });
    } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The slot goes straight to the next in line, so that a newcomer cannot slip in between.
      if (next) next();
      else this.#free += 1;
    }
  }
}
