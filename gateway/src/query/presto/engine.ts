import type { ColumnProfile, Suggestions } from "@fairway/contract/column-values";
import type { Column } from "@fairway/contract/columns";
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
  type SourceProblem,
  type TableCatalog,
} from "#query/engine.ts";
import { abandoned } from "#query/slots.ts";
import { aggregateScans, cellsOf } from "#query/sql/aggregate-scans.ts";
import { type TextRow, profileOf, suggestionsOf } from "#query/sql/column-values-read.ts";
import { compileProfile, compileSuggest } from "#query/sql/column-values.ts";
import { conditionsKey } from "#query/own-conditions.ts";
import { type Compiled, compileExtent, compileRaw, compileSample, hasBothEnds } from "#query/sql/compile.ts";
import { unitMs } from "#query/sql/instants.ts";
import { compileLatest, compilePath, compilePathCount, compileTracks, maxTrackRows, trackColumns } from "#query/sql/map-results.ts";
import { columnDistributions, profileDataset } from "#query/sql/profile-dataset.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "#query/sql/table.ts";
import type { Scan } from "#query/sql/scan.ts";
import { timeDistribution } from "#query/sql/time-distribution.ts";
import { RowChannel } from "#query/row-channel.ts";
import { StatementError } from "./client/failures.ts";
import { unlessAborted } from "./client/statement-run.ts";
import type { StatementServer } from "./client/statements.ts";
import { typeOf } from "./column-types.ts";
import { matchColumns, tableOf } from "./described-table.ts";
import { prestoDialect } from "./dialect.ts";
import { writeExport } from "./export-file.ts";
import { writeParquet } from "./parquet-file.ts";
import { RowOrder } from "./row-order.ts";
import { jsonRows } from "./row-text.ts";
import { StatementRunner, type StatementSession } from "./statement-runner.ts";
import { tableCatalog } from "./table-catalog.ts";
import { TableMetadataCache } from "./table-metadata.ts";

export interface PrestoOptions {
  readonly server: StatementServer;
  /** Where exports are written. */
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
  >;
  readonly log: { warn(details: object, message: string): void };
  /** Whether statements run as the person for whom they run, so that two people may see different rows of a table. */
  readonly asUser?: boolean;
}

/** How long a dataset's time extent is used: finding it may read a whole column. */
const extentMs = 300_000;
/** Of all datasets of all times. */
const maxExtents = 1_000;
/** The cost of a scan of a profile relative to an ordinary search. */
const profileScanWeight = 8;
/** More than the next page of the same search, which then goes first. */
const distributionWeight = 4;
/** Rows whose texts are passed on together. */
const rowsPerChunk = 1_000;
/** A server ends statements by its own limits, so this only keeps an export from being forgotten. */
const exportTimeoutMs = 24 * 3_600_000;

type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;
type Compile = (table: SqlTable, dialect: SqlDialect) => Compiled;
type ColumnsOf = (table: SqlTable) => readonly SqlColumn[];
type Pages = AsyncIterable<readonly (readonly unknown[])[]>;

/** Queries tables of a Trino or Presto server. Decision 0478. */
export class PrestoEngine implements QueryEngine {
  readonly features: ReadonlySet<Feature> = new Set<Feature>(["SAMPLE", "PAGINATION", "COUNT"]);
  readonly supportsSort = true;
  readonly supportsGroups = true;
  readonly #server: StatementServer;
  readonly #runner: StatementRunner;
  readonly #tables: TableMetadataCache;
  readonly #order = new RowOrder();
  readonly tables: TableCatalog;
  readonly #options: PrestoOptions;
  /** A scan must end before others have waited too long for the only slot. */
  readonly #maxScanMs: number;
  readonly #extents = new Map<string, { readonly extent: Promise<TimeExtent | null>; readonly startedAtMs: number }>();
  readonly #closing = new AbortController();

