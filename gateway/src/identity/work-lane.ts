import { Refusal } from "#http/refusal.ts";
import { TurnRefused, Turns } from "#turns/turns.ts";

/**
 * Limits the concurrency of expensive work and queues the rest. Password hashing shares threads with queries and files, and sign-ins
 * share the database, so a flood of sign-ins has to wait here instead: the callers take turns, and each may have half of the places.
 * Work beyond the queue is refused with 503. Decisions 0240 and 0640.
 */
export class WorkLane {
  readonly #turns: Turns;

  constructor(maxConcurrent: number, maxWaiting: number) {
    this.#turns = new Turns(
      { turns: maxConcurrent, perOwner: Math.ceil(maxConcurrent / 2), queue: maxWaiting, queuePerOwner: maxWaiting, waitMs: Infinity },
      { subject: "The sign-in", work: "sign-ins" },
    );
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const turn = await this.#turns.take().catch((error: unknown) => {
      if (!(error instanceof TurnRefused)) throw error;
      throw new Refusal("not-ready", "Too many people are signing in right now. Please try again.", { retryAfterSeconds: 2 });
    });
    try {
      return await work();
    } finally {
      turn.end();
    }
  }
}
