import { DatabaseError } from "pg";
import type { BaseLogger } from "pino";
import type { DatabaseUnavailable } from "./unavailable.ts";

/** The database counts as available after this long without failures, because single calls may succeed during an outage. */
const recoveryMs = 5_000;

/** Logs the start and the end of an outage once, regardless of the number of failed calls. */
export class Outage {
  readonly #log: Pick<BaseLogger, "warn" | "info">;
  #failures = 0;
  #responses = 0;
  #lastFailureMs = 0;
  #isResponding = true;

  constructor(log: Pick<BaseLogger, "warn" | "info">) {
    this.#log = log;
  }

  /** Number of responses of the server, including errors. Unchanged while it does not respond. */
  get responses(): number {
    return this.#responses;
  }

  /** Whether the last statement or connection was answered. */
  get isResponding(): boolean {
    return this.#isResponding;
  }

  failed(error: DatabaseUnavailable): void {
    this.#isResponding = error.cause instanceof DatabaseError;
    if (error.cause instanceof DatabaseError) this.#responses += 1;
    if (this.#failures === 0) this.#log.warn({ err: error }, "the database is not available; calls that need it get 503");
    this.#failures += 1;
    this.#lastFailureMs = Date.now();
  }

  succeeded(): void {
    this.#responses += 1;
    this.#isResponding = true;
    if (this.#failures === 0 || Date.now() - this.#lastFailureMs < recoveryMs) return;
    this.#log.info({ failures: this.#failures }, "the database is available again");
    this.#failures = 0;
  }
}
