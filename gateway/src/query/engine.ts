import type { Ring } from "@fairway/contract/areas";
import type { AggregationType, CellValue } from "@fairway/contract/search";
import type { ColumnProfile, Suggestions } from "@fairway/contract/column-values";
import type { Column, ColumnType, Operator } from "@fairway/contract/columns";
import type { Feature, TimeExtent } from "@fairway/contract/datasets";
import type { ExternalApi, ExternalDataset } from "@fairway/contract/external-datasets";
import type { ExportFormat } from "@fairway/contract/exports";

/** Where a dataset's rows are: files below the data folder (a glob), a table of an engine, or an api of an upstream service. */
export type DatasetSource =
  | { kind: "files"; glob: string; format: "parquet" | "csv" | "json" }
  | { kind: "table"; name: string }
  | ({ kind: "rest" } & RestSource);

export interface RestSource {
  readonly baseRoute: string;
  readonly api: ExternalApi;
  readonly keystore: { readonly path: string; readonly type: "PEM" | "PKCS12" } | null;
  readonly apiKeyHeader: string | null;
  /** Asked for when they are used, so that nothing that writes a source down writes them. Throws UnreadableCiphertext. */
  readonly secrets: () => Pick<ExternalDataset, "keystoreCredential" | "apiKeyCredential">;
}

/** What an engine needs to know of a dataset to answer questions about it. */
export interface QueryableDataset {
  readonly category: string;
  readonly id: string;
  readonly source: DatasetSource;
  /** Plain columns in their order; combined ones have no value of their own and are left out. */
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly temporalField: string | null;
  /** The numeric columns that say where a row is, in degrees; null where nothing does. */
  readonly location: { readonly latitude: string; readonly longitude: string } | null;
  /** The order where nobody asks for another. Has to be unique where the source has no file order to settle ties. */
  readonly orderBy: readonly OrderKey[];
  readonly features: ReadonlySet<Feature>;
}

export interface OrderKey {
  readonly column: string;
  readonly direction: "asc" | "desc";
}

/** A condition that fits its column: the value is parsed, the operator allowed. */
export interface Condition {
  readonly column: string;
  readonly type: ColumnType;
  readonly operator: Operator;
  /** Integers as bigint, decimals as number, timestamps as epoch milliseconds (bigint) whatever the column's unit. */
  readonly value: string | boolean | bigint | number;
  /** Of a decimal that was sent as a text: the text, which may have more digits than a number can hold. */
  readonly digits?: string;
}

/** A search whose every name and value has been checked against the dataset. AND of all conditions. */
export interface SearchQuery {
  /** Both ends inclusive. */
  readonly timeRange: { readonly column: string; readonly type: ColumnType; readonly startMs: number; readonly endMs: number } | null;
  /**
   * Rows within any of the rings, by the even-odd rule; on an edge, those on the south and west side count as within, and
   * on the world's own edges (the poles, the antimeridian as 180 or -180) all that a ring reaches.
   * Rings are valid and do not cross themselves. Rows without a place match none.
   */
  readonly area: { readonly latitude: string; readonly longitude: string; readonly rings: readonly Ring[] } | null;
  readonly conditions: readonly Condition[];
  readonly sort: readonly OrderKey[];
  readonly offset: number;
  readonly limit: number;
}

export interface Aggregation {
  readonly type: AggregationType;
  /** A column's name, or `*` with `count` only. */
  readonly column: string;
}

/** A narrower part of a search, AND-ed with it. */
export interface AggregationGroup {
  readonly timeRange: SearchQuery["timeRange"];
  readonly conditions: readonly Condition[];
}

/** One item's rows that have a time and a place, in time order; of every interval, counted from 1970, the first one. */
export interface PathAsk {
  readonly time: string;
  readonly place: { readonly latitude: string; readonly longitude: string };
  /** Milliseconds; 0 keeps every row. */
  readonly intervalMs: number;
}

