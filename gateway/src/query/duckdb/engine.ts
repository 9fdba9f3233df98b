import { mkdir } from "node:fs/promises";
import type { ColumnProfile, Suggestions } from "@fairway/contract/column-values";
import type { Column } from "@fairway/contract/columns";
import type { Feature, TimeExtent } from "@fairway/contract/datasets";
import type { Limits } from "@fairway/contract/limits";
import type { CellValue } from "@fairway/contract/search";
import { sql } from "kysely";
import {
  type Aggregation,
  type AggregationGroup,
  type DatasetSource,
  type EngineCall,
  EngineFailed,
  type ExportTarget,
  type MapQueries,
  type QueryEngine,
  type QueryableDataset,
  type RowStream,
  type SearchQuery,
  SourceNotReady,
  type SourceProblem,
} from "#query/engine.ts";
import { type Compiled, compileExtent, compileRaw, compileSample, compileSearch } from "#query/sql/compile.ts";
import { compileProfile, compileSuggest } from "#query/sql/column-values.ts";
import { compileLatest, compilePath, compilePathCount } from "#query/sql/map-results.ts";
import { unitMs } from "#query/sql/instants.ts";
import type { SqlTable } from "#query/sql/table.ts";
import { aggregateScans, cellsOf } from "./aggregates.ts";
import { type TextRow, profileOf, suggestionsOf } from "./column-values.ts";
import { typeOf } from "./column-types.ts";
import { matchColumns } from "./described-columns.ts";
import { duckDbDialect } from "./dialect.ts";
import { compileExport } from "./export-sql.ts";
import { Exporter } from "./exporter.ts";
import { type InstanceOptions, type LockedInstance, openLockedInstance } from "./locked-instance.ts";
import { QueryRunner, type Running, engineFailure } from "./query-runner.ts";
import { type SourceFacts, SourceFactsCache, unreadable } from "./source-facts.ts";
import { sourceReport } from "./source-report.ts";
import { tableOf } from "./source-table.ts";
import { TextCopies } from "./text/text-copies.ts";
import { TextPump } from "./text-pump.ts";

export interface DuckDbOptions extends Omit<InstanceOptions, "writes"> {
  /** The only folder below which exports are written. Created where missing. */
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
}

/**
 * Opens the embedded engine over the files of one folder. Set UV_THREADPOOL_SIZE: each running query holds a thread of it.
 * Decision 0008.
 */
export async function openDuckDb(options: DuckDbOptions): Promise<DuckDbEngine> {
  const locked = await openLockedInstance(options);
  const { instance, dataFolder, copyFolder } = locked;
  await mkdir(options.exportFolder, { recursive: true, mode: 0o700 });
  const connections = await Promise.all(Array.from({ length: options.limits.engineSlots }, () => instance.connect()));
  const runner = new QueryRunner(connections, {
    perOwner: options.limits.engineSlotsPerUser,
    queue: options.limits.engineQueue,
    queuePerOwner: options.limits.engineQueuePerUser,
    waitMs: options.limits.engineWaitMs,
    timeoutMs: options.limits.queryTimeoutMs,
  });
  const exporter = new Exporter({ ...options, exportMemoryMb: options.limits.exportMemoryMb });
  const facts = new SourceFactsCache(dataFolder, new TextCopies(copyFolder, options.limits.convertedFilesBytes));
  return new DuckDbEngine(locked, runner, facts, exporter, options);
}

export class DuckDbEngine implements QueryEngine {
  readonly features: ReadonlySet<Feature> = new Set<Feature>(["SAMPLE", "PAGINATION", "COUNT"]);
  readonly sorts = true;
  readonly groups = true;
  readonly #locked: LockedInstance;
  readonly #runner: QueryRunner;
  readonly #facts: SourceFactsCache;
  readonly #exporter: Exporter;
  readonly #log: DuckDbOptions["log"];
  readonly #maxComparisons: number;
  /** Of each state of a source the last one, as finding out takes a look at every value. */
  readonly #reports = new WeakMap<SourceFacts, { readonly columns: string; readonly report: readonly string[] }>();
  readonly #extents = new Map<string, { state: string; extent: TimeExtent | null }>();

  constructor(
    locked: LockedInstance,
    runner: QueryRunner,
    facts: SourceFactsCache,
    exporter: Exporter,
    { log, limits }: Pick<DuckDbOptions, "log" | "limits">,
  ) {
    this.#locked = locked;
    this.#runner = runner;
    this.#facts = facts;
    this.#exporter = exporter;
    this.#log = log;
    this.#maxComparisons = limits.graphBatchComparisons;
  }

