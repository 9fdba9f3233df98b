import type { Column } from "@fairway/contract/columns";
import type { TimeExtent } from "@fairway/contract/datasets";
import type { Limits } from "@fairway/contract/limits";
import type { ArrowPart } from "#query/arrow/ipc-stream.ts";
import type {
  DatasetSource,
  EngineCall,
  ExportTarget,
  QueryableDataset,
  SearchQuery,
  SourceProblem,
  TimeDistributionQuery,
} from "#query/engine.ts";
import type { SlotLimits } from "#query/slots.ts";
import type { TextRow } from "./column-values-read.ts";
import type { Compiled } from "./compile.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

/** A slot lent to one query, in which statements run one after another. */
export interface SqlSession {
  /** Aborted when nobody waits for the query any more. */
  readonly signal: AbortSignal;
  readonly dialect: SqlDialect;
  /** All rows of a statement that has few. */
  rows(statement: Compiled): Promise<readonly (readonly unknown[])[]>;
}

export interface RunOptions {
  /** Cost relative to an ordinary search. */
  readonly weight?: number;
  /** For all statements of the work together. */
  readonly timeoutMs?: number;
}

/** One or more statements that run in one slot. */
export interface Part<T, Session> {
  /** Cost relative to an ordinary search. */
  readonly weight: number;
  readonly work: (session: Session) => Promise<T>;
}

/** Lends slots of a server. */
export interface SqlRunner<Session> {
  readonly running: number;
  readonly waiting: number;
  /** Rejects with EngineFailed. */
  run<T>(call: EngineCall, work: (session: Session) => Promise<T>, options?: RunOptions): Promise<T>;
  /** Runs the parts of one query one after another, with the timeout of one query; the slot is released between parts. */
  runInParts<T>(call: EngineCall, parts: readonly Part<T, Session>[]): Promise<T[]>;
}

/** A page of a search, whose limit has one more row than the caller gets. */
export interface SearchPage {
  readonly dataset: QueryableDataset;
  readonly table: SqlTable;
  readonly query: SearchQuery;
  readonly call: EngineCall;
}

/** Runs work on a dataset's table in a slot, and explains its failures. */
export type OnTable<Session> = <T>(call: EngineCall, work: (table: SqlTable, session: Session) => Promise<T>) => Promise<T>;

/**
 * The server that runs the statements of a `SqlEngine`. Everything in which DuckDB differs from Trino and Presto is behind this interface.
 */
export interface SqlServer<Session extends SqlSession> {
  readonly runner: SqlRunner<Session>;
  /** Whether rows are read to their end, which is one row after the limit at most, although there are enough of them. */
  readonly readsToEnd: boolean;
  /** The dialect before a slot is taken: some queries are planned first. */
  dialect(signal: AbortSignal): Promise<SqlDialect>;
  columns(source: DatasetSource, session: Session): Promise<Column[]>;
  /** Also rejects with SourceNotReady. */
  check(source: DatasetSource, columns: QueryableDataset["columns"], session: Session): Promise<readonly SourceProblem[]>;
  /** The table with the dataset's columns. Rejects with SourceNotReady if it lacks some. `only`: those that the query names. */
  table(dataset: QueryableDataset, session: Session, only?: ReadonlySet<string>): Promise<SqlTable>;
  /** The error that users get for one of work on a table: data that have changed meanwhile are the cause, whatever the server reports. */
  explain(error: unknown, dataset: QueryableDataset, session: Session): Promise<unknown>;
  /** A name of the source's data that changes when they do; absent if the server does not say when they change. */
  state?(source: DatasetSource, session: Session): Promise<string>;
  /** All rows of a statement that selects texts only. */
  rows(statement: Compiled, session: Session): Promise<readonly TextRow[]>;
  /** Streams rows as the texts of JSON objects with these columns. */
  texts(statement: Compiled, columns: readonly SqlColumn[], session: Session): AsyncIterable<readonly string[]>;
  /** Streams the rows of a page in their order, as `texts` does. */
  page(page: SearchPage, session: Session): AsyncIterable<readonly string[]>;
  /** The same rows as an Arrow stream of up to `limit` of them. Calls `onCut` if there are more. */
  arrow(page: SearchPage, limit: number, session: Session, onCut: () => void): AsyncIterable<ArrowPart>;
  /** First and last time of a dataset, read only if they are not known. */
  timeExtent(
    dataset: QueryableDataset & { readonly temporalField: string },
    call: EngineCall,
    onTable: OnTable<Session>,
  ): Promise<TimeExtent | null>;
  /** Whether a time distribution first finds out where the dataset's rows are. */
  needsExtent(query: TimeDistributionQuery): boolean;
  /** Writes rows without a slot: that may take hours, and exports have limits of their own. `table` was found in a slot. */
  export(
    dataset: QueryableDataset,
    table: SqlTable,
    query: Omit<SearchQuery, "offset">,
    target: ExportTarget,
    call: EngineCall,
  ): Promise<number>;
  /** Runs the statements of an export's rows, without a slot as well. `path`: beside this new file, what needs room is kept. */
  exporting<T>(dataset: QueryableDataset, path: string, call: EngineCall, work: (session: ExportSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Statements that select texts only. */
export interface ExportSession {
  readonly dialect: SqlDialect;
  readonly rows: (statement: Compiled) => Promise<readonly TextRow[]>;
  /** Streams the rows. */
  readonly pages: (statement: Compiled) => AsyncIterable<readonly TextRow[]>;
}

/** The limits of the slots of a server. */
export type SqlLimits = Pick<
  Limits,
  | "engineSlots"
  | "engineSlotsPerUser"
  | "lookupRows"
  | "engineQueue"
  | "engineQueuePerUser"
  | "engineWaitMs"
  | "queryTimeoutMs"
  | "graphBatchComparisons"
>;

export const slotLimits = (limits: SqlLimits): SlotLimits & { readonly timeoutMs: number } => ({
  perOwner: limits.engineSlotsPerUser,
  queue: limits.engineQueue,
  queuePerOwner: limits.engineQueuePerUser,
  waitMs: limits.engineWaitMs,
  timeoutMs: limits.queryTimeoutMs,
});
