import { type Column, isNumeric } from "@fairway/contract/columns";
import type { TimeExtent } from "@fairway/contract/datasets";
import {
  type DatasetSource,
  type EngineCall,
  EngineFailed,
  type QueryableDataset,
  SourceNotReady,
  type SourceNotes,
  type SourceReading,
  type UnreadablePage,
} from "#query/engine.ts";
import type { ArrowPart } from "#query/arrow/ipc-stream.ts";
import { conditionsKey } from "#query/own-conditions.ts";
import type { TextRow } from "#query/sql/column-values-read.ts";
import { type Compiled, compileRaw, compileSearch, searchRows } from "#query/sql/compile.ts";
import { readableColumns } from "#query/sql/described-columns.ts";
import type { SearchPage, SqlServer } from "#query/sql/server.ts";
import { readExtent } from "#query/sql/time-extent.ts";
import { arrowRowsSql } from "./arrow-sql.ts";
import { typeOf } from "./column-types.ts";
import { matchFiles } from "./described-columns.ts";
import { duckDbDialect, pageSql } from "./dialect.ts";
import { writeXlsx } from "#query/xlsx/xlsx-file.ts";
import { compileExport, memoryNeeded } from "./export-sql.ts";
import type { Exporter } from "./exporter.ts";
import { fineTimeNotes } from "./fine-times.ts";
import type { LockedInstance } from "./locked-instance.ts";
import { longDecimalReason } from "./parquet-decimals.ts";
import { type QueryConnection, type QueryRunner, type StreamedResult, engineFailure, streamResult } from "./query-runner.ts";
import { type SourceMetadata, type SourceMetadataCache, maxKnownSources, sourceKey, unreadable } from "./source-metadata.ts";
import { sourceReading } from "./source-reading.ts";
import { sourceReport } from "./source-report.ts";
import { tableOf } from "./source-table.ts";
import { unreadableValues } from "./unreadable-values.ts";

type Server = SqlServer<QueryConnection>;

export interface DuckDbParts {
  readonly locked: LockedInstance;
  readonly runner: QueryRunner;
  readonly sources: SourceMetadataCache;
  readonly exporter: Exporter;
  readonly log: { warn(details: object, message: string): void };
}

/** The embedded DuckDB, which reads files of the data folder and copies of files of buckets. */
export class DuckDbServer implements Server {
  readonly runner: QueryRunner;
  /** A statement ends with its reader. */
  readonly readsToEnd = false;
  readonly #parts: DuckDbParts;
  readonly #sources: SourceMetadataCache;
  /** The latest report per state of a source, because creating one reads every value. */
  readonly #reports = new WeakMap<SourceMetadata, { readonly columns: string; readonly report: readonly string[] }>();
  readonly #readings = new WeakMap<SourceMetadata, SourceReading | null>();
  readonly #extents = new Map<string, { state: string; extent: TimeExtent | null }>();

  constructor(parts: DuckDbParts) {
    this.#parts = parts;
    this.runner = parts.runner;
    this.#sources = parts.sources;
  }

  readonly dialect: Server["dialect"] = () => Promise.resolve(duckDbDialect);

  readonly columns: Server["columns"] = async (source, connection) => {
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
  };

  async reading(source: DatasetSource, connection: QueryConnection): Promise<SourceReading | null> {
    const metadata = await this.#sources.get(source, connection);
    const known = this.#readings.get(metadata);
    const reading = known === undefined ? await sourceReading(metadata, connection) : known;
    this.#readings.set(metadata, reading);
    return reading;
  }

  async unreadable(source: DatasetSource, pages: readonly UnreadablePage[], connection: QueryConnection) {
    const metadata = await this.#sources.get(source, connection);
    const { understood } = metadata;
    return understood === null ? new Map<string, never>() : unreadableValues(metadata, understood, pages, connection);
  }

