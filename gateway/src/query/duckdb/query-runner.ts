import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBPreparedStatement,
  type DuckDBTypeId,
  StatementType,
} from "@duckdb/node-api";
import { EngineFailed } from "#query/engine.ts";
import type { Compiled } from "#query/sql/compile.ts";
import type { SqlSession } from "#query/sql/server.ts";
import { SlotRunner } from "#query/sql/slot-runner.ts";
import { Slots, type SlotLimits, abandoned } from "#query/slots.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { type TraceSpan, currentSpan } from "#tracing/trace.ts";
import { duckDbDialect } from "./dialect.ts";

/** An interrupt sent before DuckDB's worker has started is lost, so it is repeated until the query has ended. */
const interruptIntervalMs = 50;

/** A connection lent to one query. Its signal is also aborted when the query times out. */
export interface QueryConnection extends SqlSession {
  /** Streams the texts of the first column, in DuckDB's chunks. */
  texts(statement: Compiled): AsyncIterable<readonly string[]>;
  /** Streams what `read` makes of the result. */
  stream<T>(statement: Compiled, read: ReadResult<T>): AsyncIterable<T>;
}

/** A result while the engine computes it. */
export interface StreamedResult {
  readonly typeIds: readonly DuckDBTypeId[];
  /** Each one is valid until the next one is read. */
  readonly chunks: AsyncIterable<DuckDBDataChunk>;
}

export type ReadResult<T> = (result: StreamedResult) => AsyncIterable<T>;

/** Runs queries on a fixed number of connections. A connection is idle again when its work settles. */
export class QueryRunner extends SlotRunner<DuckDBConnection, QueryConnection> {
  constructor(
    connections: readonly DuckDBConnection[],
    limits: SlotLimits & { readonly timeoutMs: number },
    onWaited?: (waitedMs: number) => void,
  ) {
    const slots = new Slots(connections, limits, { subject: "The query engine", work: "queries" }, onWaited);
    super(slots, limits.timeoutMs, (connection, { signal }, work, timeoutMs) =>
      runOn(connection, signal, work, { timeoutMs, usualMs: limits.timeoutMs }),
    );
  }
}

async function runOn<T>(
  connection: DuckDBConnection,
  signal: AbortSignal,
  work: (connection: QueryConnection) => Promise<T>,
  { timeoutMs, usualMs }: { readonly timeoutMs: number; readonly usualMs: number },
): Promise<T> {
  const timeout = new AbortController();
  const combined = AbortSignal.any([signal, timeout.signal]);
  if (combined.aborted) throw abandoned(signal);
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    return await interruptible(connection, combined, () =>
      work({
        signal: combined,
        dialect: duckDbDialect,
        rows: (statement) => readRows(connection, statement, combined),
        texts: (statement) => streamResult(connection, statement, combined, readTexts),
        stream: (statement, read) => streamResult(connection, statement, combined, read),
      }),
    );
  } catch (error) {
    if (timeout.signal.aborted) throw timedOut(usualMs, error);
    if (signal.aborted) throw abandoned(signal);
    throw engineFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Interrupts the connection's statement if the signal aborts. */
export async function interruptible<T>(connection: DuckDBConnection, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let interrupts: NodeJS.Timeout | undefined;
  const stop = () => {
    connection.interrupt();
    interrupts = setInterval(() => connection.interrupt(), interruptIntervalMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", stop);
    clearInterval(interrupts);
  }
}

const timedOut = (limitMs: number, cause: unknown): EngineFailed =>
  new EngineFailed(
    "timed-out",
    `The query took longer than ${limitMs / 1_000} s and was stopped. Narrow it with a time range or more filters.`,
    { cause },
  );

async function readRows(connection: DuckDBConnection, statement: Compiled, signal: AbortSignal) {
  const prepared = await prepare(connection, statement, signal);
  try {
    const result = await prepared.run();
    const rows = await result.getRows();
    describe(currentSpan(), statement, rows.length);
    return rows;
  } finally {
    prepared.destroySync();
  }
}

/** Texts of rows that are decoded at once: a chunk has up to 2,048 rows of any length. */
const charactersAtOnce = 1_000_000;

async function* readTexts({ chunks }: StreamedResult): AsyncGenerator<readonly string[]> {
  const slice = new TimeSlice();
  for await (const chunk of chunks) {
    const column = chunk.getColumnVector(0);
    let texts: string[] = [];
    let characters = 0;
    for (let row = 0; row < chunk.rowCount; row += 1) {
      const text = column.getItem(row) as string;
      texts.push(text);
      characters += text.length;
      if (characters < charactersAtOnce) continue;
      yield texts;
      texts = [];
      characters = 0;
      await slice.end();
    }
    if (texts.length > 0) yield texts;
  }
}

/** Runs a statement and passes on what `read` makes of its chunks. Stops with its reader. */
export async function* streamResult<T>(
  connection: DuckDBConnection,
  statement: Compiled,
  signal: AbortSignal,
  read: ReadResult<T>,
): AsyncGenerator<T> {
  // Whoever reads the stream later may be in another span.
  const span = currentSpan();
  const prepared = await prepare(connection, statement, signal);
  let rows = 0;
  try {
    const result = await prepared.stream();
    async function* chunks(): AsyncGenerator<DuckDBDataChunk> {
      for (;;) {
        signal.throwIfAborted();
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) return;
        rows += chunk.rowCount;
        yield chunk;
      }
    }
    yield* read({ typeIds: result.columnTypes().map(({ typeId }) => typeId), chunks: chunks() });
  } finally {
    describe(span, statement, rows);
    prepared.destroySync();
  }
}

const maxStatementCharacters = 2_000;

/** Values are parameters and never part of the text. */
function describe(span: TraceSpan, { sql }: Compiled, rows: number): void {
  span.set("db.system.name", "duckdb");
  span.set("db.query.text", sql.slice(0, maxStatementCharacters));
  span.set("db.response.returned_rows", rows);
}

/** Accepts a single read-only statement: `prepare` rejects several, and the type check rejects statements such as COPY. */
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
  if (typeof value === "bigint") bindInteger(prepared, index, value);
  else if (typeof value === "number") prepared.bindDouble(index, value);
  else if (typeof value === "string") prepared.bindVarchar(index, value);
  else if (typeof value === "boolean") prepared.bindBoolean(index, value);
  else throw new Error(`a parameter of type ${typeof value} cannot be bound`);
}

const [min64, max64, max128] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 127n - 1n];

/** Uses 128 bits if the value does not fit into 64. Larger values are clamped, which compares the same. */
function bindInteger(prepared: DuckDBPreparedStatement, index: number, value: bigint): void {
  if (value >= min64 && value <= max64) prepared.bindBigInt(index, value);
  else prepared.bindHugeInt(index, value > max128 ? max128 : value < -max128 ? -max128 : value);
}

/** Converts DuckDB's error to one that users may see. Its own text contains files and SQL and stays in the cause. */
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
