import { LRUCache } from "lru-cache";
import { type EngineCall } from "#query/engine.ts";
import { abandoned } from "#query/slots.ts";

interface Running<Value> {
  readonly result: Promise<Value>;
  readonly stop: AbortController;
  waiting: number;
}

interface Options<Value> {
  /** Of all cached results together. */
  readonly maxSize: number;
  readonly sizeOf: (value: Value) => number;
}

/**
 * Caches results of work that always has the same result. Concurrent calls of one user share the work; it ends when none of them
 * waits any longer. Users do not wait for each other's work, because each of them has a queue. Decision 0465.
 */
export class SharedResults<Value extends object> {
  readonly #results: LRUCache<string, Value>;
  readonly #running = new Map<string, Running<Value>>();

  constructor({ maxSize, sizeOf }: Options<Value>) {
    this.#results = new LRUCache({ max: 10_000, maxSize, sizeCalculation: (value) => Math.max(1, sizeOf(value)) });
  }

  async read(key: string, { owner, signal }: EngineCall, compute: (call: EngineCall) => Promise<Value>): Promise<Value> {
    const known = this.#results.get(key);
    if (known !== undefined) return known;
    const name = JSON.stringify([owner, key]);
    const running = this.#running.get(name) ?? this.#start(name, key, (stop) => compute({ owner, signal: stop }));
    return this.#wait(name, running, signal);
  }

  #start(name: string, key: string, compute: (stop: AbortSignal) => Promise<Value>): Running<Value> {
    const stop = new AbortController();
    const running: Running<Value> = { result: compute(stop.signal), stop, waiting: 0 };
    this.#running.set(name, running);
    const end = () => {
      if (this.#running.get(name) === running) this.#running.delete(name);
    };
    running.result.then(
      (value) => {
        this.#results.set(key, value);
        end();
      },
      // Those who wait learn of it.
      end,
    );
    return running;
  }

  #wait(name: string, running: Running<Value>, signal: AbortSignal): Promise<Value> {
    running.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        running.waiting -= 1;
        if (running.waiting === 0) {
          // The next call starts anew.
          if (this.#running.get(name) === running) this.#running.delete(name);
          running.stop.abort();
        }
        reject(abandoned(signal));
      };
      if (signal.aborted) {
        leave();
        return;
      }
      signal.addEventListener("abort", leave, { once: true });
      running.result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }
}
