import { LRUCache } from "lru-cache";
import { EngineFailed } from "./engine.ts";
import { abandoned } from "./slots.ts";

/** An answer with the time at which it was computed and how long that took. */
export interface Computed<Answer> {
  readonly answer: Answer;
  readonly computedMs: number;
  readonly durationMs: number;
}

/** The identity of an answer. */
export interface AnswerRequest {
  /** The validated call, and for whom it is if others may see other rows. */
  readonly key: string;
  /** Name of the state of all data that it reads; null if they may change unnoticed. */
  readonly state: string | null;
  /** Computes it even where it is kept. */
  readonly fresh: boolean;
}

interface Kept extends Computed<unknown> {
  readonly state: string | null;
  readonly bytes: number;
}

interface Shared {
  readonly computing: Promise<Computed<unknown>>;
  readonly stop: AbortController;
  callers: number;
}

/** Answers about data whose state is unknown are kept this long. */
const unknownStateMs = 60_000;

/**
 * Keeps answers of expensive queries, and lets identical requests of the same time share one query, which is canceled when the last caller
 * leaves. Permissions are checked by whoever asks. Answers that were used least recently make room.
 */
export class AnswerStore {
  readonly #kept: LRUCache<string, Kept>;
  readonly #shared = new Map<string, Shared>();

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ max: 10_000, maxSize: Math.max(1, maxBytes), sizeCalculation: ({ bytes }) => Math.ceil(bytes) });
  }

  /** `compute` runs at most once for identical requests; `sizeOf` estimates the bytes of its answer. */
  async answer<Answer>(
    { key, state, fresh }: AnswerRequest,
    signal: AbortSignal,
    compute: (signal: AbortSignal) => Promise<Answer>,
    sizeOf: (answer: Answer) => number,
  ): Promise<Computed<Answer>> {
    const kept = fresh ? undefined : this.#find(key, state);
    if (kept !== undefined) return kept as Computed<Answer>;
    // Whoever wants a fresh answer gets none that was begun for others.
    const sharedKey = JSON.stringify([key, state, fresh]);
    const shared = this.#shared.get(sharedKey) ?? this.#begin(sharedKey, { key, state, fresh }, compute, sizeOf);
    return this.#wait(sharedKey, shared, signal) as Promise<Computed<Answer>>;
  }

  #begin<Answer>(
    sharedKey: string,
    { key, state }: AnswerRequest,
    compute: (signal: AbortSignal) => Promise<Answer>,
    sizeOf: (answer: Answer) => number,
  ): Shared {
    const stop = new AbortController();
    const run = async (): Promise<Computed<Answer>> => {
      const startedMs = performance.now();
      const answer = await compute(stop.signal);
      const computed = { answer, computedMs: Date.now(), durationMs: Math.round(performance.now() - startedMs) };
      this.#kept.set(key, { ...computed, state, bytes: key.length * 2 + sizeOf(answer) });
      return computed;
    };
    const shared: Shared = { computing: run(), stop, callers: 0 };
    this.#shared.set(sharedKey, shared);
    const forget = () => {
      if (this.#shared.get(sharedKey) === shared) this.#shared.delete(sharedKey);
    };
    shared.computing.then(forget, forget);
    return shared;
  }

  async #wait(sharedKey: string, shared: Shared, signal: AbortSignal): Promise<Computed<unknown>> {
    shared.callers += 1;
    let leave: (() => void) | undefined;
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(abandoned(signal));
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
    });
    try {
      return await Promise.race([shared.computing, left]);
    } finally {
      if (leave !== undefined) signal.removeEventListener("abort", leave);
      shared.callers -= 1;
      if (shared.callers === 0) {
        // Later callers begin anew instead of joining what is being stopped.
        if (this.#shared.get(sharedKey) === shared) this.#shared.delete(sharedKey);
        shared.stop.abort(signal.reason);
      }
    }
  }

  #find(key: string, state: string | null): Kept | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.state !== state) return undefined;
    return state === null && Date.now() - kept.computedMs > unknownStateMs ? undefined : kept;
  }
}

/** Adds what may help where the engine's memory did not suffice. */
export function explainedMemory(error: unknown, advice: string): unknown {
  if (!(error instanceof EngineFailed) || error.reason !== "out-of-memory") return error;
  return new EngineFailed("out-of-memory", `${error.message} ${advice}`, { cause: error });
}
