import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "pg";
import type { BaseLogger } from "pino";
import type { GuardedPool } from "#database/guarded-pool.ts";
import type { AuditedCall, CallFacts } from "./audited-call.ts";
import { idMaker } from "./event-ids.ts";
import { storeCalls } from "./store.ts";

export interface RecorderOptions {
  readonly pool: GuardedPool;
  readonly log: Pick<BaseLogger, "warn" | "info">;
  /** Calls are stored this often; what is lost when the process is killed. */
  readonly intervalMs: number;
  /** Calls that wait for the database at most; more are dropped and counted. */
  readonly bufferCalls: number;
  readonly dropped: { increment(by?: number): void };
}

/** Of one statement. Making more ready for the database would hold up those who call now. */
const batchCalls = 500;
/** A database that takes longer holds nobody's sign-in back. */
const patienceMs = 2_000;

/** Keeps calls for a moment and stores them together. Never throws for a call: the database may be away. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #makeId: (ms: number) => bigint;
  readonly #timer: NodeJS.Timeout;
  #waiting: AuditedCall[] = [];
  #running: Promise<void> | undefined;
  /** Since the last line about it. */
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
    return this.#waiting.length;
  }

  /** Takes a call in; it is stored within the interval. */
  record(facts: CallFacts, durable = false): void {
    if (this.#waiting.length >= this.#options.bufferCalls) {
      this.#drop(1);
      return;
    }
    this.#waiting.push({ ...facts, id: this.#makeId(facts.timeMs), durable });
  }

  /** Stores a call at once. Resolves when it is stored, or when that takes too long; then it waits with the others. */
  async recordNow(facts: CallFacts): Promise<void> {
    this.record(facts, true);
    const over = new AbortController();
    const tooLong = sleep(patienceMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
    await Promise.race([this.flush(), tooLong]);
    over.abort();
  }

  /** Stores what waits. Resolves also when that fails; the next interval tries again. */
  flush(): Promise<void> {
    this.#running ??= this.#storeWaiting().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Stores what still waits, and takes no more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    await this.flush();
    this.#drop(this.#waiting.length);
    this.#waiting = [];
    this.#tellDropped();
  }

  async #storeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchCalls);
      try {
        await this.#store(batch);
      } catch (error) {
        if (!this.#isFailing) {
          this.#options.log.warn({ err: error, waiting: this.#waiting.length }, "the audit log cannot be written; calls wait for it");
        }
        this.#isFailing = true;
        this.#tellDropped();
        return;
      }
      this.#waiting.splice(0, batch.length);
    }
    if (this.#isFailing) this.#options.log.info("the audit log is written again");
    this.#isFailing = false;
    this.#tellDropped();
  }

  /** One call that the database will never take must not hold up all others. */
  async #store(calls: readonly AuditedCall[]): Promise<void> {
    try {
      await storeCalls(this.#options.pool, calls);
    } catch (error) {
      if (!isRefusedValue(error)) throw error;
      if (calls.length === 1) {
        this.#options.log.warn({ err: error }, "a call was refused by the audit log");
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

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#options.log.warn({ dropped: this.#dropped }, "calls are missing in the audit log");
    this.#dropped = 0;
  }
}

/** Class 22 of PostgreSQL's codes: a value that its type does not take. Or a call that cannot even be made ready for it. */
const isRefusedValue = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DatabaseError && error.code?.startsWith("22") === true);
