import { DatabaseError } from "pg";
import type { BaseLogger } from "pino";
import type { DatabaseUnavailable } from "./unavailable.ts";

/** Without a failure for this long, the database counts as back: single calls may succeed in the middle of an outage. */
const calmMs = 5_000;

/** Logs the beginning and the end of an outage, however many calls fail in it. */
export class Outage {
  readonly #log: Pick<BaseLogger, "warn" | "info">;
  #failures = 0;
  #answers = 0;
  #lastFailureMs = 0;

  constructor(log: Pick<BaseLogger, "warn" | "info">) {
    this.#log = log;
  }

  /** How often the server has said anything, a refusal too: a server that is silent adds nothing. */
  get answers(): number {
    return this.#answers;
  }

  failed(error: DatabaseUnavailable): void {
    if (error.cause instanceof DatabaseError) this.#answers += 1;
    if (this.#failures === 0) this.#log.warn({ err: error }, "the database is not available; calls that need it get 503");
    this.#failures += 1;
    this.#lastFailureMs = Date.now();
  }

  answered(): void {
    this.#answers += 1;
    if (this.#failures === 0 || Date.now() - this.#lastFailureMs < calmMs) return;
    this.#log.info({ failures: this.#failures }, "the database is available again");
    this.#failures = 0;
  }
}
