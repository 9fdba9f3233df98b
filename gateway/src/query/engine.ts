import type { AggregationType, CellValue } from "@fairway/contract/search";
import type { ColumnProfile, Suggestions } from "@fairway/contract/column-values";
import type { DatasetProfile } from "@fairway/contract/dataset-profiles";
import type { ColumnDistributions, TimeDistribution } from "@fairway/contract/distributions";
import type { Column, ColumnType } from "@fairway/contract/columns";
import type { CellRange } from "@fairway/contract/grid-cells";
import type { Feature, TimeExtent } from "@fairway/contract/datasets";
import type { ExternalApi, ExternalDataset } from "@fairway/contract/external-datasets";
import type { ExportFormat } from "@fairway/contract/exports";
import type { LookupReport } from "@fairway/contract/lookups";
import type { Expression } from "@fairway/expressions/tree";
import type { Reading, ReadingChoices, ReadingHints, StoredReading, Unreadable } from "@fairway/contract/readings";
import type { BreakdownPage, BreakdownQuery, BreakdownResult, ExplainedBreakdown } from "./breakdown.ts";
import type { Scope } from "./scope.ts";
import type { Condition, OrderKey, SearchQuery } from "./search-query.ts";

export type {
  AlternativesCondition,
  BoxCondition,
  CalendarCondition,
  ComparisonCondition,
  Condition,
  ListCondition,
  Operand,
  OrderKey,
  PlainCondition,
  RangeCondition,
  SearchQuery,
  TextCondition,
} from "./search-query.ts";

/**
 * Location of a dataset's rows: files below the data folder or in a bucket (a glob), copies of the latter, a table of an engine, or an API
 * of an upstream service.
 */
export type DatasetSource =
  | ({ kind: "files"; glob: string; format: FileFormat } & TextSource)
  | CopiedSource
  | ImportedSource
  | { kind: "table"; name: string }
  | ({ kind: "rest" } & RestSource);

export type FileFormat = "parquet" | "csv" | "json" | "xlsx";

/** How text files and sheets are read. Only `reading` is stored. */
export interface TextSource {
  /** Without it, the rules apply anew at each reading. */
  readonly reading?: StoredReading | undefined;
  /** Choices of the caller that override the stored ones. */
  readonly choices?: ReadingChoices | undefined;
  readonly hints?: ReadingHints | undefined;
  /** Whether all lines of large files are checked, which takes long. */
  readonly checksAll?: boolean | undefined;
}

/** Files that users have brought, in the portal's own store. They never change. */
/** Names of columns by those in a file. */
type ColumnNames = Readonly<Record<string, string>>;

export interface ImportedSource extends TextSource {
  readonly kind: "imported";
  readonly format: FileFormat;
  /** In order. `key`: in the store; `name`: as users know it; `renamed`: other names for columns of a CSV file. */
  readonly files: readonly { readonly key: string; readonly name: string; readonly bytes: number; readonly renamed?: ColumnNames }[];
}

/** Local copies of files of a dataset in a bucket, for one query. Never stored. */
export interface CopiedSource extends TextSource {
  readonly kind: "copies";
  /** Names the source and which of its files these are. */
  readonly key: string;
  /** Changes when the files do. */
  readonly state: string;
  readonly format: FileFormat;
  /** In order; `name` is for messages to administrators. */
  readonly files: readonly { readonly path: string; readonly name: string; readonly bytes: number; readonly renamed?: ColumnNames }[];
  /** Columns whose values stand in the paths, with their SQL types. */
  readonly partitions: readonly { readonly name: string; readonly type: string }[];
}

export interface RestSource {
  readonly baseRoute: string;
  readonly api: ExternalApi;
  readonly keystore: { readonly path: string; readonly type: "PEM" | "PKCS12" } | null;
  readonly apiKeyHeader: string | null;
  /** Decrypted on use, so that logging or serializing a source never reveals them. Throws UnreadableCiphertext. */
  readonly secrets: () => Pick<ExternalDataset, "keystoreCredential" | "apiKeyCredential">;
}

