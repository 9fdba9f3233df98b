import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from "@duckdb/node-api";
import { type EngineCall, EngineFailed } from "#query/engine.ts";
import type { Compiled } from "#query/sql/compile.ts";
import { Slots, type SlotLimits, abandoned } from "#query/slots.ts";

/** An interrupt sent before DuckDB's worker has started is lost, so it is sent again until the query has ended. */
const interruptEveryMs = 50;

/** A connection on loan for one question. */
export interface Running {
  /** Aborted when the caller leaves or time is up. */
  readonly signal: AbortSignal;
  /** All rows. */
  rows(statement: Compiled): Promise<readonly (readonly unknown[])[]>;
  /** The first column's texts, as DuckDB hands them over. */
  texts(statement: Compiled): AsyncIterable<readonly string[]>;
}

/** A statement, or several, that hold a slot together. */
export interface Part<T> {
  /** How much work it is; an ordinary search is 1. */
  readonly weight: number;
  readonly work: (running: Running) => Promise<T>;
}

/** Runs queries on a fixed number of connections, each for a limited time. */
export class QueryRunner {
  readonly #slots: Slots<DuckDBConnection>;
  readonly #timeoutMs: number;

  constructor(connections: readonly DuckDBConnection[], limits: SlotLimits & { readonly timeoutMs: number }) {
    this.#slots = new Slots(connections, limits, { subject: "The query engine", work: "queries" });
    this.#timeoutMs = limits.timeoutMs;
  }

  get running(): number {
    return this.#slots.taken;
  }

  get waiting(): number {
    return this.#slots.waiting;
  }

  /** Rejects with EngineFailed, whatever happened. The connection is idle again when the promise settles. */
  run<T>(call: EngineCall, work: (running: Running) => Promise<T>): Promise<T> {
    return this.#slots.use(call, (connection) => this.#runOn(connection, call.signal, work, this.#timeoutMs));
  }

  /**
   * The parts of one question, one after another. The slot goes back between them, so that a long question keeps nobody
   * waiting for longer than one of its parts takes. All parts together have the running time of one query.
   */
  async runInParts<T>(call: EngineCall, parts: readonly Part<T>[]): Promise<T[]> {
    const results: T[] = [];
    let leftMs = this.#timeoutMs;
    for (const { weight, work } of parts) {
      const result = await this.#slots.use(
        call,
        async (connection) => {
          const startedMs = performance.now();
          try {
            return await this.#runOn(connection, call.signal, work, leftMs);
          } finally {
            leftMs -= performance.now() - startedMs;
          }
        },
        weight,
      );
      results.push(result);
    }
    return results;
  }

  async #runOn<T>(
    connection: DuckDBConnection,
    signal: AbortSignal,
    work: (running: Running) => Promise<T>,
    timeoutMs: number,
  ): Promise<T> {
    const timeout = new AbortController();
    const either = AbortSignal.any([signal, timeout.signal]);
    let interrupts: NodeJS.Timeout | undefined;
    const stop = () => {
      connection.interrupt();
      interrupts = setInterval(() => connection.interrupt(), interruptEveryMs);
    };
    either.addEventListener("abort", stop, { once: true });
    if (either.aborted) throw abandoned(signal);
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    try {
      return await work({
        signal: either,
        rows: (statement) => readRows(connection, statement, either),
        texts: (statement) => readTexts(connection, statement, either),
      });
    } catch (error) {
      if (timeout.signal.aborted) throw this.#timedOut(error);
      if (signal.aborted) throw abandoned(signal);
      throw engineFailure(error);
    } finally {
      either.removeEventListener("abort", stop);
      clearInterval(interrupts);
      clearTimeout(timer);
    }
  }

  #timedOut(cause: unknown): EngineFailed {
    const seconds = this.#timeoutMs / 1_000;
    return new EngineFailed(
      "timed-out",
      `The query took longer than ${seconds} s and was stopped. Narrow it with a time range or more filters.`,
      { cause },
    );
  }
}

async function readRows(connection: DuckDBConnection, statement: Compiled, signal: AbortSignal) {
  const prepared = await prepare(connection, statement, signal);
  try {
    const result = await prepared.run();
    return await result.getRows();
  } finally {
    prepared.destroySync();
  }
}

async function* readTexts(connection: DuckDBConnection, statement: Compiled, signal: AbortSignal): AsyncGenerator<readonly string[]> {
  const prepared = await prepare(connection, statement, signal);
  try {
    const result = await prepared.stream();
    for (;;) {
      signal.throwIfAborted();
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk.getColumnValues(0) as string[];
    }
  } finally {
    prepared.destroySync();
  }
}

/** One statement, and one that only reads: `prepare` refuses several, the type refuses COPY and the like. */
async function prepare(connection: DuckDBConnection, { sql, parameters }: Compiled, signal: AbortSignal): Promise<DuckDBPreparedStatement> {
  signal.throwIfAborted();
  const prepared = await connection.prepare(sql);
  try {
    if (prepared.statementType !== StatementType.SELECT) throw new Error(`refused a statement of type ${prepared.statementType}`);
    for (const [index, value] of parameters.entries()) bind(prepared, index + 1, value);
    signal.throwIfAborted();
    return prepared;
  } catch (error) {
    prepared.destroySync();
    throw error;
  }
}

export function bind(prepared: DuckDBPreparedStatement, index: number, value: unknown): void {
  if (typeof value === "bigint") bindWhole(prepared, index, value);
  else if (typeof value === "number") prepared.bindDouble(index, value);
  else if (typeof value === "string") prepared.bindVarchar(index, value);
  else if (typeof value === "boolean") prepared.bindBoolean(index, value);
  else throw new Error(`a parameter of type ${typeof value} cannot be bound`);
}

const [least64, most64, most128] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 127n - 1n];

/** Of 128 bits where 64 would cut it. What is larger still compares like the largest one. */
function bindWhole(prepared: DuckDBPreparedStatement, index: number, value: bigint): void {
  if (value >= least64 && value <= most64) prepared.bindBigInt(index, value);
  else prepared.bindHugeInt(index, value > most128 ? most128 : value < -most128 ? -most128 : value);
}

/** DuckDB's failure as one that people may be told. Its own text names files and SQL, so it stays in the cause. */
export function engineFailure(error: unknown): EngineFailed {
  if (error instanceof EngineFailed) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (text.startsWith("Out of Memory Error")) {
    return new EngineFailed(
      "out-of-memory",
      "The query needs more memory than the engine may use. Narrow it with a time range or more filters.",
      {
        cause: error,
      },
    );
  }
  return new EngineFailed("failed", "The query failed in the engine.", { cause: error });
}
