import { LRUCache } from "lru-cache";

/** Upper bound on staleness if the notification of a change is lost. Decision 0240. */
const maxStaleMs = 5_000;

/**
 * A value that is expensive to read and announced when it changes. Calls at the same time share one read; a read that failed
 * is tried again by the next call.
 */
export class CachedRead<Value> {
  readonly #read: () => Promise<Value>;
  #cached: { readonly value: Promise<Value>; readonly staleAtMs: number } | undefined;

  constructor(read: () => Promise<Value>) {
    this.#read = read;
  }

  get(): Promise<Value> {
    if (this.#cached !== undefined && Date.now() < this.#cached.staleAtMs) return this.#cached.value;
    const cached = { value: this.#read(), staleAtMs: Date.now() + maxStaleMs };
    this.#cached = cached;
    cached.value.catch(() => {
      if (this.#cached === cached) this.#cached = undefined;
    });
    return cached.value;
  }

  forget(): void {
    this.#cached = undefined;
  }
}

/** The same for values found by a key, of which the most recently used are kept. */
export class CachedReads<Value extends object> {
  readonly #values: LRUCache<string, Value>;
  readonly #reading = new Map<string, Promise<Value | undefined>>();
  /** Counts calls of `forget`: what was read before one is not kept after it. */
  #epoch = 0;

  constructor(max: number) {
    // An entry as old as its ttl is still served.
    this.#values = new LRUCache({ max, ttl: maxStaleMs - 1, ttlResolution: 0, perf: { now: () => Date.now() } });
  }

  /** What is cached. Needs no promise: every call to the API passes here. */
  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Undefined, which is not kept, where `load` finds nothing. */
  read(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const underWay = this.#reading.get(key);
    if (underWay !== undefined) return underWay;
    const reading = this.#load(key, load);
    this.#reading.set(key, reading);
    return reading;
  }

  forget(matches: (value: Value, key: string) => boolean): void {
    this.#epoch += 1;
    this.#reading.clear();
    const matching = Array.from(this.#values.entries()).filter(([key, value]) => matches(value, key));
    for (const [key] of matching) this.#values.delete(key);
  }

  async #load(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const epoch = this.#epoch;
    const start = Date.now();
    try {
      const value = await load();
      if (value !== undefined && epoch === this.#epoch) this.#values.set(key, value, { start });
      return value;
    } finally {
      if (epoch === this.#epoch) this.#reading.delete(key);
    }
  }
}
