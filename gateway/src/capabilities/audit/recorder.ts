import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "pg";
import type { BaseLogger } from "pino";
import type { GuardedPool } from "#database/guarded-pool.ts";
import { asPortal } from "#turns/caller.ts";
import type { AuditedCall, CallFacts } from "./audited-call.ts";
import { idMaker } from "./event-ids.ts";
import { StoredRows, storeCalls } from "./store.ts";

export interface RecorderOptions {
  readonly pool: GuardedPool;
  readonly log: Pick<BaseLogger, "warn" | "info">;
  /** How often calls are stored, unless many wait. Calls of one interval are lost when the process is killed. */
  readonly intervalMs: number;
  /** Maximum number of pending calls; further ones are dropped and counted. */
  readonly bufferCalls: number;
  readonly dropped: { increment(by?: number): void };
}

/** Calls per statement, which are stored without waiting for the interval. Serializing more at once would block the event loop for too long. */
const batchCalls = 500;
/** Upper bound on the delay of a sign-in when the database is slow. */
const recordTimeoutMs = 2_000;

/** Buffers calls and stores them in batches. `record` and `flush` never fail, even while the database is unavailable. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #makeId: (ms: number) => bigint;
  readonly #timer: NodeJS.Timeout;
  readonly #stored = new StoredRows();
  #pending: AuditedCall[] = [];
  #running: Promise<void> | undefined;
  /** Dropped calls since the last log message about them. */
  #dropped = 0;
  #isFailing = false;

  static async open(options: RecorderOptions): Promise<Recorder> {
    const { rows } = await options.pool.query<{ writer: string }>("select nextval('audit_writers') as writer");
    return new Recorder(options, Number(rows[0]?.writer ?? 0));
  }

  private constructor(options: RecorderOptions, writer: number) {
    this.#options = options;
    this.#makeId = idMaker(writer);
    this.#timer = setInterval(() => void this.flush(), options.intervalMs).unref();
  }

  get waiting(): number {
    return this.#pending.length;
  }

  /** Adds a call, to be stored at the next interval or with many others. */
  record(facts: CallFacts, durable = false): void {
    if (this.#pending.length >= this.#options.bufferCalls) {
      this.#drop(1);
      return;
    }
    this.#pending.push({ ...facts, id: this.#makeId(facts.timeMs), durable });
    // Once for each batch: while the database is away, the interval tries again.
    if (this.#pending.length % batchCalls === 0) void this.flush();
  }

  /** Stores a call at once. Resolves when it is stored or after a timeout; the call then stays pending. */
  async recordNow(facts: CallFacts): Promise<void> {
    this.record(facts, true);
    const done = new AbortController();
    const timeout = sleep(recordTimeoutMs, undefined, { signal: done.signal, ref: false }).catch(() => undefined);
    await Promise.race([this.flush(), timeout]);
    done.abort();
  }

  /** Stores pending calls. Also resolves if that fails; the next interval retries. */
  flush(): Promise<void> {
    this.#running ??= asPortal(() => this.#storePending()).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Stores pending calls and stops the timer. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    await this.flush();
    this.#drop(this.#pending.length);
    this.#pending = [];
    this.#logDropped();
  }

  async #storePending(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, batchCalls);
      try {
        await this.#store(batch);
      } catch (error) {
        if (!this.#isFailing) {
          this.#options.log.warn({ err: error, waiting: this.#pending.length }, "cannot write the audit log; keeping calls in memory");
        }
        this.#isFailing = true;
        this.#logDropped();
        return;
      }
      this.#pending.splice(0, batch.length);
    }
    if (this.#isFailing) this.#options.log.info("writing the audit log again");
    this.#isFailing = false;
    this.#logDropped();
  }

  /** Isolates calls that the database rejects, so that they do not block all others. */
  async #store(calls: readonly AuditedCall[]): Promise<void> {
    try {
      await storeCalls(this.#options.pool, calls, this.#stored);
    } catch (error) {
      if (!isRejectedValue(error)) throw error;
      if (calls.length === 1) {
        this.#options.log.warn({ err: error }, "dropped a call that the database rejects");
        this.#drop(1);
        return;
      }
      const half = Math.ceil(calls.length / 2);
      await this.#store(calls.slice(0, half));
      await this.#store(calls.slice(half));
    }
  }

  #drop(count: number): void {
    if (count === 0) return;
    this.#dropped += count;
    this.#options.dropped.increment(count);
  }

  #logDropped(): void {
    if (this.#dropped === 0) return;
    this.#options.log.warn({ dropped: this.#dropped }, "calls are missing from the audit log");
    this.#dropped = 0;
  }
}

/** PostgreSQL error class 22 (data exception), or a call that cannot be serialized. */
const isRejectedValue = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DatabaseError && error.code?.startsWith("22") === true);
