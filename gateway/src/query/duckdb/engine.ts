import { mkdir } from "node:fs/promises";
import type { ColumnProfile, Suggestions } from "@fairway/contract/column-values";
import { type Column, isNumeric } from "@fairway/contract/columns";
import type { Feature, TimeExtent } from "@fairway/contract/datasets";
import type { ColumnDistributions, TimeDistribution } from "@fairway/contract/distributions";
import type { Limits } from "@fairway/contract/limits";
import type { CellValue } from "@fairway/contract/search";
import { sql } from "kysely";
import {
  type Aggregation,
  type AggregationGroup,
  type DatasetSource,
  type DatasetStatistics,
  type EngineCall,
  EngineFailed,
  type ExportTarget,
  type MapQueries,
  type QueryEngine,
  type QueryableDataset,
  type RowStream,
  type SearchQuery,
  type TimeDistributionQuery,
  SourceNotReady,
  type SourceNotes,
  type SourceProblem,
  type SourceReading,
} from "#query/engine.ts";
import type { ArrowPart } from "#query/arrow/ipc-stream.ts";
import { aggregateScans, cellsOf } from "#query/sql/aggregate-scans.ts";
import { type TextRow, profileOf, suggestionsOf } from "#query/sql/column-values-read.ts";
import { conditionsKey } from "#query/own-conditions.ts";
import { type Compiled, compileExtent, compileRaw, compileSample, compileSearch, searchRows } from "#query/sql/compile.ts";
import { compileProfile, compileSuggest } from "#query/sql/column-values.ts";
import { compileLatest, compilePath, compilePathCount, compileTracks, maxTrackRows } from "#query/sql/map-results.ts";
import { unitMs } from "#query/sql/instants.ts";
import { columnDistributions, profileDataset } from "#query/sql/profile-dataset.ts";
import type { SqlTable } from "#query/sql/table.ts";
import type { Scan } from "#query/sql/scan.ts";
import { timeDistribution } from "#query/sql/time-distribution.ts";
import { RowChannel } from "#query/row-channel.ts";
import { arrowRowsSql } from "./arrow-sql.ts";
import { typeOf } from "./column-types.ts";
import { matchColumns } from "./described-columns.ts";
import { duckDbDialect, pageSql } from "./dialect.ts";
import { compileExport, memoryNeeded } from "./export-sql.ts";
import { Exporter } from "./exporter.ts";
import { type InstanceOptions, type LockedInstance, openLockedInstance } from "./locked-instance.ts";
import { longDecimalReason } from "./parquet-decimals.ts";
import { QueryRunner, type QueryConnection, type ReadResult, engineFailure } from "./query-runner.ts";
import { type SourceMetadata, SourceMetadataCache, maxKnownSources, sourceKey, unreadable } from "./source-metadata.ts";
import { fineTimeNotes } from "./fine-times.ts";
import { sourceReading } from "./source-reading.ts";
import { sourceReport } from "./source-report.ts";
import { tableOf } from "./source-table.ts";
import { TextCopies } from "./text/text-copies.ts";

export interface DuckDbOptions extends Omit<InstanceOptions, "writes"> {
  /** The only folder that exports are written to. Created if missing. */
  readonly exportFolder: string;
  readonly limits: Pick<
    Limits,
    | "engineSlots"
    | "engineSlotsPerUser"
    | "engineQueue"
    | "engineQueuePerUser"
    | "engineWaitMs"
    | "queryTimeoutMs"
    | "graphBatchComparisons"
    | "exportMemoryMb"
    | "convertedFilesBytes"
  >;
  readonly log: { warn(details: object, message: string): void };
  /** Called with the time that each query waited for a slot. */
  readonly onWaited?: (waitedMs: number) => void;
}

/**
 * Opens the embedded engine over the files of one folder. UV_THREADPOOL_SIZE must be large enough, because each running
 * query occupies a thread of the pool. Decision 0008.
 */
export async function openDuckDb(options: DuckDbOptions): Promise<DuckDbEngine> {
  const locked = await openLockedInstance(options);
  const { instance, dataFolder, copyFolder } = locked;
  await mkdir(options.exportFolder, { recursive: true, mode: 0o700 });
  const connections = await Promise.all(Array.from({ length: options.limits.engineSlots }, () => instance.connect()));
  const limits = {
    perOwner: options.limits.engineSlotsPerUser,
    queue: options.limits.engineQueue,
    queuePerOwner: options.limits.engineQueuePerUser,
    waitMs: options.limits.engineWaitMs,
    timeoutMs: options.limits.queryTimeoutMs,
  };
  const runner = new QueryRunner(connections, limits, options.onWaited);
  const exporter = new Exporter({ ...options, exportMemoryMb: options.limits.exportMemoryMb });
  const sources = new SourceMetadataCache(dataFolder, new TextCopies(copyFolder, options.limits.convertedFilesBytes));
  return new DuckDbEngine(locked, runner, sources, exporter, options);
}

