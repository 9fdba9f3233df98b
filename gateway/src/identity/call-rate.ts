import { LRUCache } from "lru-cache";
import { Refusal } from "#http/refusal.ts";

const minuteMs = 60_000;

interface Window {
  startMs: number;
  calls: number;
  /** Calls of the minute before. */
  before: number;
}

/**
 * So many calls a minute for each key. The minute slides: of the calls in the last full minute those count that lie, evenly
 * spread, less than a minute back. Refused calls do not count, so that who goes on trying is let in again.
 */
export class CallRate {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #windows = new LRUCache<string, Window>({ max: 20_000 });

  constructor(perMinute: number, now: () => number = () => Date.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Counts a call. Refuses with `too-many-requests` beyond the rate, in a sentence about `subject`. */
  count(key: string, subject: string): void {
    const retryAfterSeconds = this.secondsOver(key);
    if (retryAfterSeconds === undefined) return;
    const message = `${subject} may make ${this.#perMinute} calls a minute. Try again in ${retryAfterSeconds} s.`;
    throw new Refusal("too-many-requests", message, { retryAfterSeconds });
  }

  /** Counts a call, and answers undefined; beyond the rate it counts nothing, and answers when there is room again. */
  secondsOver(keyId: string): number | undefined {
    const now = this.#now();
    const window = this.#windowAt(keyId, now);
    const left = 1 - (now - window.startMs) / minuteMs;
    if (window.calls + Math.floor(window.before * left) + 1 > this.#perMinute) return this.#secondsUntilRoom(window, left);
    window.calls += 1;
    return undefined;
  }

  #windowAt(keyId: string, now: number): Window {
    const known = this.#windows.get(keyId);
    const age = known === undefined ? Infinity : now - known.startMs;
    if (known !== undefined && age < minuteMs) return known;
    const fresh =
      known !== undefined && age < 2 * minuteMs
        ? { startMs: known.startMs + minuteMs, calls: 0, before: known.calls }
        : { startMs: now, calls: 0, before: 0 };
    this.#windows.set(keyId, fresh);
    return fresh;
  }

  /** When there is room for one more call, if no other comes: in this minute, else in the next one. */
  #secondsUntilRoom({ calls, before }: Window, left: number): number {
    const room = this.#perMinute - calls;
    const minutes = room > 0 ? left - room / before : left + 1 - this.#perMinute / calls;
    return Math.ceil(minutes * 60) + 1;
  }
}
