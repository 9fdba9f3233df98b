import { type EngineCall, EngineFailed } from "#query/engine.ts";

export interface SlotLimits {
  readonly slots: number;
  /** How many may wait. */
  readonly queue: number;
  readonly waitMs: number;
}

/** Hands out a fixed number of things, first come, first served. */
export class Slots<T> {
  readonly #free: T[];
  readonly #waiting = new Set<(thing: T) => void>();
  readonly #limits: SlotLimits;
  #taken = 0;

  constructor(things: readonly T[], limits: SlotLimits) {
    this.#free = [...things];
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Runs `work` with a thing of its own. Rejects as busy when the queue is full or the wait too long, at once when aborted. */
  async use<R>({ signal }: EngineCall, work: (thing: T) => Promise<R>): Promise<R> {
    const thing = await this.#acquire(signal);
    this.#taken += 1;
    try {
      return await work(thing);
    } finally {
      this.#taken -= 1;
      this.#release(thing);
    }
  }

  #acquire(signal: AbortSignal): Promise<T> {
    if (signal.aborted) return Promise.reject(abandoned(signal));
    const free = this.#free.pop();
    if (free !== undefined) return Promise.resolve(free);
    if (this.#waiting.size >= this.#limits.queue) return Promise.reject(this.#busy("too many queries are waiting"));
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(enter);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const enter = (thing: T) => {
        leave();
        resolve(thing);
      };
      const onAbort = () => {
        leave();
        reject(abandoned(signal));
      };
      const timer = setTimeout(() => {
        leave();
        reject(this.#busy(`no query slot came free within ${Math.round(this.#limits.waitMs / 1_000)} s`));
      }, this.#limits.waitMs);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(enter);
    });
  }

  #release(thing: T): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free.push(thing);
    else next(thing);
  }

  #busy(why: string): EngineFailed {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.#limits.waitMs / 6_000));
    return new EngineFailed("busy", `The query engine is busy: ${why}. Try again in a moment.`, { retryAfterSeconds });
  }
}

/** Nobody waits for the answer any more. */
export const abandoned = (signal: AbortSignal): EngineFailed =>
  new EngineFailed("abandoned", "The query was cancelled because its caller left.", { cause: signal.reason });