export class DuckDbEngine implements QueryEngine {
  readonly features: ReadonlySet<Feature> = new Set<Feature>(["SAMPLE", "PAGINATION", "COUNT"]);
  readonly supportsSort = true;
  readonly supportsGroups = true;
  readonly #locked: LockedInstance;
  readonly #runner: QueryRunner;
  readonly #sources: SourceMetadataCache;
  readonly #exporter: Exporter;
  readonly #log: DuckDbOptions["log"];
  readonly #maxComparisons: number;
  /** The only slot must be free again before others have waited too long for it. */
  readonly #maxScanMs: number;
  /** The latest report per state of a source, because creating one reads every value. */
  readonly #reports = new WeakMap<SourceMetadata, { readonly columns: string; readonly report: readonly string[] }>();
  readonly #readings = new WeakMap<SourceMetadata, SourceReading | null>();
  readonly #extents = new Map<string, { state: string; extent: TimeExtent | null }>();

  constructor(
    locked: LockedInstance,
    runner: QueryRunner,
    sources: SourceMetadataCache,
    exporter: Exporter,
    { log, limits }: Pick<DuckDbOptions, "log" | "limits">,
  ) {
    this.#locked = locked;
    this.#runner = runner;
    this.#sources = sources;
    this.#exporter = exporter;
    this.#log = log;
    this.#maxComparisons = limits.graphBatchComparisons;
    this.#maxScanMs = limits.engineSlots > 1 ? Infinity : limits.engineWaitMs / 2;
  }

  /** Current numbers of running and waiting queries. */
  get metrics(): { readonly running: number; readonly waiting: number } {
    return { running: this.#runner.running, waiting: this.#runner.waiting };
  }

  columns(source: DatasetSource, call: EngineCall): Promise<Column[]> {
    return this.#runner.run(
      call,
      async (connection) => {
        const { columns, understood } = await this.#sources.get(source, connection);
        return [...columns].map(([name, duckType]) => {
          const found = understood?.columns.get(name);
          const type = found?.isSettled === true ? found.type : typeOf(duckType);
          const column: Column = { name, type, description: "", combined: null };
          const unit = found === undefined || !isNumeric(found.type) ? null : found.reading.number.unit;
          if (unit !== null) column.unit = unit;
          if (found === undefined ? duckType === "DATE" : found.day) column.day = true;
          return column;
        });
      },
      checkOptions(source),
    );
  }