  /** Queries under way and in the queue, at this moment. */
  get metrics(): { readonly running: number; readonly waiting: number } {
    return { running: this.#runner.running, waiting: this.#runner.waiting };
  }

  columns(source: DatasetSource, call: EngineCall): Promise<Column[]> {
    return this.#runner.run(call, async (running) => {
      const { columns } = await this.#facts.of(source, running);
      return [...columns].map(([name, duckType]) => ({ name, type: typeOf(duckType), description: "", combined: null }));
    });
  }

  inspect(source: DatasetSource, columns: QueryableDataset["columns"], call: EngineCall): Promise<readonly string[]> {
    return this.#runner.run(call, async (running) => {
      const facts = await this.#facts.of(source, running);
      const known = this.#reports.get(facts);
      const asked = JSON.stringify(columns.map(({ name, type }) => [name, type]));
      const report = known?.columns === asked ? known.report : await sourceReport(facts, columns, running);
      this.#reports.set(facts, { columns: asked, report });
      return report;
    });
  }

  search(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream> {
    // One row more than asked for tells whether there are more.
    const ask = { ...query, limit: query.limit + 1 };
    return this.#rows(dataset, query.limit, (table) => compileSearch(table, ask, duckDbDialect), call);
  }

  sample(dataset: QueryableDataset, query: Pick<SearchQuery, "conditions" | "limit">, call: EngineCall): Promise<RowStream> {
    const ask = { ...query, limit: query.limit + 1 };
    return this.#rows(dataset, query.limit, (table) => compileSample(table, ask, duckDbDialect), call);
  }

  async aggregate(
    dataset: QueryableDataset,
    aggregations: readonly Aggregation[],
    groups: readonly AggregationGroup[],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<CellValue[][]> {
    const scans = aggregateScans(aggregations, groups, query, this.#maxComparisons);
    const parts = scans.map(({ weight, compile, read }) => ({
      weight,
      work: this.#over(dataset, async (table, running) => read(await this.#texts(compile(table), running))),
    }));
    return (await this.#runner.runInParts(call, parts)).flat();
  }

  timeExtent(dataset: QueryableDataset, call: EngineCall): Promise<TimeExtent | null> {
    const { temporalField } = dataset;
    if (temporalField === null) return Promise.resolve(null);
    return this.#ask(dataset, call, async (table, running) => {
      const { state } = await this.#facts.of(dataset.source, running);
      const key = JSON.stringify([dataset.source, temporalField]);
      const known = this.#extents.get(key);
      if (known?.state === state) return known.extent;
      const [first, last] = await this.#row(compileExtent(table, temporalField, duckDbDialect), running);
      const unit = Number(unitMs(table.columns.get(temporalField)?.type ?? "TIMESTAMP_MILLS"));
      const extent = typeof first === "number" && typeof last === "number" ? { startMs: first * unit, endMs: last * unit } : null;
      this.#extents.set(key, { state, extent });
      return extent;
    });
  }

  suggest(
    dataset: QueryableDataset,
    ask: { readonly column: string; readonly contains: string; readonly rows: number },
    query: Pick<SearchQuery, "timeRange" | "conditions">,
    call: EngineCall,
  ): Promise<Suggestions> {
    return this.#ask(dataset, call, async (table, running) =>
      suggestionsOf(await this.#texts(compileSuggest(table, ask, query, duckDbDialect), running), ask.rows),
    );
  }

  profile(
    dataset: QueryableDataset,
    column: string,
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<ColumnProfile> {
    return this.#ask(dataset, call, async (table, running) => {
      const type = dataset.columns.find(({ name }) => name === column)?.type ?? "STRING";
      return profileOf(await this.#texts(compileProfile(table, column, query, duckDbDialect), running), type);
    });
  }

  readonly maps: MapQueries = {
    latest: (dataset, by, query, call) => {
      const ask = { ...query, limit: query.limit + 1 };
      return this.#rows(dataset, query.limit, (table) => compileLatest(table, by, ask, duckDbDialect), call);
    },
    path: (dataset, ask, query, call) => {
      const oneMore = { ...query, limit: query.limit + 1 };
      return this.#rows(dataset, query.limit, (table) => compilePath(table, ask, oneMore, duckDbDialect), call);
    },
    countPath: (dataset, ask, query, call) =>
      this.#ask(dataset, call, async (table, running) => {
        const [count] = await this.#row(compilePathCount(table, ask, query, duckDbDialect), running);
        return Number(count);
      }),
  };

  async export(dataset: QueryableDataset, query: Omit<SearchQuery, "offset">, target: ExportTarget, call: EngineCall): Promise<number> {
    // A slot only to look at the files; writing has an instance of its own.
    const table = await this.#ask(dataset, call, (found) => Promise.resolve(found));
    try {
      return await this.#exporter.write(
        target.path,
        (path) => compileExport(table, query, { ...target, path }),
        target.onRows,
        call.signal,
      );
    } catch (error) {
      if (call.signal.aborted) throw error;
      const failure = await this.#runner.run(call, (running) => this.#explain(error, dataset, running));
      if (!(failure instanceof SourceNotReady)) this.#log.warn({ err: error, dataset: dataset.id }, "an export failed in the engine");
      throw failure;
    }
  }

  check({ source, columns }: Pick<QueryableDataset, "source" | "columns">, call: EngineCall): Promise<readonly SourceProblem[]> {
    return this.#runner.run(call, async (running) => {
      try {
        return matchColumns(columns, await this.#facts.of(source, running)).problems;
      } catch (error) {
        if (error instanceof SourceNotReady) return error.problems;
        throw error;
      }
    });
  }

  async version(): Promise<string> {
    const [row] = await this.#runner.run(ownCall(), (running) => running.rows(compileRaw(sql`select version()`)));
    return String(row?.[0]);
  }

  async ping(): Promise<void> {
    await this.#runner.run(ownCall(), (running) => running.rows(compileRaw(sql`select 1`)));
  }

  close(): Promise<void> {
    this.#locked.instance.closeSync();
    return Promise.resolve();
  }

  async #rows(dataset: QueryableDataset, limit: number, compile: (table: SqlTable) => Compiled, call: EngineCall): Promise<RowStream> {
    const pump = new TextPump(call.signal);
    const more = this.#ask(dataset, call, (table, running) => this.#pumpRows(compile(table), limit, pump, running)).then(
      (hasMore) => {
        pump.end();
        return hasMore;
      },
      (error: unknown) => {
        pump.fail(error);
        return false;
      },
    );
    await pump.started();
    return { chunks: pump, more };
  }

  async #pumpRows(statement: Compiled, limit: number, pump: TextPump, running: Running): Promise<boolean> {
    let sent = 0;
    try {
      for await (const texts of running.texts(statement)) {
        const fitting = texts.slice(0, limit - sent);
        if (fitting.length > 0 && !(await pump.push((sent === 0 ? "" : ",") + fitting.join(",")))) return false;
        sent += fitting.length;
        if (fitting.length < texts.length) return true;
      }
      return false;
    } catch (error) {
      throw new StatementFailed(statement, error);
    }
  }

  /** The one row of an aggregate, its JSON texts parsed. */
  async #row(statement: Compiled, running: Running): Promise<CellValue[]> {
    const [row = []] = await this.#texts(statement, running);
    return cellsOf(row);
  }

  /** Rows of a statement whose every column is text. */
  async #texts(statement: Compiled, running: Running): Promise<readonly TextRow[]> {
    try {
      return (await running.rows(statement)) as readonly TextRow[];
    } catch (error) {
      throw new StatementFailed(statement, error);
    }
  }

  /** Runs a question about a dataset. Where it fails because of the data, rejects with SourceNotReady. */
  #ask<T>(dataset: QueryableDataset, call: EngineCall, work: (table: SqlTable, running: Running) => Promise<T>): Promise<T> {
    return this.#runner.run(call, this.#over(dataset, work));
  }

  /** Work on the dataset's table; what fails is explained. */
  #over<T>(dataset: QueryableDataset, work: (table: SqlTable, running: Running) => Promise<T>): (running: Running) => Promise<T> {
    return async (running) => {
      const table = await this.#table(dataset, running);
      try {
        return await work(table, running);
      } catch (error) {
        if (!(error instanceof StatementFailed)) throw error;
        if (running.signal.aborted) throw error.cause;
        const failure = await this.#explain(error.cause, dataset, running);
        // The SQL holds names but no values: those are parameters.
        if (!(failure instanceof SourceNotReady)) {
          this.#log.warn({ err: error.cause, sql: error.statement.sql }, "query failed in the engine");
        }
        throw failure;
      }
    };
  }

  /** Files may have changed since somebody looked at them: what failed is then their fault, whatever DuckDB calls it. */
  async #explain(error: unknown, dataset: QueryableDataset, running: Running): Promise<unknown> {
    const failure = engineFailure(error);
    if (failure.reason !== "failed") return error;
    this.#facts.forget(dataset.source);
    try {
      await this.#table(dataset, running);
    } catch (problem) {
      return problem instanceof SourceNotReady ? problem : error;
    }
    const cause = error instanceof EngineFailed ? error.cause : error;
    const text = cause instanceof Error ? cause.message : "";
    const isOfFiles = text.startsWith("IO Error") && !text.includes("No space left on device");
    return isOfFiles ? named(unreadable(cause, this.#locked.dataFolder), dataset) : error;
  }

  async #table(dataset: QueryableDataset, running: Running): Promise<SqlTable> {
    const facts = await this.#facts.of(dataset.source, running).catch((error: unknown) => {
      throw error instanceof SourceNotReady ? named(error, dataset) : error;
    });
    const {
      columns,
      problems: [first, ...others],
    } = matchColumns(dataset.columns, facts);
    if (first !== undefined) {
      // Whoever tries again sees files that have been mended, however recently somebody looked.
      this.#facts.forget(dataset.source);
      throw new SourceNotReady([first, ...others], { dataset: dataset.id });
    }
    return tableOf(dataset, columns, facts);
  }
}

/** A question of the portal's own. */
const ownCall = (): EngineCall => ({ signal: AbortSignal.timeout(5_000), owner: "portal" });

const named = ({ problems, cause }: SourceNotReady, { id }: QueryableDataset): SourceNotReady =>
  new SourceNotReady(problems, { dataset: id, cause });

/** Carries what was asked along with DuckDB's own failure, which is the cause. */
class StatementFailed extends Error {
  override readonly name = "StatementFailed";
  readonly statement: Compiled;
  constructor(statement: Compiled, cause: unknown) {
    super("a statement failed", { cause });
    this.statement = statement;
  }
}
