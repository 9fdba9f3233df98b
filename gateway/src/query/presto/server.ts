import type { Column } from "@fairway/contract/columns";
import type { TimeExtent } from "@fairway/contract/datasets";
import type { Limits } from "@fairway/contract/limits";
import {
  type EngineCall,
  EngineFailed,
  type ExportTarget,
  type QueryableDataset,
  type SearchQuery,
  SourceNotReady,
  type TableCatalog,
} from "#query/engine.ts";
import type { ArrowPart } from "#query/arrow/ipc-stream.ts";
import { abandoned } from "#query/slots.ts";
import type { TextRow } from "#query/sql/column-values-read.ts";
import { hasBothEnds } from "#query/sql/compile.ts";
import { readableColumns } from "#query/sql/described-columns.ts";
import { type SearchPage, type SqlLimits, type SqlServer, slotLimits } from "#query/sql/server.ts";
import type { SqlColumn, SqlTable } from "#query/sql/table.ts";
import { readExtent } from "#query/sql/time-extent.ts";
import { StatementError } from "./client/failures.ts";
import { unlessAborted } from "./client/statement-run.ts";
import type { StatementServer } from "./client/statements.ts";
import { typeOf } from "./column-types.ts";
import { matchTable, tableOf } from "./described-table.ts";
import { prestoDialect } from "./dialect.ts";
import { writeExport } from "./export-file.ts";
import { writeParquet } from "./parquet-file.ts";
import { writeSheet } from "./sheet-rows.ts";
import { RowOrder } from "./row-order.ts";
import { jsonRows } from "./row-text.ts";
import { StatementRunner, type StatementSession } from "./statement-runner.ts";
import { tableCatalog } from "./table-catalog.ts";
import { TableMetadataCache } from "./table-metadata.ts";

export interface PrestoOptions {
  readonly server: StatementServer;
  /** Folder of exports. */
  readonly exportFolder: string;
  readonly limits: SqlLimits & Pick<Limits, "exportMemoryMb">;
  readonly log: { warn(details: object, message: string): void };
  /** Whether statements run as the person for whom they run, so that two people may see different rows of a table. */
  readonly asUser?: boolean;
}

/** How long a dataset's time extent is used: finding it may read a whole column. */
const extentMs = 300_000;
/** Of all datasets of all times. */
const maxExtents = 1_000;
/** Rows whose texts are passed on together. */
const rowsPerChunk = 1_000;
/** A server ends statements by its own limits, so this only keeps an export from being forgotten. */
const exportTimeoutMs = 24 * 3_600_000;

type Server = SqlServer<StatementSession>;

/** A Trino or Presto server. */
export class PrestoServer implements Server {
  readonly runner: StatementRunner;
  /** The server would take a query that is left for a failed one. */
  readonly readsToEnd = true;
  readonly catalog: TableCatalog;
  readonly #options: PrestoOptions;
  readonly #tables: TableMetadataCache;
  readonly #order = new RowOrder();
  readonly #extents = new Map<string, { readonly extent: Promise<TimeExtent | null>; readonly startedAtMs: number }>();
  readonly #closing = new AbortController();