  constructor(options: PrestoOptions) {
    const { server, limits } = options;
    this.#server = server;
    this.#options = options;
    this.#runner = new StatementRunner(server, {
      slots: limits.engineSlots,
      perOwner: limits.engineSlotsPerUser,
      queue: limits.engineQueue,
      queuePerOwner: limits.engineQueuePerUser,
      waitMs: limits.engineWaitMs,
      timeoutMs: limits.queryTimeoutMs,
    });
    this.#tables = new TableMetadataCache(options.asUser === true);
    this.tables = tableCatalog({ runner: this.#runner, tables: this.#tables });
    this.#maxScanMs = limits.engineSlots > 1 ? Infinity : limits.engineWaitMs / 2;
  }

  /** Current numbers of running and waiting queries. */
  get metrics(): { readonly running: number; readonly waiting: number } {
    return { running: this.#runner.running, waiting: this.#runner.waiting };
  }

  columns(source: DatasetSource, call: EngineCall): Promise<Column[]> {
    return this.#runner.run(call, async (session) => {
      const { columns } = await this.#tables.get(source, session);
      return [...columns].map(([name, { type, comment }]) => {
        const column: Column = { name, type: typeOf(type), description: comment, combined: null };
        if (type.name === "date") column.day = true;
        return column;
      });
    });
  }

  search(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream> {
    const pages = (table: SqlTable, session: StatementSession) => this.#order.page(dataset, table, withExtraRow(query), session, call);
    return this.#textRows(dataset, query.limit, pages, call);
  }

  async searchArrow(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream<Uint8Array>> {
    const { arrowRows } = await import("./arrow-rows.ts");
    return this.#stream<Uint8Array>(dataset, call, async (table, channel, session) => {
      const pages = this.#order.page(dataset, table, withExtraRow(query), session, call);
      let wasCut = false;
      for await (const { bytes } of arrowRows(pages, [...table.columns.values()], query.limit, () => (wasCut = true))) {
        if (!(await channel.push(bytes))) return false;
      }
      return wasCut;
    });
  }

  sample(dataset: QueryableDataset, query: Pick<SearchQuery, "conditions" | "limit">, call: EngineCall): Promise<RowStream> {
    return this.#rows(dataset, query.limit, (table, dialect) => compileSample(table, withExtraRow(query), dialect), call);
  }

  async aggregate(
    dataset: QueryableDataset,
    aggregations: readonly Aggregation[],
    groups: readonly AggregationGroup[],
    query: Narrowing,
    call: EngineCall,
  ): Promise<CellValue[][]> {
    const dialect = prestoDialect(await this.#server.kind(call.signal));
    const scans = aggregateScans(aggregations, groups, query, this.#options.limits.graphBatchComparisons, dialect);
    const parts = scans.map(({ weight, compile, read }) => ({
      weight,
      work: this.#withTable(dataset, async (table, session) => read(await texts(compile(table), session))),
    }));
    return (await this.#runner.runInParts(call, parts)).flat();
  }

  timeExtent(dataset: QueryableDataset, call: EngineCall): Promise<TimeExtent | null> {
    const { temporalField, ownConditions } = dataset;
    if (temporalField === null) return Promise.resolve(null);
    const reader = this.#options.asUser === true ? (call.user ?? null) : null;
    const column = dataset.columns.find(({ name }) => name === temporalField);
    const key = JSON.stringify([dataset.source, column, conditionsKey(ownConditions), reader]);
    const known = this.#extents.get(key);
    if (known !== undefined && Date.now() - known.startedAtMs < extentMs) return unlessLeft(known.extent, call.signal);
    // Goes on when its caller leaves: descriptions of datasets wait for a second only, and the next one finds it.
    const extent = this.#query(dataset, { ...call, signal: this.#closing.signal }, async (table, session) => {
      const [row = []] = await texts(compileExtent(table, temporalField, session.dialect, ownConditions), session);
      const [first, last] = cellsOf(row);
      const unit = Number(unitMs(table.columns.get(temporalField)?.type ?? "TIMESTAMP_MILLS"));
      return typeof first === "number" && typeof last === "number" ? { startMs: first * unit, endMs: last * unit } : null;
    });
    const started = { extent, startedAtMs: Date.now() };
    if (this.#extents.size >= maxExtents) this.#extents.clear();
    this.#extents.set(key, started);
    extent.catch(() => {
      if (this.#extents.get(key) === started) this.#extents.delete(key);
    });
    return unlessLeft(extent, call.signal);
  }

  suggest(
    dataset: QueryableDataset,
    request: { readonly column: string; readonly contains: string; readonly rows: number | null },
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<Suggestions> {
    return this.#query(dataset, call, async (table, session) =>
      suggestionsOf(await texts(compileSuggest(table, request, query, session.dialect), session), request.rows),
    );
  }

  profile(dataset: QueryableDataset, column: string, query: Narrowing, call: EngineCall): Promise<ColumnProfile> {
    return this.#query(dataset, call, async (table, session) => {
      const type = dataset.columns.find(({ name }) => name === column)?.type ?? "STRING";
      return profileOf(await texts(compileProfile(table, column, query, session.dialect), session), type);
    });
  }

  async timeDistribution(dataset: QueryableDataset, query: TimeDistributionQuery, call: EngineCall): Promise<TimeDistribution> {
    const [dialect, extent] = await Promise.all([
      this.#server.kind(call.signal).then(prestoDialect),
      // A bounded search needs no other scan to find where its rows can be.
      hasBothEnds(query.timeRange) ? null : this.timeExtent(dataset, call),
    ]);
    const scan = this.#scanOf(dataset, call, { weight: distributionWeight });
    return timeDistribution(dataset, query, extent, scan, dialect);
  }

  async columnDistributions(
    dataset: QueryableDataset,
    columns: QueryableDataset["columns"],
    query: Narrowing,
    call: EngineCall,
  ): Promise<ColumnDistributions> {
    const dialect = prestoDialect(await this.#server.kind(call.signal));
    const scan = this.#scanOf(dataset, call, { weight: profileScanWeight });
    return columnDistributions(columns, query, scan, dialect);
  }

  async profileDataset(
    dataset: QueryableDataset,
    { conditions, timeoutMs }: Pick<SearchQuery, "conditions"> & { readonly timeoutMs: number },
    call: EngineCall,
  ): Promise<DatasetStatistics> {
    const dialect = prestoDialect(await this.#server.kind(call.signal));
    const scan = this.#scanOf(dataset, call, { weight: profileScanWeight, timeoutMs: Math.min(timeoutMs, this.#maxScanMs) });
    return profileDataset(dataset, conditions, scan, dialect);
  }

  /** One slot for each statement, so that others get their turn in between. */
  #scanOf(dataset: QueryableDataset, call: EngineCall, options: { readonly weight: number; readonly timeoutMs?: number }): Scan {
    return (compile) =>
      this.#runner.run(
        call,
        this.#withTable(dataset, (table, session) => texts(compile(table), session)),
        options,
      );
  }

  readonly maps: MapQueries = {
    latest: (dataset, by, query, call) =>
      this.#rows(dataset, query.limit, (table, dialect) => compileLatest(table, by, withExtraRow(query), dialect), call),
    path: (dataset, request, query, call) => {
      const columns = (table: SqlTable) => request.columns.flatMap((name) => table.columns.get(name) ?? []);
      return this.#rows(dataset, query.limit, (table, dialect) => compilePath(table, request, withExtraRow(query), dialect), call, columns);
    },
    tracks: (dataset, request, query, call) =>
      this.#rows(
        dataset,
        maxTrackRows(request),
        (table, dialect) => compileTracks(table, request, query, dialect),
        call,
        (table: SqlTable) => trackColumns(table, request),
      ),
    countPath: (dataset, request, query, call) =>
      this.#query(dataset, call, async (table, session) => {
        const [row = []] = await texts(compilePathCount(table, request, query, session.dialect), session);
        return Number(cellsOf(row)[0]);
      }),
  };

  async export(dataset: QueryableDataset, query: Omit<SearchQuery, "offset">, target: ExportTarget, call: EngineCall): Promise<number> {
    // The slot is held only to describe the table: writing may take hours, and exports have limits of their own.
    await this.#query(dataset, call, () => Promise.resolve());
    const write = async (table: SqlTable, session: StatementSession) => {
      const rows = this.#order.every(table, { ...query, offset: 0 }, session);
      const columns = [...table.columns.values()];
      if (target.format === "arrow") {
        const [{ arrowRows }, { writeArrowFile }] = await Promise.all([import("./arrow-rows.ts"), import("#query/arrow/arrow-file.ts")]);
        return writeArrowFile(
          target.path,
          arrowRows(rows, columns, query.limit, () => undefined),
          target.onRows,
        );
      }
      if (target.format !== "parquet") return writeExport(rows, columns, { ...target, format: target.format });
      const { exportFolder, limits } = this.#options;
      return writeParquet(rows, columns, target, { exportFolder, exportMemoryMb: limits.exportMemoryMb }, call.signal);
    };
    return this.#runner.runBeside(call, this.#withTable(dataset, write), exportTimeoutMs);
  }

  check({ source, columns }: Pick<QueryableDataset, "source" | "columns">, call: EngineCall): Promise<readonly SourceProblem[]> {
    return this.#runner.run(call, async (session) => {
      try {
        const { problems } = matchColumns(columns, await this.#tables.get(source, session));
        // So that a corrected table is noticed on the next check.
        if (problems.length > 0) this.#tables.forget(source);
        return problems;
      } catch (error) {
        if (error instanceof SourceNotReady) return error.problems;
        throw error;
      }
    });
  }

  async ping(): Promise<void> {
    const call: EngineCall = { signal: AbortSignal.timeout(pingMs), owner: "portal" };
    await this.#runner.run(call, (session) => session.rows(compileRaw(sql`select 1`)));
  }

  close(): Promise<void> {
    this.#closing.abort(new Error("the engine is closing"));
    return this.#server.close();
  }

  #rows(dataset: QueryableDataset, limit: number, compile: Compile, call: EngineCall, columnsOf?: ColumnsOf): Promise<RowStream> {
    return this.#textRows(dataset, limit, (table, session) => session.pages(compile(table, session.dialect)), call, columnsOf);
  }

  #textRows(
    dataset: QueryableDataset,
    limit: number,
    pages: (table: SqlTable, session: StatementSession) => Pages,
    call: EngineCall,
    columnsOf: ColumnsOf = ({ columns }) => [...columns.values()],
  ): Promise<RowStream> {
    return this.#stream<string>(dataset, call, (table, channel, session) =>
      sendRows(pages(table, session), jsonRows(columnsOf(table)), limit, channel),
    );
  }

  /** `send` resolves to whether there were more rows than it has sent. */
  async #stream<Chunk extends string | Uint8Array>(
    dataset: QueryableDataset,
    call: EngineCall,
    send: (table: SqlTable, channel: RowChannel<Chunk>, session: StatementSession) => Promise<boolean>,
  ): Promise<RowStream<Chunk>> {
    const chunks = new RowChannel<Chunk>(call.signal);
    const hasMore = this.#query(dataset, call, (table, session) => send(table, chunks, session)).then(
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

  #query<T>(dataset: QueryableDataset, call: EngineCall, work: (table: SqlTable, session: StatementSession) => Promise<T>): Promise<T> {
    return this.#runner.run(call, this.#withTable(dataset, work));
  }

  /** Wraps work on the dataset's table so that its failures are explained. */
  #withTable<T>(
    dataset: QueryableDataset,
    work: (table: SqlTable, session: StatementSession) => Promise<T>,
  ): (session: StatementSession) => Promise<T> {
    return async (session) => {
      const table = await this.#table(dataset, session);
      try {
        return await work(table, session);
      } catch (error) {
        if (error instanceof StatementError && !session.signal.aborted) throw await this.#explain(error, dataset, session);
        throw error;
      }
    };
  }

  /** The table may have changed since it was described. Then that is the cause, whatever the server reports. */
  async #explain(error: StatementError, dataset: QueryableDataset, session: StatementSession): Promise<EngineFailed> {
    const { reason, queryId, errorName, errorType, serverMessage } = error;
    if (reason === "failed" || reason === "unsupported") {
      this.#tables.forget(dataset.source);
      try {
        await this.#table(dataset, session);
      } catch (problem) {
        if (problem instanceof SourceNotReady) return problem;
      }
    }
    this.#options.log.warn({ queryId, errorName, errorType, serverMessage, dataset: dataset.id }, "query failed in the query server");
    return error;
  }

  async #table(dataset: QueryableDataset, session: StatementSession): Promise<SqlTable> {
    const metadata = await this.#tables.get(dataset.source, session).catch((error: unknown) => {
      throw error instanceof SourceNotReady ? withDataset(error, dataset) : error;
    });
    const {
      columns,
      problems: [first, ...others],
    } = matchColumns(dataset.columns, metadata);
    if (first !== undefined) {
      // Forget the description so that a changed table is noticed on the next attempt.
      this.#tables.forget(dataset.source);
      throw new SourceNotReady([first, ...others], { dataset: dataset.id });
    }
    return tableOf(dataset, columns, metadata, session.dialect);
  }
}

