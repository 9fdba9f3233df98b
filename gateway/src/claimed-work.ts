import type { BaseLogger } from "pino";
import { CoalescedRuns } from "#coalesced-runs.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";

interface Options {
  /** Pieces that run side by side. */
  readonly atOnce: number;
  /** How often to look for what is due; default: every second. */
  readonly pollMs: number | undefined;
  /** Completes "could not look for …". */
  readonly what: string;
  readonly log: Pick<BaseLogger, "warn">;
}

/** Does what is due in the database, on any of the gateways, some pieces at a time. */
export abstract class ClaimedWork<Item> {
  readonly #options: Options;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #claims = new CoalescedRuns(() => this.#claim());
  readonly #timer: NodeJS.Timeout;

  constructor(options: Options) {
    this.#options = options;
    this.#timer = setInterval(() => this.wake(), options.pollMs ?? 1_000).unref();
  }

  /** Claims at most so many pieces that are due, so that no other gateway does them. */
  protected abstract claimDue(count: number): Promise<readonly Item[]>;

  /** Does a piece. Must not reject. */
  protected abstract run(item: Item): Promise<void>;

  /** Aborted when the gateway stops. */
  protected get closing(): AbortSignal {
    return this.#closing.signal;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Looks for work now. */
  wake(): void {
    if (this.#closing.signal.aborted) return;
    const { log, what } = this.#options;
    this.#claims.request().catch((error: unknown) => {
      // The database layer logs its own outages.
      if (!(error instanceof DatabaseUnavailable)) log.warn({ err: error }, `could not look for ${what}; retrying`);
    });
  }

  /** Interrupts what runs, and leaves the rest to other gateways or to the next start. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort(new Error("the gateway is stopping"));
    await this.#claims.close();
    await Promise.all(this.#running);
  }

  async #claim(): Promise<void> {
    const free = this.#options.atOnce - this.#running.size;
    if (free <= 0) return;
    for (const item of await this.claimDue(free)) {
      const work = this.run(item).finally(() => {
        this.#running.delete(work);
        this.wake();
      });
      this.#running.add(work);
    }
  }
}
