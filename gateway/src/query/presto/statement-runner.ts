import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { type SlotLimits, Slots, abandoned } from "#query/slots.ts";
import type { Compiled } from "#query/sql/compile.ts";
import type { SqlSession } from "#query/sql/server.ts";
import { SlotRunner } from "#query/sql/slot-runner.ts";
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
 * hangs holds up no other engine. The server's own limits apply as well.
 */
export class StatementRunner extends SlotRunner<number, StatementSession> {
  readonly #server: StatementServer;

  constructor(server: StatementServer, limits: SlotLimits & { readonly slots: number; readonly timeoutMs: number }) {
    const numbers = Array.from({ length: limits.slots }, (_, index) => index);
    const slots = new Slots(numbers, limits, { subject: "The query server", work: "queries" });
    super(slots, limits.timeoutMs, (_slot, call, work, timeoutMs) => runOn(server, call, work, timeoutMs));
    this.#server = server;
  }

  /** Runs work without a slot, for work that has a limit elsewhere. */
  runBeside<T>(call: EngineCall, work: (session: StatementSession) => Promise<T>, timeoutMs: number): Promise<T> {
    return runOn(this.#server, call, work, timeoutMs);
  }
}

async function runOn<T>(
  server: StatementServer,
  { signal, user }: EngineCall,
  work: (session: StatementSession) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const endsAtMs = performance.now() + timeoutMs;
  const start = (statement: Compiled) => server.run(statement, { signal, user, timeoutMs: Math.max(1, endsAtMs - performance.now()) });
  async function* pages(statement: Compiled) {
    yield* (await start(statement)).pages;
  }
  try {
    return await work({
      signal,
      dialect: prestoDialect(await server.kind(signal)),
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

async function collect(pages: AsyncIterable<readonly (readonly unknown[])[]>): Promise<readonly (readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = [];
  for await (const page of pages) {
    rows.push(...page);
    if (rows.length > maxCollectedRows) throw new EngineFailed("upstream", "The query server sent more rows than it was asked for.");
  }
  return rows;
}