/** The part of a dataset that an engine needs to query it. */
export interface QueryableDataset {
  readonly category: string;
  readonly id: string;
  readonly source: DatasetSource;
  /** The part of the source that is read. */
  readonly scope: Scope;
  /** Plain columns in order; combined columns have no value of their own and are omitted. */
  readonly columns: readonly { readonly name: string; readonly type: ColumnType; readonly day?: boolean | undefined }[];
  /** How those of the columns are made that the source does not hold, in this order. */
  readonly derived?: readonly DerivedStep[] | undefined;
  readonly temporalField: string | null;
  /** The numeric columns that hold a row's position, in degrees; null if there are none. */
  readonly location: { readonly latitude: string; readonly longitude: string } | null;
  /** Conditions that the dataset itself sets for every search of it; queries have them among theirs. */
  readonly ownConditions: readonly Condition[];
  /** The default order. Must be unique if the source has no file order to break ties. */
  readonly orderBy: readonly OrderKey[];
  readonly features: ReadonlySet<Feature>;
}

type PlainColumn = QueryableDataset["columns"][number];

/** A column whose values are computed from other columns of the same row. */
export interface ComputedStep {
  readonly kind: "computed";
  readonly column: PlainColumn;
  readonly expression: Expression;
}

/**
 * Columns of another dataset, whose row is found by a key. Never changes the number of rows: without a match there is no value, and
 * where rows with the same key differ in a column, that column has none.
 */
export interface LookupStep {
  readonly kind: "lookup";
  /** As the reader may read it. Its own conditions apply. */
  readonly dataset: QueryableDataset;
  readonly match: "exact" | "loose";
  /** Columns of the row, and those of the other dataset that equal them. */
  readonly key: readonly { readonly column: string; readonly on: string }[];
  readonly columns: readonly { readonly from: string; readonly column: PlainColumn }[];
}

/** A dataset that is looked up, before it is known for what. */
export type OtherTable = Pick<LookupStep, "dataset" | "match">;

export interface KeyMatch {
  /** Different values that were tried. */
  readonly values: number;
  readonly found: number;
}

/** Makes columns from those of the source and of earlier steps. */
export type DerivedStep = ComputedStep | LookupStep;

/** `byDay`: in buckets of one day of UTC each. The time range then has both ends, a few months apart. */
export interface TimeDistributionQuery extends Pick<SearchQuery, "timeRange" | "area" | "conditions"> {
  readonly byDay?: boolean;
}

export interface Aggregation {
  readonly type: AggregationType;
  /** A column's name, or `*` with `count` only. */
  readonly column: string;
}

/** A subset of a search: its conditions are AND-ed with those of the search. */
export interface AggregationGroup {
  readonly timeRange: SearchQuery["timeRange"];
  readonly conditions: readonly Condition[];
}

/** One item's rows that have a time and a position, in time order; only the first row of each interval, counted from 1970. */
export interface PathRequest {
  readonly time: string;
  readonly location: { readonly latitude: string; readonly longitude: string };
  /** Milliseconds; 0 keeps every row. */
  readonly intervalMs: number;
}

/** Rows per cell of the map, of the dataset's rows by their location. */
export interface GridQuery extends Pick<SearchQuery, "timeRange" | "area" | "conditions"> {
  readonly level: number;
  readonly location: { readonly latitude: string; readonly longitude: string };
  /** The cells that are asked for, whose box is one of the conditions; null: those of the whole world. */
  readonly cells: CellRange | null;
  readonly measure: Aggregation | null;
  /**
   * Counts each cell in steps of time as well. Step n is from edge n to the next one, in epoch milliseconds, both whole minutes. Nothing is
   * answered of the steps if more than `maxFrames` pairs of cell and step have rows.
   */
  readonly time?: { readonly column: string; readonly edgesMs: readonly number[]; readonly maxFrames: number };
}

/** The cells with rows, by their row from the north, then by their column from the antimeridian. */
export interface GridResult {
  /** Some cells each, as the inside of JSON arrays. `counted`: the rows that have a value of the measure. */
  readonly parts: readonly {
    readonly x: string;
    readonly y: string;
    readonly rows: string;
    readonly counted?: string;
    readonly value?: string;
  }[];
  /** Rows in cells. */
  readonly placed: number;
  /** Rows without one of the coordinates. Only of the whole world, as are those that are no place. */
  readonly missing: number;
  readonly outOfRange: number;
  /** Placed rows beyond the latitudes of the square map. */
  readonly polar: number;
  /** Only of a query with time. `too-many`: there are more frames than the query allows. */
  readonly time?: GridSteps | "too-many";
}

