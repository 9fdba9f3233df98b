import { LRUCache } from "lru-cache";
import { Refusal } from "#http/refusal.ts";

const minuteMs = 60_000;

interface Window {
  startMs: number;
  calls: number;
  /** Calls of the previous minute. */
  previousCalls: number;
}

/** Calls with a key that all gateways together have counted. */
export interface SharedCount {
  /** Time since the counted minute of this key started; less than two minutes. */
  readonly ageMs: number;
  readonly calls: number;
  readonly previousCalls: number;
}

interface CallRateOptions {
  readonly now?: () => number;
  /** Called with the key of each admitted call. */
  readonly onCounted?: (key: string) => void;
}

/**
 * Limits calls per minute for each key with a sliding window: calls of the previous minute count in proportion to its overlap
 * with the last 60 seconds. Refused calls do not count, so that callers who keep trying are admitted again.
 */
export class CallRate {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #onCounted: (key: string) => void;
  readonly #windows = new LRUCache<string, Window>({ max: 20_000 });

  constructor(perMinute: number, { now = () => Date.now(), onCounted = () => undefined }: CallRateOptions = {}) {
    this.#perMinute = perMinute;
    this.#now = now;
    this.#onCounted = onCounted;
  }

  /** Counts a call. Refuses with `too-many-requests` beyond the limit, with a message about `subject`. */
  count(key: string, subject: string): void {
    const retryAfterSeconds = this.tryCount(key);
    if (retryAfterSeconds === undefined) return;
    const message = `${subject} may make ${this.#perMinute} calls a minute. Try again in ${retryAfterSeconds} s.`;
    throw new Refusal("too-many-requests", message, { retryAfterSeconds });
  }

  /** Counts a call and returns undefined. Beyond the limit, counts nothing and returns the seconds until a call is allowed again. */
  tryCount(keyId: string): number | undefined {
    const now = this.#now();
    const window = this.#windowAt(keyId, now);
    const remaining = 1 - (now - window.startMs) / minuteMs;
    if (window.calls + Math.floor(window.previousCalls * remaining) + 1 > this.#perMinute)
      return this.#retryAfterSeconds(window, remaining);
    window.calls += 1;
    this.#onCounted(keyId);
    return undefined;
  }

  /** Takes over what all gateways have counted, unless this one knows of more calls. `unshared` calls of this one are not included yet. */
  adopt(key: string, count: SharedCount, unshared: number): void {
    const now = this.#now();
    const own = this.#windowAt(key, now);
    const isOver = count.ageMs >= minuteMs;
    this.#windows.set(key, {
      startMs: now - (count.ageMs % minuteMs),
      calls: Math.max(own.calls, (isOver ? 0 : count.calls) + unshared),
      previousCalls: Math.max(own.previousCalls, isOver ? count.calls : count.previousCalls),
    });
  }

  #windowAt(keyId: string, now: number): Window {
    const existing = this.#windows.get(keyId);
    const age = existing === undefined ? Infinity : now - existing.startMs;
    if (existing !== undefined && age < minuteMs) return existing;
    const created =
      existing !== undefined && age < 2 * minuteMs
        ? { startMs: existing.startMs + minuteMs, calls: 0, previousCalls: existing.calls }
        : { startMs: now, calls: 0, previousCalls: 0 };
    this.#windows.set(keyId, created);
    return created;
  }

  /** Time until one more call is allowed if there are no others: within this window, or in the next one. */
  #retryAfterSeconds({ calls, previousCalls }: Window, remaining: number): number {
    const available = this.#perMinute - calls;
    const minutes = available > 0 ? remaining - available / previousCalls : remaining + 1 - this.#perMinute / calls;
    return Math.ceil(minutes * 60) + 1;
  }
}