  async notes(source: DatasetSource, connection: QueryConnection): Promise<SourceNotes> {
    const metadata = await this.#sources.get(source, connection);
    const leftOut = [...metadata.unreadable].map(
      ([name, stored]) =>
        `The column '${name}' is left out: it contains ${longDecimalReason(stored)}. Store it with fewer digits, or as doubles or texts, to include it.`,
    );
    // Of files of buckets there are only the footers.
    return { notes: [...metadata.notes, ...(source.kind === "copies" ? [] : await fineTimeNotes(metadata, connection))], leftOut };
  }

  async inspect(source: DatasetSource, columns: QueryableDataset["columns"], connection: QueryConnection): Promise<readonly string[]> {
    const metadata = await this.#sources.get(source, connection);
    const known = this.#reports.get(metadata);
    const columnsKey = JSON.stringify(columns.map(({ name, type }) => [name, type]));
    const report = known?.columns === columnsKey ? known.report : await sourceReport(metadata, columns, connection);
    this.#reports.set(metadata, { columns: columnsKey, report });
    return report;
  }

  readonly check: Server["check"] = async (source, columns, connection) =>
    matchFiles(columns, await this.#sources.get(source, connection)).problems;

  async state(source: DatasetSource, connection: QueryConnection): Promise<string> {
    return (await this.#sources.get(source, connection)).state;
  }

  /** `only`: the engine plans how each column is read, which takes long for wide tables. */
  readonly table: Server["table"] = async (dataset, connection, only) => {
    const metadata = await this.#sources.get(dataset.source, connection);
    const columns = readableColumns(matchFiles(dataset.columns, metadata), () => this.#sources.forget(dataset.source));
    return tableOf(dataset, columns, metadata, only);
  };

  readonly explain: Server["explain"] = async (error, dataset, connection) => {
    if (!(error instanceof StatementFailed)) return error;
    if (connection.signal.aborted) return error.cause;
    const failure = await this.#causeOf(error.cause, dataset, connection);
    // The SQL contains names but no values, which are parameters.
    if (!(failure instanceof SourceNotReady)) {
      this.#parts.log.warn({ err: error.cause, sql: error.statement.sql }, "query failed in the engine");
    }
    return failure;
  };

  readonly rows: Server["rows"] = async (statement, connection) => {
    try {
      return (await connection.rows(statement)) as readonly TextRow[];
    } catch (error) {
      throw new StatementFailed(statement, error);
    }
  };

  /** DuckDB writes the texts itself, with the columns that the statement selects. */
  readonly texts: Server["texts"] = (statement, _columns, connection) => ofStatement(statement, connection.texts(statement));

  readonly page: Server["page"] = ({ table, query }, connection) => {
    const statement = compileSearch(table, query, duckDbDialect);
    return ofStatement(statement, connection.texts(statement));
  };

  async *arrow({ table, query }: SearchPage, limit: number, connection: QueryConnection, onCut: () => void): AsyncIterable<ArrowPart> {
    const { arrowRows } = await import("./arrow-rows.ts");
    const select = searchRows(table, query, duckDbDialect);
    const statement = compileRaw(arrowRowsSql(select.columns, pageSql(select)));
    yield* ofStatement(
      statement,
      connection.stream(statement, (result) => arrowRows(result, select.columns, limit, onCut)),
    );
  }

  /** Known as long as the files do not change. */
  readonly timeExtent: Server["timeExtent"] = (dataset, call, onTable) =>
    onTable(call, async (table, connection) => {
      const { source, scope, temporalField, ownConditions } = dataset;
      const { state } = await this.#sources.get(source, connection);
      // A time that is made of other columns may come from other files, too.
      if (table.derived?.has(temporalField) === true)
        return readExtent(table, dataset, duckDbDialect, (statement) => this.rows(statement, connection));
      const key = JSON.stringify([sourceKey(source), scope, temporalField, conditionsKey(ownConditions)]);
      const known = this.#extents.get(key);
      if (known?.state === state) return known.extent;
      // Without conditions, DuckDB answers this from the statistics of Parquet files.
      const extent = await readExtent(table, dataset, duckDbDialect, (statement) => this.rows(statement, connection));
      this.#extents.delete(key);
      this.#extents.set(key, { state, extent });
      const [oldest = ""] = this.#extents.keys();
      if (this.#extents.size > maxKnownSources) this.#extents.delete(oldest);
      return extent;
    });

  /** The extent is mostly known, and narrows even a bounded search. */
  readonly needsExtent: Server["needsExtent"] = ({ byDay }) => byDay !== true;

  /** Writing uses an instance of its own. */
  readonly export: Server["export"] = (dataset, table, query, target, call) => {
    const { exporter } = this.#parts;
    const { format } = target;
    const { source } = dataset;
    const readsTexts = (source.kind === "files" || source.kind === "copies") && source.format !== "parquet";
    const memoryMb = memoryNeeded(table, { format, readsTexts });
    return this.#exporting(dataset, call, () => {
      if (format === "arrow") return exporter.writeArrow({ ...target, memoryMb }, table, query, call.signal);
      const write = (file: string) =>
        exporter.write(
          file,
          (path) => compileExport(table, query, { ...target, format, path }),
          { onRows: target.onRows, memoryMb },
          call.signal,
        );
      if (format !== "xlsx") return write(target.path);
      const { csvColumns } = target;
      return writeXlsx(target, { columns: table.columns, csvColumns, store: write }, { memoryMb: exporter.memoryMb, signal: call.signal });
    });
  };

  readonly exporting: Server["exporting"] = (dataset, path, call, work) =>
    this.#exporting(dataset, call, () =>
      this.#parts.exporter.read(path, call.signal, (connection) => {
        const pages = (statement: Compiled) => streamResult(connection, statement, call.signal, rowsOfChunks);
        const rows = async (statement: Compiled): Promise<readonly TextRow[]> => {
          const found: TextRow[] = [];
          for await (const page of pages(statement)) found.push(...page);
          return found;
        };
        return work({ dialect: duckDbDialect, rows, pages });
      }),
    );

  close(): Promise<void> {
    this.#parts.locked.instance.closeSync();
    return Promise.resolve();
  }

  async #exporting<T>(dataset: QueryableDataset, call: EngineCall, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (call.signal.aborted) throw error;
      const failure = await this.runner.run(call, (connection) => this.#causeOf(error, dataset, connection));
      if (!(failure instanceof SourceNotReady)) this.#parts.log.warn({ err: error, dataset: dataset.id }, "an export failed in the engine");
      throw failure;
    }
  }

  /** Files may have changed since their metadata was read. Then they are the cause, whatever DuckDB reports. */
  async #causeOf(error: unknown, dataset: QueryableDataset, connection: QueryConnection): Promise<unknown> {
    const failure = engineFailure(error);
    if (failure.reason !== "failed") return error;
    this.#sources.forget(dataset.source);
    try {
      await this.table(dataset, connection);
    } catch (problem) {
      return problem instanceof SourceNotReady ? problem : error;
    }
    const cause = error instanceof EngineFailed ? error.cause : error;
    const text = cause instanceof Error ? cause.message : "";
    const isFileError = text.startsWith("IO Error") && !text.includes("No space left on device");
    return isFileError ? unreadable(cause, this.#sources.namer(dataset.source)) : error;
  }
}

async function* rowsOfChunks({ chunks }: StreamedResult): AsyncGenerator<readonly TextRow[]> {
  for await (const chunk of chunks) yield chunk.getRows() as unknown as readonly TextRow[];
}

async function* ofStatement<T>(statement: Compiled, parts: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* parts;
  } catch (error) {
    throw new StatementFailed(statement, error);
  }
}

/** Carries the failed statement; `cause` is DuckDB's error. */
class StatementFailed extends Error {
  override readonly name = "StatementFailed";
  readonly statement: Compiled;
  constructor(statement: Compiled, cause: unknown) {
    super("a statement failed", { cause });
    this.statement = statement;
  }
}