/** The steps of cells that have rows. */
export interface GridSteps {
  /** Rows in each step, of all cells. */
  readonly rows: readonly number[];
  /** Rows in cells that have no time, or one in no step. */
  readonly untimed: number;
  readonly elsewhen: number;
  /** Some frames each, by cell, then step, as the inside of JSON arrays. `cell`: the index of the cell; `value`: of an average the sum. */
  readonly frames: readonly {
    readonly cell: string;
    readonly bucket: string;
    readonly rows: string;
    readonly counted?: string;
    readonly value?: string;
  }[];
}

/** The paths of all items, thinned to at most about `points` together. */
export interface TracksRequest extends Omit<PathRequest, "intervalMs"> {
  readonly item: string;
  /** Of all tracks together; with too many items for `perTrack.min` points each, only the items seen last are included. */
  readonly points: number;
  readonly perTrack: { readonly min: number; readonly max: number };
  /**
   * Further columns of the rows. With a number among them, each part has the rows with the least and the greatest value of the first one
   * as well, and there are a third as many parts.
   */
  readonly values?: readonly string[];
  /** Cells of the map in each of which each part of a track has its first row as well, as far as the points suffice. */
  readonly refined?: { readonly level: number; readonly cells: CellRange };
}

export interface MapQueries {
  /**
   * The newest row of each item, in the requested sort or newest first. Ties go to the row that comes first in the dataset's order.
   * Rows without an item or a time are omitted.
   */
  latest(
    dataset: QueryableDataset,
    by: { readonly item: string; readonly time: string },
    query: Omit<SearchQuery, "offset">,
    call: EngineCall,
  ): Promise<RowStream>;
  /** A page of a path; each row holds the requested columns. */
  path(
    dataset: QueryableDataset,
    request: PathRequest & { readonly columns: readonly string[] },
    query: Omit<SearchQuery, "sort">,
    call: EngineCall,
  ): Promise<RowStream>;
  /**
   * Of each item the first row with a time and a position in equal parts of its time, and its last one. Rows hold item, time,
   * latitude, longitude and the requested values, in no particular order. There are more only if `refined` would take more points than
   * there are; no other row is left out then.
   */
  tracks(
    dataset: QueryableDataset,
    request: TracksRequest,
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<RowStream>;
  /** The number of rows of a path, over all its pages. */
  countPath(
    dataset: QueryableDataset,
    request: PathRequest,
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<number>;
}

/** The tables of an engine's server, for choosing one as a source. All calls reject with EngineFailed. */
export interface TableCatalog {
  /**
   * Catalogs, schemas of the catalog, or tables of the schema that `within` names (empty, one part or two), by name. `contains`
   * is a part of the name in any case. Rejects with SourceNotReady if there is no such catalog.
   */
  list(within: string, request: { readonly contains: string; readonly limit: number }, call: EngineCall): Promise<TableListing>;
  /** The columns by which a table's rows are stored apart, outermost first: filters on them save reading the rest. */
  partitions(source: DatasetSource, call: EngineCall): Promise<readonly string[]>;
}

export interface TableListing {
  readonly kind: "catalog" | "schema" | "table";
  /** `path` is the full name, quoted where necessary. */
  readonly entries: readonly { readonly name: string; readonly path: string }[];
  /** Whether there are more than the limit. */
  readonly isCut: boolean;
}

/** The engine could not answer. The message is shown to users and holds neither secrets nor SQL; the cause is for the log. */
export class EngineFailed extends Error {
  /**
   * `too-many`: the owner already has too many queries waiting. `too-much`: one query needs more work than a call may.
   * `abandoned`: the caller disconnected, so this is never shown. `unsupported`: the source cannot answer this kind of query.
   */
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
  constructor(reason: EngineFailed["reason"], message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Why a dataset's data cannot be read as the dataset describes it. */
export interface SourceProblem {
  readonly code: "data-missing" | "data-unreadable" | "column-missing" | "column-type" | "no-engine";
  /** Completes "The dataset cannot be searched: …". May name columns, but no files. */
  readonly reason: string;
  /** For administrators: the engine's message, with file paths relative to the data folder, or a column's actual type. */
  readonly detail?: string;
  /** The affected column. */
  readonly column?: string;
}

/** The dataset's data cannot be read as described by any query, until an administrator fixes the dataset or its data. */
export class SourceNotReady extends EngineFailed {
  readonly problems: readonly [SourceProblem, ...SourceProblem[]];
  /** `dataset`: the dataset's id, if known. */
  constructor(problems: readonly [SourceProblem, ...SourceProblem[]], options: { dataset?: string; cause?: unknown } = {}) {
    const { dataset, cause } = options;
    const [{ reason }] = problems;
    const message =
      dataset === undefined
        ? `The dataset cannot be read: ${reason}.`
        : `The dataset '${dataset}' cannot be searched now: ${reason}. Tell an administrator.`;
    super("not-ready", message, { cause, retryAfterSeconds: 60 });
    this.problems = problems;
  }
}

/** The files are not valid in their format. */
export class UnreadableData extends EngineFailed {
  /** The engine's reason as part of a sentence; names no file outside the data folder. */
  readonly detail: string;
  constructor(format: "CSV" | "JSON" | "Parquet" | "XLSX", detail: string, cause?: unknown) {
    super("failed", `The data cannot be read as ${format}: ${detail}.`, { cause });
    this.detail = detail;
  }
}

/** Rows as they are sent to the caller. */
export interface RowStream<Chunk extends string | Uint8Array = string> {
  /** Texts are pieces of the inside of one JSON array: concatenated between `[` and `]`, they form valid JSON. */
  readonly chunks: AsyncIterable<Chunk>;
  /** Whether more rows matched than `limit`. Settles once the chunks have ended. */
  readonly hasMore: Promise<boolean>;
}

/** A file that an engine writes. */
export interface ExportTarget {
  readonly format: ExportFormat;
  /** A new file below the engine's export folder. The caller removes what a failure leaves behind. */
  readonly path: string;
  /** The columns of a CSV file or sheet in order, including combined ones. Other formats hold every plain column. */
  readonly csvColumns: readonly Column[];
  /** The first line of a CSV file. Default: the names of its columns. */
  readonly csvHeads?: readonly string[] | undefined;
  /** Called periodically with the number of rows written so far. */
  readonly onRows: (rows: number) => void;
  /** The order of the rows, which a Parquet file records for its readers. Default: it records none. */
  readonly sortedBy?: readonly OrderKey[];
  /** Of `parquet` only: other names for columns. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Of `xlsx` only. */
  readonly workbook?: ExportedWorkbook | undefined;
}

/** The parts of a workbook besides the rows. */
export interface ExportedWorkbook {
  /** Of the sheet of rows; spreadsheets allow 31 characters. */
  readonly name: string;
  /** Labels and texts of the sheet about the export, asked for when the number of rows is known. */
  readonly about: (rows: number) => Promise<readonly (readonly [label: string, text: string])[]>;
  /** Called with the number of texts that a cell does not hold. */
  readonly onCutTexts: (texts: number) => void;
}

/** File in which an engine may keep the rows of an export until its file is complete; it removes them. They take room as the file does. */
export const unfinishedRows = ({ path }: Pick<ExportTarget, "path">): string => `${path}.rows`;

/** Result of `profileDataset`. */
export interface DatasetStatistics extends Omit<DatasetProfile, "measuredMs"> {
  /** Some positions, as latitude and longitude in degrees; empty without a location. */
  readonly positions: readonly (readonly [number, number])[];
}

/** User of a query, and the signal that cancels it. */
export interface EngineCall {
  /** Aborted when the caller no longer waits for the result. */
  readonly signal: AbortSignal;
  /**
   * The unit of fair sharing: an account's id, whether it calls itself or through one of its API keys. Queries that the
   * portal runs for itself have an owner, too.
   */
  readonly owner: string;
  /** The user name of the person for whom the query runs, for engines that name or check it; undefined for the portal itself. */
  readonly user?: string | undefined;
  /** Nobody waits for it: it gets a slot only while another one stays free. Default: false. */
  readonly isBackground?: boolean;
}

/** How text files are read, the same as it is stored, and contradictions of the earlier stored reading. */
export interface SourceReading {
  readonly reading: Reading;
  readonly stored: StoredReading;
  readonly differences: readonly string[];
}

/** Values that cannot be read of a column: at most `limit`, from an offset from 0. */
export interface UnreadablePage {
  readonly column: string;
  readonly from: number;
  readonly limit: number;
}

/** Notes on the columns of a source, in sentences. */
export interface SourceNotes {
  /** Columns of the data that are not among those of the source, with the reason. */
  readonly leftOut: readonly string[];
  readonly notes: readonly string[];
}

/** The values of a column: rows per step from the least to the greatest; of texts and booleans rows of the most frequent ones. */
export interface ColumnPicture {
  readonly name: string;
  readonly counts: readonly number[];
  readonly least: CellValue;
  readonly greatest: CellValue;
}

/** Queries datasets. Takes a SearchQuery and never SQL, because REST sources have none. */
export interface QueryEngine {
  readonly features: ReadonlySet<Feature>;
  /** Whether callers can choose the order of rows. */
  readonly supportsSort: boolean;
  /** Whether many groups are aggregated at once instead of with one call each. */
  readonly supportsGroups: boolean;
  /** The source's columns as the engine sees them, mapped to the product's types. */
  columns(source: DatasetSource, call: EngineCall): Promise<Column[]>;
  /**
   * Lines and values that cannot be read as these columns, one sentence per kind with a count and the first occurrence. Queries
   * treat such values as empty and skip such lines. Reads all data; for large sources only the beginning, which a sentence says.
   */
  inspect?(source: DatasetSource, columns: QueryableDataset["columns"], call: EngineCall): Promise<readonly string[]>;
  /** Notes on the columns. */
  notes?(source: DatasetSource, call: EngineCall): Promise<SourceNotes>;
  /** How text files are read; null for other sources. Reads all data as `inspect` does. */
  reading?(source: DatasetSource, call: EngineCall): Promise<SourceReading | null>;
  /** Values of text files that cannot be read, by column, with their lines. Of such rows that `reading` looks at. */
  unreadable?(source: DatasetSource, pages: readonly UnreadablePage[], call: EngineCall): Promise<ReadonlyMap<string, Unreadable["first"]>>;
  /**
   * Rows in the requested sort, or in the dataset's order. Ties are broken by file order, so that pages neither overlap nor skip rows.
   * Rejects with EngineFailed before the first chunk; a failure never looks like an empty result. Aborting the signal stops the query.
   */
  search(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream>;
  /**
   * The same rows as an Arrow IPC stream of record batches, with every plain column in the type that the source stores; times have
   * the zone UTC. Absent if the engine does not offer Arrow.
   */
  searchArrow?(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream<Uint8Array>>;
  /** The first matching rows, without a full scan or a sort. */
  sample(dataset: QueryableDataset, query: Pick<SearchQuery, "conditions" | "limit">, call: EngineCall): Promise<RowStream>;
  /** One value per group and aggregation, in one scan if the engine can. No groups means one group: the whole search. */
  aggregate(
    dataset: QueryableDataset,
    aggregations: readonly Aggregation[],
    groups: readonly AggregationGroup[],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<CellValue[][]>;
  /** Values of a column among the first `rows` matching rows; `null`: among all of them. */
  suggest?(
    dataset: QueryableDataset,
    request: { readonly column: string; readonly contains: string; readonly rows: number | null },
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<Suggestions>;
  /** Statistics of a column over all rows of a search. */
  profile?(
    dataset: QueryableDataset,
    column: string,
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<ColumnProfile>;
  /** Of each pair, how many of some values of our column are found in the other dataset. Looks at the first rows of the search only. */
  keyMatches?(
    dataset: QueryableDataset,
    other: OtherTable,
    pairs: LookupStep["key"],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<readonly KeyMatch[]>;
  /** How many keys of the rows of a search are found in another dataset, and what for the most frequent ones. */
  lookupReport?(
    dataset: QueryableDataset,
    other: OtherTable & Pick<LookupStep, "key">,
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<Omit<LookupReport, "key" | "columns" | "others"> & { readonly others: NonNullable<LookupReport["others"]> }>;
  /** A name of a dataset's data that changes when they do; null if they may change unnoticed. */
  state?(dataset: QueryableDataset, call: EngineCall): Promise<string | null>;
  /** The statements that computed a breakdown, with the dataset's id in place of its table and values as literals. */
  explainBreakdown?(dataset: QueryableDataset, query: BreakdownQuery, call: EngineCall): Promise<ExplainedBreakdown>;
  /** Figures of groups of a search, all in one slot. Absent if the engine cannot group rows. */
  breakdown?(dataset: QueryableDataset, query: BreakdownQuery, call: EngineCall): Promise<BreakdownResult>;
  /**
   * The same in pages, one after another, without totals, for an export. A list of values may have any number of groups, and is computed
   * without a slot. `path`: a new file in the engine's export folder, beside which it keeps what needs room.
   */
  breakdownPages?(
    dataset: QueryableDataset,
    query: BreakdownQuery,
    target: { readonly path: string; readonly onPage: (page: BreakdownPage) => Promise<void> },
    call: EngineCall,
  ): Promise<void>;
  /** Rows of a search per bucket of time, by the dataset's temporal field. */
  timeDistribution?(dataset: QueryableDataset, query: TimeDistributionQuery, call: EngineCall): Promise<TimeDistribution>;
  /** Statistics of some columns over the rows of a search, in few scans. The slot is released between scans. */
  columnDistributions?(
    dataset: QueryableDataset,
    columns: QueryableDataset["columns"],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<ColumnDistributions>;
  /** How the values of some columns are spread over all rows, which the caller has counted, in few scans. */
  columnPictures?(
    dataset: QueryableDataset,
    columns: QueryableDataset["columns"],
    rows: number,
    call: EngineCall,
  ): Promise<readonly ColumnPicture[]>;
  /**
   * Statistics of all columns, over all rows that match the conditions, in few scans that run one after another. Exempt from the
   * query timeout: `timeoutMs` applies to each scan. The slot is released between scans.
   */
  profileDataset?(
    dataset: QueryableDataset,
    query: Pick<SearchQuery, "conditions"> & { readonly timeoutMs: number },
    call: EngineCall,
  ): Promise<DatasetStatistics>;
  /**
   * Writes every row of a search, up to its limit and in its order, and resolves to their number. Exempt from the query timeout:
   * only the call's signal ends it.
   */
  export?(dataset: QueryableDataset, query: Omit<SearchQuery, "offset">, target: ExportTarget, call: EngineCall): Promise<number>;
  /** Rows per cell of the map, in one scan. Absent, as `gridRows` is, if the engine cannot count rows by place. */
  grid?(dataset: QueryableDataset, query: GridQuery, call: EngineCall): Promise<GridResult>;
  /** Rows with these columns in the dataset's order if there are at most `limit`, and otherwise any of them. */
  gridRows?(
    dataset: QueryableDataset,
    columns: readonly string[],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions" | "limit">,
    call: EngineCall,
  ): Promise<RowStream>;
  /** The queries behind maps. Absent if the engine does not support maps. */
  readonly maps?: MapQueries;
  /** Absent if the engine has no tables. */
  readonly tables?: TableCatalog;
  /**
   * Problems that keep the data from being read as described; empty if there are none. Checks names and types, not rows. Rejects with
   * EngineFailed if the check itself fails.
   */
  check?(dataset: Pick<QueryableDataset, "source" | "columns" | "derived">, call: EngineCall): Promise<readonly SourceProblem[]>;
  /** First and last time of the rows that readers of the dataset see; null if there are none. */
  timeExtent(dataset: QueryableDataset, call: EngineCall): Promise<TimeExtent | null>;
  /** Rejects if the engine cannot run a trivial query. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