const pingMs = 5_000;

/** Waits no longer than the caller. */
const unlessLeft = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  unlessAborted(work, signal).catch((error: unknown) => {
    throw error instanceof EngineFailed ? error : abandoned(signal);
  });

/** Adds a row to the limit: its presence shows that there are more. */
const withExtraRow = <T extends { readonly limit: number }>(query: T): T => ({ ...query, limit: query.limit + 1 });

const withDataset = ({ problems, cause }: SourceNotReady, { id }: QueryableDataset): SourceNotReady =>
  new SourceNotReady(problems, { dataset: id, cause });

/** Rows of a statement that selects texts only. */
const texts = async (statement: Compiled, session: StatementSession) => (await session.rows(statement)) as readonly TextRow[];

/** Resolves to whether there were more rows than `limit`. */
async function sendRows(pages: Pages, write: (row: readonly unknown[]) => string, limit: number, channel: RowChannel): Promise<boolean> {
  let sent = 0;
  let wasCut = false;
  // Read to the end, which is one row further at most: the server would take a query that is left for a failed one.
  for await (const page of pages) {
    for (let at = 0; at < page.length; at += rowsPerChunk) {
      const rows = page.slice(at, Math.min(at + rowsPerChunk, at + limit - sent));
      if (rows.length > 0 && !(await channel.push((sent === 0 ? "" : ",") + rows.map(write).join(",")))) return false;
      sent += rows.length;
      wasCut ||= sent >= limit && page.length > at + rows.length;
      if (sent >= limit) break;
    }
  }
  return wasCut;
}