  constructor(options: PrestoOptions) {
    const { server, limits } = options;
    this.#options = options;
    this.runner = new StatementRunner(server, { slots: limits.engineSlots, ...slotLimits(limits) });
    this.#tables = new TableMetadataCache(options.asUser === true);
    this.catalog = tableCatalog({ runner: this.runner, tables: this.#tables });
  }

  readonly dialect: Server["dialect"] = async (signal) => prestoDialect(await this.#options.server.kind(signal));

  readonly columns: Server["columns"] = async (source, session) => {
    const { columns } = await this.#tables.get(source, session);
    return [...columns].map(([name, { type, comment }]) => {
      const column: Column = { name, type: typeOf(type), description: comment, combined: null };
      if (type.name === "date") column.day = true;
      return column;
    });
  };

  readonly check: Server["check"] = async (source, columns, session) => {
    const { problems } = matchTable(columns, await this.#tables.get(source, session));
    // So that a corrected table is noticed on the next check.
    if (problems.length > 0) this.#tables.forget(source);
    return problems;
  };

  readonly table: Server["table"] = async (dataset, session) => {
    const metadata = await this.#tables.get(dataset.source, session);
    const columns = readableColumns(matchTable(dataset.columns, metadata), () => this.#tables.forget(dataset.source));
    return tableOf(dataset, columns, metadata, session.dialect);
  };

  /** The table may have changed since it was described. */
  readonly explain: Server["explain"] = async (error, dataset, session) => {
    if (!(error instanceof StatementError) || session.signal.aborted) return error;
    const { reason, queryId, errorName, errorType, serverMessage } = error;
    if (reason === "failed" || reason === "unsupported") {
      this.#tables.forget(dataset.source);
      try {
        await this.table(dataset, session);
      } catch (problem) {
        if (problem instanceof SourceNotReady) return problem;
      }
    }
    this.#options.log.warn({ queryId, errorName, errorType, serverMessage, dataset: dataset.id }, "query failed in the query server");
    return error;
  };

  readonly rows: Server["rows"] = async (statement, session) => (await session.rows(statement)) as readonly TextRow[];

  readonly texts: Server["texts"] = (statement, columns, session) => rowTexts(session.pages(statement), columns);

  /** Rows of a table have no order of their own. */
  readonly page: Server["page"] = ({ dataset, table, query, call }, session) =>
    rowTexts(this.#order.page(dataset, table, query, session, call), [...table.columns.values()]);

  async *arrow(
    { dataset, table, query, call }: SearchPage,
    limit: number,
    session: StatementSession,
    onCut: () => void,
  ): AsyncIterable<ArrowPart> {
    const { arrowRows } = await import("./arrow-rows.ts");
    yield* arrowRows(this.#order.page(dataset, table, query, session, call), [...table.columns.values()], limit, onCut);
  }

  /** Known for a while, because the server does not report changes of tables, and shared by concurrent callers. */
  readonly timeExtent: Server["timeExtent"] = (dataset, call, onTable) => {
    const { source, scope, columns, derived, temporalField, ownConditions } = dataset;
    const reader = this.#options.asUser === true ? (call.user ?? null) : null;
    const column = columns.find(({ name }) => name === temporalField);
    const key = JSON.stringify([source, scope, column, derived, ownConditions, reader], (_, value: unknown) =>
      typeof value === "bigint" ? `${value}n` : value,
    );
    const known = this.#extents.get(key);
    if (known !== undefined && Date.now() - known.startedAtMs < extentMs) return unlessLeft(known.extent, call.signal);
    // Goes on when its caller leaves: descriptions of datasets wait for a second only, and the next one finds it.
    const extent = onTable({ ...call, signal: this.#closing.signal }, (table, session) =>
      readExtent(table, dataset, session.dialect, (statement) => this.rows(statement, session)),
    );
    const started = { extent, startedAtMs: Date.now() };
    if (this.#extents.size >= maxExtents) this.#extents.clear();
    this.#extents.set(key, started);
    extent.catch(() => {
      if (this.#extents.get(key) === started) this.#extents.delete(key);
    });
    return unlessLeft(extent, call.signal);
  };

  /** A bounded search needs no other scan to find where its rows can be. */
  readonly needsExtent: Server["needsExtent"] = ({ timeRange }) => !hasBothEnds(timeRange);

  readonly export: Server["export"] = (dataset, table, query, target, call) =>
    this.#beside(dataset, call, (session) => this.#write(table, query, target, session));

  readonly exporting: Server["exporting"] = (dataset, _path, call, work) =>
    this.#beside(dataset, call, (session) =>
      work({
        dialect: session.dialect,
        rows: (statement) => this.rows(statement, session),
        pages: (statement) => session.pages(statement) as AsyncIterable<readonly TextRow[]>,
      }),
    );

  close(): Promise<void> {
    this.#closing.abort(new Error("the engine is closing"));
    return this.#options.server.close();
  }

  #beside<T>(dataset: QueryableDataset, call: EngineCall, work: (session: StatementSession) => Promise<T>): Promise<T> {
    const explained = async (session: StatementSession) => {
      try {
        return await work(session);
      } catch (error) {
        throw await this.explain(error, dataset, session);
      }
    };
    return this.runner.runBeside(call, explained, exportTimeoutMs);
  }

  async #write(table: SqlTable, query: Omit<SearchQuery, "offset">, target: ExportTarget, session: StatementSession): Promise<number> {
    const rows = this.#order.every(table, { ...query, offset: 0 }, session);
    const columns = [...table.columns.values()];
    const { format, path, onRows } = target;
    if (format === "arrow") {
      const [{ arrowRows }, { writeArrowFile }] = await Promise.all([import("./arrow-rows.ts"), import("#query/arrow/arrow-file.ts")]);
      return writeArrowFile(
        path,
        arrowRows(rows, columns, query.limit, () => undefined),
        onRows,
      );
    }
    if (format === "xlsx") {
      return writeSheet(rows, columns, target, { memoryMb: this.#options.limits.exportMemoryMb, signal: session.signal });
    }
    if (format !== "parquet") return writeExport(rows, columns, { ...target, format });
    const { exportFolder, limits } = this.#options;
    return writeParquet(rows, columns, target, { exportFolder, exportMemoryMb: limits.exportMemoryMb }, session.signal);
  }
}

async function* rowTexts(
  pages: AsyncIterable<readonly (readonly unknown[])[]>,
  columns: readonly SqlColumn[],
): AsyncGenerator<readonly string[]> {
  const write = jsonRows(columns);
  for await (const page of pages) {
    for (let at = 0; at < page.length; at += rowsPerChunk) yield page.slice(at, at + rowsPerChunk).map((row) => write(row));
  }
}

/** Waits no longer than the caller. */
const unlessLeft = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  unlessAborted(work, signal).catch((error: unknown) => {
    throw error instanceof EngineFailed ? error : abandoned(signal);
  });
