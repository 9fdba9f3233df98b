import type { EngineCall } from "#query/engine.ts";
import type { Slots } from "#query/slots.ts";
import type { Part, RunOptions, SqlRunner } from "./server.ts";

/** Runs work with a resource that nobody else has meanwhile. Rejects with EngineFailed. */
export type RunWith<Resource, Session> = <T>(
  resource: Resource,
  call: EngineCall,
  work: (session: Session) => Promise<T>,
  timeoutMs: number,
) => Promise<T>;

/** Runs queries in the slots of a server, each with a timeout. */
export class SlotRunner<Resource, Session> implements SqlRunner<Session> {
  readonly #slots: Slots<Resource>;
  readonly #timeoutMs: number;
  readonly #runWith: RunWith<Resource, Session>;

  constructor(slots: Slots<Resource>, timeoutMs: number, runWith: RunWith<Resource, Session>) {
    this.#slots = slots;
    this.#timeoutMs = timeoutMs;
    this.#runWith = runWith;
  }

  get running(): number {
    return this.#slots.inUse;
  }

  get waiting(): number {
    return this.#slots.waiting;
  }

  run<T>(call: EngineCall, work: (session: Session) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const { weight = 1, timeoutMs = this.#timeoutMs } = options;
    return this.#slots.use(call, (resource) => this.#runWith(resource, call, work, timeoutMs), weight);
  }

  /**
   * The slot is released between parts, so that a long query delays others by at most one part. All parts together have the timeout of
   * one query.
   */
  async runInParts<T>(call: EngineCall, parts: readonly Part<T, Session>[]): Promise<T[]> {
    const results: T[] = [];
    let remainingMs = this.#timeoutMs;
    for (const { weight, work } of parts) {
      const result = await this.#slots.use(
        call,
        async (resource) => {
          const startedMs = performance.now();
          try {
            return await this.#runWith(resource, call, work, remainingMs);
          } finally {
            remainingMs -= performance.now() - startedMs;
          }
        },
        weight,
      );
      results.push(result);
    }
    return results;
  }
}
