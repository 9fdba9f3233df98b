import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { type SlotLimits, Slots, abandoned } from "#query/slots.ts";
import type { Compiled } from "#query/sql/compile.ts";
import type { Part, RunOptions, SqlRunner, SqlSession } from "#query/sql/server.ts";
import type { StatementServer } from "./client/statements.ts";
import { prestoDialect } from "./dialect.ts";

/** A slot lent to one query. */
export interface StatementSession extends SqlSession {
  /** The user name of the person for whom it runs; undefined for the portal itself. */
  readonly user: string | undefined;
  /** Streams rows as the server sends them. */
  pages(statement: Compiled): AsyncIterable<readonly (readonly unknown[])[]>;
}

/** No statement whose rows are collected has nearly as many. */
const maxCollectedRows = 200_000;

/**
 * Runs statements on one server, at most as many at a time as there are slots. The slots are its own, so that a server that
 * hangs holds up no other engine.
 */
export class StatementRunner implements SqlRunner<StatementSession> {
  readonly #server: StatementServer;
  readonly #slots: Slots<number>;
  readonly #timeoutMs: number;

  constructor(server: StatementServer, limits: SlotLimits & { readonly slots: number; readonly timeoutMs: number }) {
    this.#server = server;
    const slots = Array.from({ length: limits.slots }, (_, index) => index);
    this.#slots = new Slots(slots, limits, { subject: "The query server", work: "queries" });
    this.#timeoutMs = limits.timeoutMs;
  }

  get running(): number {
    return this.#slots.inUse;
  }

  get waiting(): number {
    return this.#slots.waiting;
  }

  /** Rejects with EngineFailed. The server's own limits apply as well. */
  run<T>(call: EngineCall, work: (session: StatementSession) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const { weight = 1, timeoutMs = this.#timeoutMs } = options;
    return this.#slots.use(call, () => this.#work(call, work, timeoutMs), weight);
  }

  /** Runs work without a slot, for work that has a limit elsewhere. */
  runBeside<T>(call: EngineCall, work: (session: StatementSession) => Promise<T>, timeoutMs: number): Promise<T> {
    return this.#work(call, work, timeoutMs);
  }

  /** Runs the parts of one query one after another, with the timeout of one query; the slot is released between parts. */
  async runInParts<T>(call: EngineCall, parts: readonly Part<T, StatementSession>[]): Promise<T[]> {
    const results: T[] = [];
    let remainingMs = this.#timeoutMs;
    for (const { weight, work } of parts) {
      const result = await this.#slots.use(
        call,
        async () => {
          const startedMs = performance.now();
          try {
            return await this.#work(call, work, remainingMs);
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

  async #work<T>({ signal, user }: EngineCall, work: (session: StatementSession) => Promise<T>, timeoutMs: number): Promise<T> {
    const endsAtMs = performance.now() + timeoutMs;
    const start = (statement: Compiled) =>
      this.#server.run(statement, { signal, user, timeoutMs: Math.max(1, endsAtMs - performance.now()) });
    async function* pages(statement: Compiled) {
      yield* (await start(statement)).pages;
    }
    try {
      return await work({
        signal,
        dialect: prestoDialect(await this.#server.kind(signal)),
        user,
        rows: (statement) => collect(pages(statement)),
        pages,
      });
    } catch (error) {
      if (error instanceof EngineFailed) throw error;
      if (signal.aborted) throw abandoned(signal);
      throw new EngineFailed("failed", "The query failed in the engine.", { cause: error });
    }
  }
}

async function collect(pages: AsyncIterable<readonly (readonly unknown[])[]>): Promise<readonly (readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = [];
  for await (const page of pages) {
    rows.push(...page);
    if (rows.length > maxCollectedRows) throw new EngineFailed("upstream", "The query server sent more rows than it was asked for.");
  }
  return rows;
}