  reading(source: DatasetSource, call: EngineCall): Promise<SourceReading | null> {
    return this.#runner.run(
      call,
      async (connection) => {
        const metadata = await this.#sources.get(source, connection);
        const known = this.#readings.get(metadata);
        const reading = known === undefined ? await sourceReading(metadata, connection) : known;
        this.#readings.set(metadata, reading);
        return reading;
      },
      checkOptions(source),
    );
  }

  notes(source: DatasetSource, call: EngineCall): Promise<SourceNotes> {
    return this.#runner.run(call, async (connection) => {
      const metadata = await this.#sources.get(source, connection);
      const { notes, unreadable } = metadata;
      const leftOut = [...unreadable].map(
        ([name, stored]) =>
          `The column '${name}' is left out: it contains ${longDecimalReason(stored)}. Store it with fewer digits, or as doubles or texts, to include it.`,
      );
      // Of files of buckets there are only the footers.
      return { notes: [...notes, ...(source.kind === "copies" ? [] : await fineTimeNotes(metadata, connection))], leftOut };
    });
  }

  inspect(source: DatasetSource, columns: QueryableDataset["columns"], call: EngineCall): Promise<readonly string[]> {
    return this.#runner.run(call, async (connection) => {
      const metadata = await this.#sources.get(source, connection);
      const known = this.#reports.get(metadata);
      const columnsKey = JSON.stringify(columns.map(({ name, type }) => [name, type]));
      const report = known?.columns === columnsKey ? known.report : await sourceReport(metadata, columns, connection);
      this.#reports.set(metadata, { columns: columnsKey, report });
      return report;
    });
  }

  search(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream> {
    return this.#rows(dataset, query.limit, (table) => compileSearch(table, withExtraRow(query), duckDbDialect), call);
  }

  async searchArrow(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream<Uint8Array>> {
    const { arrowRows } = await import("./arrow-rows.ts");
    return this.#stream<Uint8Array>(dataset, call, async (table, channel, connection) => {
      const select = searchRows(table, withExtraRow(query), duckDbDialect);
      const statement = compileRaw(arrowRowsSql(select.columns, pageSql(select)));
      let wasCut = false;
      const read: ReadResult<ArrowPart> = (result) => arrowRows(result, select.columns, query.limit, () => (wasCut = true));
      try {
        for await (const { bytes } of connection.stream(statement, read)) if (!(await channel.push(bytes))) return false;
        return wasCut;
      } catch (error) {
        throw new StatementFailed(statement, error);
      }
    });
  }

  sample(dataset: QueryableDataset, query: Pick<SearchQuery, "conditions" | "limit">, call: EngineCall): Promise<RowStream> {
    return this.#rows(dataset, query.limit, (table) => compileSample(table, withExtraRow(query), duckDbDialect), call);
  }

  async aggregate(
    dataset: QueryableDataset,
    aggregations: readonly Aggregation[],
    groups: readonly AggregationGroup[],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<CellValue[][]> {
    const scans = aggregateScans(aggregations, groups, query, this.#maxComparisons, duckDbDialect);
    const parts = scans.map(({ weight, compile, read }) => ({
      weight,
      work: this.#withTable(dataset, async (table, connection) => read(await this.#texts(compile(table), connection))),
    }));
    return (await this.#runner.runInParts(call, parts)).flat();
  }

  timeExtent(dataset: QueryableDataset, call: EngineCall): Promise<TimeExtent | null> {
    const { temporalField, ownConditions } = dataset;
    if (temporalField === null) return Promise.resolve(null);
    return this.#query(dataset, call, async (table, connection) => {
      const { state } = await this.#sources.get(dataset.source, connection);
      const key = JSON.stringify([sourceKey(dataset.source), temporalField, conditionsKey(ownConditions)]);
      const known = this.#extents.get(key);
      if (known?.state === state) return known.extent;
      // Without conditions, DuckDB answers this from the statistics of Parquet files.
      const [first, last] = await this.#row(compileExtent(table, temporalField, duckDbDialect, ownConditions), connection);
      const unit = Number(unitMs(table.columns.get(temporalField)?.type ?? "TIMESTAMP_MILLS"));
      const extent = typeof first === "number" && typeof last === "number" ? { startMs: first * unit, endMs: last * unit } : null;
      this.#extents.delete(key);
      this.#extents.set(key, { state, extent });
      const [oldest = ""] = this.#extents.keys();
      if (this.#extents.size > maxKnownSources) this.#extents.delete(oldest);
      return extent;
    });
  }

  suggest(
    dataset: QueryableDataset,
    request: { readonly column: string; readonly contains: string; readonly rows: number | null },
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<Suggestions> {
    return this.#query(dataset, call, async (table, connection) =>
      suggestionsOf(await this.#texts(compileSuggest(table, request, query, duckDbDialect), connection), request.rows),
    );
  }

  profile(
    dataset: QueryableDataset,
    column: string,
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<ColumnProfile> {
    return this.#query(dataset, call, async (table, connection) => {
      const type = dataset.columns.find(({ name }) => name === column)?.type ?? "STRING";
      return profileOf(await this.#texts(compileProfile(table, column, query, duckDbDialect), connection), type);
    });
  }

  async timeDistribution(dataset: QueryableDataset, query: TimeDistributionQuery, call: EngineCall): Promise<TimeDistribution> {
    const extent = query.byDay ? null : await this.timeExtent(dataset, call);
    const scan = this.#scanOf(dataset, call, { weight: distributionWeight });
    return timeDistribution(dataset, query, extent, scan, duckDbDialect);
  }

  columnDistributions(
    dataset: QueryableDataset,
    columns: QueryableDataset["columns"],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<ColumnDistributions> {
    const scan = this.#scanOf(dataset, call, { weight: profileScanWeight });
    return columnDistributions(columns, query, scan, duckDbDialect);
  }

  profileDataset(
    dataset: QueryableDataset,
    { conditions, timeoutMs }: Pick<SearchQuery, "conditions"> & { readonly timeoutMs: number },
    call: EngineCall,
  ): Promise<DatasetStatistics> {
    const scan = this.#scanOf(dataset, call, { weight: profileScanWeight, timeoutMs: Math.min(timeoutMs, this.#maxScanMs) });
    return profileDataset(dataset, conditions, scan, duckDbDialect);
  }

  /** One slot for each statement, so that others get their turn in between. */
  #scanOf(dataset: QueryableDataset, call: EngineCall, options: { readonly weight: number; readonly timeoutMs?: number }): Scan {
    return (compile, only) =>
      this.#runner.run(
        call,
        this.#withTable(dataset, (table, connection) => this.#texts(compile(table), connection), only),
        options,
      );
  }

  readonly maps: MapQueries = {
    latest: (dataset, by, query, call) =>
      this.#rows(dataset, query.limit, (table) => compileLatest(table, by, withExtraRow(query), duckDbDialect), call),
    path: (dataset, request, query, call) =>
      this.#rows(dataset, query.limit, (table) => compilePath(table, request, withExtraRow(query), duckDbDialect), call),
    tracks: (dataset, request, query, call) =>
      this.#rows(dataset, maxTrackRows(request), (table) => compileTracks(table, request, query, duckDbDialect), call),
    countPath: (dataset, request, query, call) =>
      this.#query(dataset, call, async (table, connection) => {
        const [count] = await this.#row(compilePathCount(table, request, query, duckDbDialect), connection);
        return Number(count);
      }),
  };

  async export(dataset: QueryableDataset, query: Omit<SearchQuery, "offset">, target: ExportTarget, call: EngineCall): Promise<number> {
    // The slot is held only to read the files' metadata; writing uses an instance of its own.
    const table = await this.#query(dataset, call, (found) => Promise.resolve(found));
    const { format } = target;
    const { source } = dataset;
    const readsTexts = (source.kind === "files" || source.kind === "copies") && source.format !== "parquet";
    const memoryMb = memoryNeeded(table, { format, readsTexts });
    try {
      if (format === "arrow") return await this.#exporter.writeArrow({ ...target, memoryMb }, table, query, call.signal);
      return await this.#exporter.write(
        target.path,
        (path) => compileExport(table, query, { ...target, format, path }),
        { onRows: target.onRows, memoryMb },
        call.signal,
      );
    } catch (error) {
      if (call.signal.aborted) throw error;
      const failure = await this.#runner.run(call, (connection) => this.#explain(error, dataset, connection));
      if (!(failure instanceof SourceNotReady)) this.#log.warn({ err: error, dataset: dataset.id }, "an export failed in the engine");
      throw failure;
    }
  }

  check({ source, columns }: Pick<QueryableDataset, "source" | "columns">, call: EngineCall): Promise<readonly SourceProblem[]> {
    return this.#runner.run(call, async (connection) => {
      try {
        return matchColumns(columns, await this.#sources.get(source, connection)).problems;
      } catch (error) {
        if (error instanceof SourceNotReady) return error.problems;
        throw error;
      }
    });
  }

  async version(): Promise<string> {
    const [row] = await this.#runner.run(ownCall(), (connection) => connection.rows(compileRaw(sql`select version()`)));
    return String(row?.[0]);
  }

  async ping(): Promise<void> {
    await this.#runner.run(ownCall(), (connection) => connection.rows(compileRaw(sql`select 1`)));
  }

  close(): Promise<void> {
    this.#locked.instance.closeSync();
    return Promise.resolve();
  }

  #rows(dataset: QueryableDataset, limit: number, compile: (table: SqlTable) => Compiled, call: EngineCall): Promise<RowStream> {
    return this.#stream<string>(dataset, call, (table, channel, connection) => this.#sendRows(compile(table), limit, channel, connection));
  }

  /** `send` resolves to whether there were more rows than it has sent. */
  async #stream<Chunk extends string | Uint8Array>(
    dataset: QueryableDataset,
    call: EngineCall,
    send: (table: SqlTable, channel: RowChannel<Chunk>, connection: QueryConnection) => Promise<boolean>,
  ): Promise<RowStream<Chunk>> {
    const chunks = new RowChannel<Chunk>(call.signal);
    const hasMore = this.#query(dataset, call, (table, connection) => send(table, chunks, connection)).then(
      (wasCut) => {
        chunks.end();
        return wasCut;
      },
      (error: unknown) => {
        chunks.fail(error);
        return false;
      },
    );
    await chunks.started();
    return { chunks, hasMore };
  }

  /** Resolves to whether there were more rows than `limit`. */
  async #sendRows(statement: Compiled, limit: number, channel: RowChannel, connection: QueryConnection): Promise<boolean> {
    let sent = 0;
    try {
      for await (const texts of connection.texts(statement)) {
        const allowed = texts.slice(0, limit - sent);
        if (allowed.length > 0 && !(await channel.push((sent === 0 ? "" : ",") + allowed.join(",")))) return false;
        sent += allowed.length;
        if (allowed.length < texts.length) return true;
      }
      return false;
    } catch (error) {
      throw new StatementFailed(statement, error);
    }
  }

  /** The single row of an aggregate, with its JSON texts parsed. */
  async #row(statement: Compiled, connection: QueryConnection): Promise<CellValue[]> {
    const [row = []] = await this.#texts(statement, connection);
    return cellsOf(row);
  }

  /** Rows of a statement that returns text columns only. */
  async #texts(statement: Compiled, connection: QueryConnection): Promise<readonly TextRow[]> {
    try {
      return (await connection.rows(statement)) as readonly TextRow[];
    } catch (error) {
      throw new StatementFailed(statement, error);
    }
  }

  /** Runs work on a dataset's table. Rejects with SourceNotReady if it fails because of the data. */
  #query<T>(dataset: QueryableDataset, call: EngineCall, work: (table: SqlTable, connection: QueryConnection) => Promise<T>): Promise<T> {
    return this.#runner.run(call, this.#withTable(dataset, work));
  }

  /** Wraps work on the dataset's table so that its failures are explained. `only`: the columns that the work names. */
  #withTable<T>(
    dataset: QueryableDataset,
    work: (table: SqlTable, connection: QueryConnection) => Promise<T>,
    only?: ReadonlySet<string>,
  ): (connection: QueryConnection) => Promise<T> {
    return async (connection) => {
      const table = await this.#table(dataset, connection, only);
      try {
        return await work(table, connection);
      } catch (error) {
        if (!(error instanceof StatementFailed)) throw error;
        if (connection.signal.aborted) throw error.cause;
        const failure = await this.#explain(error.cause, dataset, connection);
        // The SQL contains names but no values, which are parameters.
        if (!(failure instanceof SourceNotReady)) {
          this.#log.warn({ err: error.cause, sql: error.statement.sql }, "query failed in the engine");
        }
        throw failure;
      }
    };
  }

  /** Files may have changed since their metadata was read. Then they are the cause, whatever DuckDB reports. */
  async #explain(error: unknown, dataset: QueryableDataset, connection: QueryConnection): Promise<unknown> {
    const failure = engineFailure(error);
    if (failure.reason !== "failed") return error;
    this.#sources.forget(dataset.source);
    try {
      await this.#table(dataset, connection);
    } catch (problem) {
      return problem instanceof SourceNotReady ? problem : error;
    }
    const cause = error instanceof EngineFailed ? error.cause : error;
    const text = cause instanceof Error ? cause.message : "";
    const isFileError = text.startsWith("IO Error") && !text.includes("No space left on device");
    return isFileError ? withDataset(unreadable(cause, this.#sources.namer(dataset.source)), dataset) : error;
  }

  async #table(dataset: QueryableDataset, connection: QueryConnection, only?: ReadonlySet<string>): Promise<SqlTable> {
    const metadata = await this.#sources.get(dataset.source, connection).catch((error: unknown) => {
      throw error instanceof SourceNotReady ? withDataset(error, dataset) : error;
    });
    const {
      columns,
      problems: [first, ...others],
    } = matchColumns(dataset.columns, metadata);
    if (first !== undefined) {
      // Forget the metadata so that fixed files are noticed on the next attempt.
      this.#sources.forget(dataset.source);
      throw new SourceNotReady([first, ...others], { dataset: dataset.id });
    }
    return tableOf(dataset, columns, metadata, only);
  }
}

