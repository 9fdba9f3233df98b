import { LRUCache } from "lru-cache";
import { asPortal } from "#turns/caller.ts";

/** Upper bound on staleness if a NOTIFY is missed. Decision 0240. */
const maxStaleMs = 5_000;

/**
 * Caches a value that is expensive to read and whose changes are announced. Concurrent calls share one read; after a failed
 * read, the next call tries again.
 */
export class CachedRead<Value> {
  readonly #read: () => Promise<Value>;
  #cached: { readonly value: Promise<Value>; readonly staleAtMs: number } | undefined;

  constructor(read: () => Promise<Value>) {
    this.#read = read;
  }

  get(): Promise<Value> {
    if (this.#cached !== undefined && Date.now() < this.#cached.staleAtMs) return this.#cached.value;
    const cached = { value: asPortal(this.#read), staleAtMs: Date.now() + maxStaleMs };
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

/** Caches values by key, keeping the most recently used. */
export class CachedReads<Value extends object> {
  readonly #values: LRUCache<string, Value>;
  readonly #pending = new Map<string, Promise<Value | undefined>>();
  /** Number of `forget` calls: a value whose read started before one is not cached after it. */
  #epoch = 0;

  constructor(max: number) {
    // LRUCache still serves an entry whose age equals its ttl.
    this.#values = new LRUCache({ max, ttl: maxStaleMs - 1, ttlResolution: 0, perf: { now: () => Date.now() } });
  }

  /** The cached value. Synchronous, because every API call uses it. */
  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** The cached value, or the result of `load`. Undefined results are not cached. */
  read(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const loading = this.#load(key, load);
    this.#pending.set(key, loading);
    return loading;
  }

  forget(matches: (value: Value, key: string) => boolean): void {
    this.#epoch += 1;
    this.#pending.clear();
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
      if (epoch === this.#epoch) this.#pending.delete(key);
    }
  }
}