export interface MapQueries {
  /**
   * The newest row of each item, in the asked-for sort, else the newest first. Of several equally new ones that which stands first in the dataset's
   * order. Rows without an item or a time are left out.
   */
  latest(
    dataset: QueryableDataset,
    by: { readonly item: string; readonly time: string },
    query: Omit<SearchQuery, "offset">,
    call: EngineCall,
  ): Promise<RowStream>;
  /** A page of a path; each row holds these columns. */
  path(
    dataset: QueryableDataset,
    ask: PathAsk & { readonly columns: readonly string[] },
    query: Omit<SearchQuery, "sort">,
    call: EngineCall,
  ): Promise<RowStream>;
  /** The rows of a path on all its pages. */
  countPath(
    dataset: QueryableDataset,
    ask: PathAsk,
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<number>;
}

/** The engine could not answer. The message is for people and holds no secret and no SQL; the cause is for the log. */
export class EngineFailed extends Error {
  /** `too-many`: too much of the owner's work waits already. `too-much`: one question takes more work than a call may. `abandoned`: the caller left, so nobody reads this. `unsupported`: the caller asks what this source cannot answer. */
  readonly reason:
    | "busy"
    | "too-many"
    | "too-much"
    | "timed-out"
    | "upstream"
    | "out-of-memory"
    | "abandoned"
    | "unsupported"
    | "not-ready"
    | "failed";
  readonly retryAfterSeconds: number | undefined;
  constructor(reason: EngineFailed["reason"], message: string, more: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: more.cause });
    this.reason = reason;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** Why the data of a dataset cannot be read as the dataset describes them. */
export interface SourceProblem {
  readonly code: "data-missing" | "data-unreadable" | "column-missing" | "column-type" | "no-engine";
  /** Completes "The dataset cannot be searched: …". Names columns, but no files. */
  readonly reason: string;
  /** For administrators: what the engine said, with files as paths below the data folder; of a column its type in the data. */
  readonly detail?: string;
  /** The described column that the problem is about. */
  readonly column?: string;
}

/** The data of a dataset cannot be read as described, whatever is asked. Lasts until an administrator mends the dataset or its data. */
export class SourceNotReady extends EngineFailed {
  readonly problems: readonly [SourceProblem, ...SourceProblem[]];
  /** `dataset`: its id, where it is known. */
  constructor(problems: readonly [SourceProblem, ...SourceProblem[]], more: { dataset?: string; cause?: unknown } = {}) {
    const { dataset, cause } = more;
    const [{ reason }] = problems;
    const message =
      dataset === undefined
        ? `The dataset cannot be read: ${reason}.`
        : `The dataset '${dataset}' cannot be searched now: ${reason}. Tell an administrator.`;
    super("not-ready", message, { cause, retryAfterSeconds: 60 });
    this.problems = problems;
  }
}

/** Files that are not what their format asks for. */
export class UnreadableData extends EngineFailed {
  /** The engine's reason as part of a sentence; names no file outside the data folder. */
  readonly why: string;
  constructor(format: "CSV" | "JSON" | "Parquet", why: string, cause?: unknown) {
    super("failed", `The data cannot be read as ${format}: ${why}.`, { cause });
    this.why = why;
  }
}

/** Rows on their way out. */
export interface RowStream {
  /** The rows as JSON texts of arrays' insides: joined by nothing between `[` and `]` they make one JSON array. */
  readonly chunks: AsyncIterable<string>;
  /** Settled when the chunks have ended: whether more rows matched than `limit`. */
  readonly more: Promise<boolean>;
}

/** A file that an engine writes. */
export interface ExportTarget {
  readonly format: ExportFormat;
  /** A new file below the folder that the engine was opened with for exports. What a failure leaves of it is the caller's to remove. */
  readonly path: string;
  /** The columns of a CSV file in their order, combined ones among them. JSON and Parquet hold every plain column. */
  readonly csvColumns: readonly Column[];
  /** Told now and then how many rows are written. */
  readonly onRows: (rows: number) => void;
}

/** On whose behalf a question is asked, and for how long the answer is wanted. */
export interface EngineCall {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /**
   * Who shares the engine with others: the id of an account, whether it calls by itself or by one of its API keys. What the
   * portal asks on its own behalf has an owner, too.
   */
  readonly owner: string;
}

/** Answers questions about datasets. Speaks SearchQuery, never SQL: a REST source has none. */
export interface QueryEngine {
  readonly features: ReadonlySet<Feature>;
  /** Whether rows come in an order that the caller asks for. */
  readonly sorts: boolean;
  /** Whether it aggregates many groups at once, instead of asking once for each. */
  readonly groups: boolean;
  /** The source's columns as the engine sees them, with the product's types. */
  columns(source: DatasetSource, call: EngineCall): Promise<Column[]>;
  /**
   * What of the source cannot be read as these columns: lines and values, counted and named by the first of each, one sentence per kind. They are
   * empty or left out in every answer. Looks at all data, or at the first of large ones, which it says. An engine without it does not know.
   */
  inspect?(source: DatasetSource, columns: QueryableDataset["columns"], call: EngineCall): Promise<readonly string[]>;
  /**
   * Rows in the asked-for sort, else in the dataset's order; ties in file order, so that pages fit together. Rejects with EngineFailed before the first
   * chunk; never answers nothing for a failure. Aborting the call's signal stops the query in the engine.
   */
  search(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream>;
  /** The first rows found, without a full scan or a sort. */
  sample(dataset: QueryableDataset, query: Pick<SearchQuery, "conditions" | "limit">, call: EngineCall): Promise<RowStream>;
  /** One value per group and aggregation, in one scan where the engine can. No groups means one group: the whole search. */
  aggregate(
    dataset: QueryableDataset,
    aggregations: readonly Aggregation[],
    groups: readonly AggregationGroup[],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<CellValue[][]>;
  /** Values of a column, out of the rows met first. An engine without it suggests nothing. */
  suggest?(
    dataset: QueryableDataset,
    ask: { readonly column: string; readonly contains: string; readonly rows: number },
    query: Pick<SearchQuery, "timeRange" | "conditions">,
    call: EngineCall,
  ): Promise<Suggestions>;
  /** What a column holds in all rows of a search. */
  profile?(
    dataset: QueryableDataset,
    column: string,
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<ColumnProfile>;
  /**
   * Writes every row of a search, up to its limit and in its order, and answers how many. Not bound by the time limit of queries: the call's signal ends it.
   * An engine without it exports nothing.
   */
  export?(dataset: QueryableDataset, query: Omit<SearchQuery, "offset">, target: ExportTarget, call: EngineCall): Promise<number>;
  /** What maps are made from. An engine without it has none. */
  readonly maps?: MapQueries;
  /**
   * What keeps the dataset's data from being read as described; empty where nothing does. Looks at names and types, not at rows. An engine
   * without it finds out only when it is asked for rows. Rejects with EngineFailed where it could not look.
   */
  check?(dataset: Pick<QueryableDataset, "source" | "columns">, call: EngineCall): Promise<readonly SourceProblem[]>;
  /** First and last time in the data, null when it holds none. */
  timeExtent(dataset: QueryableDataset, call: EngineCall): Promise<TimeExtent | null>;
  /** Rejects when the engine cannot answer a trivial question. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