/** The cost of a scan of a profile relative to an ordinary search. */
const profileScanWeight = 8;
/** More than the next page of the same search, which then goes first. */
const distributionWeight = 4;

/** Adds a row to the limit: its presence shows that there are more. */
const withExtraRow = <T extends { readonly limit: number }>(query: T): T => ({ ...query, limit: query.limit + 1 });

/** A check of all rows of a large source takes longer than a query may. */
const checkOptions = (source: DatasetSource) =>
  (source.kind === "files" || source.kind === "copies") && source.checksAll === true
    ? { weight: profileScanWeight, timeoutMs: wholeCheckTimeoutMs }
    : {};
const wholeCheckTimeoutMs = 600_000;

/** A call that the portal makes for itself. */
const ownCall = (): EngineCall => ({ signal: AbortSignal.timeout(5_000), owner: "portal" });

const withDataset = ({ problems, cause }: SourceNotReady, { id }: QueryableDataset): SourceNotReady =>
  new SourceNotReady(problems, { dataset: id, cause });

/** Carries the failed statement; `cause` is DuckDB's error. */
class StatementFailed extends Error {
  override readonly name = "StatementFailed";
  readonly statement: Compiled;
  constructor(statement: Compiled, cause: unknown) {
    super("a statement failed", { cause });
    this.statement = statement;
  }
}
