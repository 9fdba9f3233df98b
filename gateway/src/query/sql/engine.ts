import type { Feature } from "@fairway/contract/datasets";
import { sql } from "kysely";
import {
  type DatasetSource,
  type EngineCall,
  type MapQueries,
  type QueryEngine,
  type QueryableDataset,
  type RowStream,
  SourceNotReady,
} from "#query/engine.ts";
import { RowChannel } from "#query/row-channel.ts";
import { aggregateScans, cellsOf } from "./aggregate-scans.ts";
import { profileOf, suggestionsOf } from "./column-values-read.ts";
import { compileProfile, compileSuggest } from "./column-values.ts";
import { type Compiled, compileRaw, compileSample } from "./compile.ts";
import { compileLatest, compilePath, compilePathCount, compileTracks, maxTrackRows, trackColumns } from "./map-results.ts";
import { columnDistributions, profileDataset } from "./profile-dataset.ts";
import type { Scan } from "./scan.ts";
import type { RunOptions, SqlLimits, SqlServer, SqlSession } from "./server.ts";
import type { Need, TableSource } from "./table-source.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";
import { timeDistribution } from "./time-distribution.ts";

type Engine = Required<QueryEngine>;
type Compile = (table: SqlTable, dialect: SqlDialect) => Compiled;
type ColumnsOf = (table: SqlTable) => readonly SqlColumn[];
type OnTableWork<T, Session> = (table: SqlTable, session: Session) => Promise<T>;

/**
 * Answers queries with SQL. What it needs of the data is held first (`TableSource`), then a slot is taken and the statements run
 * (`SqlServer`). Decision 1000.
 */
export class SqlEngine<Session extends SqlSession> implements QueryEngine {
  readonly features: ReadonlySet<Feature> = new Set<Feature>(["SAMPLE", "PAGINATION", "COUNT"]);
  readonly supportsSort = true;
  readonly supportsGroups = true;
  readonly #server: SqlServer<Session>;
  readonly #source: TableSource;
  readonly #maxComparisons: number;
  /** The only slot must be free again before others have waited too long for it. */
  readonly #maxScanMs: number;

  constructor(
    server: SqlServer<Session>,
    source: TableSource,
    limits: Pick<SqlLimits, "graphBatchComparisons" | "engineSlots" | "engineWaitMs">,
  ) {
    this.#server = server;
    this.#source = source;
    this.#maxComparisons = limits.graphBatchComparisons;
    this.#maxScanMs = limits.engineSlots > 1 ? Infinity : limits.engineWaitMs / 2;
  }

  /** Current numbers of running and waiting queries. */
  get metrics(): { readonly running: number; readonly waiting: number } {
    const { running, waiting } = this.#server.runner;
    return { running, waiting };
  }

  readonly columns: Engine["columns"] = (source, call) =>
    this.#source.use(source, { onlyColumns: true }, call, (found) =>
      this.#server.runner.run(call, (session) => this.#server.columns(found, session), checkOptions(found)),
    );

  readonly search: Engine["search"] = (dataset, query, call) =>
    this.#texts(dataset, { query }, query.limit, call, (page, session) =>
      this.#server.page({ ...page, query: withExtraRow(query), call }, session),
    );

  readonly searchArrow: Engine["searchArrow"] = (dataset, query, call) =>
    this.#stream<Uint8Array>(dataset, { query }, call, async (page, channel, session) => {
      let wasCut = false;
      const parts = this.#server.arrow({ ...page, query: withExtraRow(query), call }, query.limit, session, () => (wasCut = true));
      for await (const { bytes } of parts) if (!(await channel.push(bytes))) return false;
      return wasCut;
    });

  readonly sample: Engine["sample"] = (dataset, query, call) =>
    this.#source.sample(dataset.source, query, call, (source) =>
      this.#rows({ ...dataset, source }, { query }, query.limit, call, (table, dialect) =>
        compileSample(table, withExtraRow(query), dialect),
      ),
    );

  readonly aggregate: Engine["aggregate"] = (dataset, aggregations, groups, query, call) =>
    this.#using(dataset, { query }, call, async (found) => {
      const dialect = await this.#server.dialect(call.signal);
      const parts = aggregateScans(aggregations, groups, query, this.#maxComparisons, dialect).map(({ weight, compile, read }) => ({
        weight,
        work: this.#onTable(found, async (table, session) => read(await this.#server.rows(compile(table), session))),
      }));
      return (await this.#server.runner.runInParts(call, parts)).flat();
    });

  readonly timeExtent: Engine["timeExtent"] = async (dataset, call) => {
    const { source, temporalField } = dataset;
    if (temporalField === null || !(await this.#source.isNear(source, call))) return null;
    return this.#using(dataset, {}, call, (found) =>
      this.#server.timeExtent({ ...found, temporalField }, call, (caller, work) => this.#run(found, caller, work)),
    );
  };

  readonly suggest: Engine["suggest"] = (dataset, request, query, call) =>
    this.#using(dataset, { query, isQuick: true }, call, async (found, isPart) => {
      const suggestions = await this.#run(found, call, async (table, session) =>
        suggestionsOf(await this.#server.rows(compileSuggest(table, request, query, session.dialect), session), request.rows),
      );
      return isPart ? { ...suggestions, complete: false } : suggestions;
    });

  readonly profile: Engine["profile"] = (dataset, column, query, call) => {
    const type = dataset.columns.find(({ name }) => name === column)?.type ?? "STRING";
    return this.#query(dataset, { query }, call, async (table, session) =>
      profileOf(await this.#server.rows(compileProfile(table, column, query, session.dialect), session), type),
    );
  };

  readonly timeDistribution: Engine["timeDistribution"] = (dataset, query, call) =>
    this.#using(dataset, { query }, call, async (found) => {
      const [dialect, extent] = await Promise.all([
        this.#server.dialect(call.signal),
        this.#server.needsExtent(query) ? this.timeExtent(found, call) : null,
      ]);
      return timeDistribution(found, query, extent, this.#scanOf(found, call, { weight: distributionWeight }), dialect);
    });

  readonly columnDistributions: Engine["columnDistributions"] = (dataset, columns, query, call) =>
    this.#using(dataset, { query }, call, async (found) => {
      const dialect = await this.#server.dialect(call.signal);
      return columnDistributions(columns, query, this.#scanOf(found, call, { weight: profileScanWeight }), dialect);
    });

  readonly profileDataset: Engine["profileDataset"] = (dataset, query, call) =>
    this.#using(dataset, { query, waits: true }, call, async (found) => {
      const dialect = await this.#server.dialect(call.signal);
      const scan = this.#scanOf(found, call, { weight: profileScanWeight, timeoutMs: Math.min(query.timeoutMs, this.#maxScanMs) });
      return profileDataset(found, query.conditions, scan, dialect);
    });

  readonly maps: MapQueries = {
    latest: (dataset, by, query, call) =>
      this.#rows(dataset, { query }, query.limit, call, (table, dialect) => compileLatest(table, by, withExtraRow(query), dialect)),
    path: (dataset, request, query, call) =>
      this.#rows(
        dataset,
        { query },
        query.limit,
        call,
        (table, dialect) => compilePath(table, request, withExtraRow(query), dialect),
        (table) => request.columns.flatMap((name) => table.columns.get(name) ?? []),
      ),
    tracks: (dataset, request, query, call) =>
      this.#rows(
        dataset,
        { query },
        maxTrackRows(request),
        call,
        (table, dialect) => compileTracks(table, request, query, dialect),
        (table) => trackColumns(table, request),
      ),
    countPath: (dataset, request, query, call) =>
      this.#query(dataset, { query }, call, async (table, session) => {
        const [row = []] = await this.#server.rows(compilePathCount(table, request, query, session.dialect), session);
        return Number(cellsOf(row)[0]);
      }),
  };

  readonly export: Engine["export"] = (dataset, query, target, call) =>
    this.#using(dataset, { query, waits: true }, call, async (found) => {
      const table = await this.#run(found, call, (described) => Promise.resolve(described));
      return this.#server.export(found, table, query, target, call);
    });

  readonly check: Engine["check"] = ({ source, columns }, call) =>
    this.#source.check(source, call, (found) =>
      this.#server.runner.run(call, async (session) => {
        try {
          return await this.#server.check(found, columns, session);
        } catch (error) {
          if (error instanceof SourceNotReady) return error.problems;
          throw error;
        }
      }),
    );

  async ping(): Promise<void> {
    await this.#server.runner.run(ownCall(), (session) => session.rows(compileRaw(sql`select 1`)));
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** One slot for each statement, so that others get their turn in between. */
  #scanOf(dataset: QueryableDataset, call: EngineCall, options: RunOptions): Scan {
    return (compile, only) => this.#run(dataset, call, (table, session) => this.#server.rows(compile(table), session), options, only);
  }

  #rows(
    dataset: QueryableDataset,
    need: Need,
    limit: number,
    call: EngineCall,
    compile: Compile,
    columnsOf: ColumnsOf = ({ columns }) => [...columns.values()],
  ): Promise<RowStream> {
    return this.#texts(dataset, need, limit, call, ({ table }, session) =>
      this.#server.texts(compile(table, session.dialect), columnsOf(table), session),
    );
  }

  #texts(
    dataset: QueryableDataset,
    need: Need,
    limit: number,
    call: EngineCall,
    read: (page: Found, session: Session) => AsyncIterable<readonly string[]>,
  ): Promise<RowStream> {
    return this.#stream<string>(dataset, need, call, (page, channel, session) =>
      sendRows(read(page, session), limit, channel, this.#server.readsToEnd),
    );
  }

  /** `send` resolves to whether there were more rows than it has sent. What the rows are read from is held until it has. */
  async #stream<Chunk extends string | Uint8Array>(
    dataset: QueryableDataset,
    need: Need,
    call: EngineCall,
    send: (page: Found, channel: RowChannel<Chunk>, session: Session) => Promise<boolean>,
  ): Promise<RowStream<Chunk>> {
    const chunks = new RowChannel<Chunk>(call.signal);
    const sent = this.#using(dataset, need, call, (found) =>
      this.#run(found, call, (table, session) => send({ dataset: found, table }, chunks, session)).catch((error: unknown) => {
        // Rows that are on their way are not read again from elsewhere.
        if (!chunks.isUsed) throw error;
        chunks.fail(named(error, dataset));
        return false;
      }),
    );
    const hasMore = sent.then(
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

  #query<T>(dataset: QueryableDataset, need: Need, call: EngineCall, work: OnTableWork<T, Session>): Promise<T> {
    return this.#using(dataset, need, call, (found) => this.#run(found, call, work));
  }

  /** Holds the data while `work` runs, which takes slots. Says which dataset cannot be searched. */
  async #using<T>(
    dataset: QueryableDataset,
    need: Need,
    call: EngineCall,
    work: (found: QueryableDataset, isPart: boolean) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#source.use(dataset.source, need, call, (source, isPart) => work({ ...dataset, source }, isPart));
    } catch (error) {
      throw named(error, dataset);
    }
  }

  /** Runs work in a slot. */
  #run<T>(
    dataset: QueryableDataset,
    call: EngineCall,
    work: OnTableWork<T, Session>,
    options?: RunOptions,
    only?: ReadonlySet<string>,
  ): Promise<T> {
    return this.#server.runner.run(call, this.#onTable(dataset, work, only), options);
  }

  /** Wraps work on the dataset's table so that its failures are explained. `only`: the columns that the work names. */
  #onTable<T>(dataset: QueryableDataset, work: OnTableWork<T, Session>, only?: ReadonlySet<string>): (session: Session) => Promise<T> {
    return async (session) => {
      const table = await this.#server.table(dataset, session, only);
      try {
        return await work(table, session);
      } catch (error) {
        throw await this.#server.explain(error, dataset, session);
      }
    };
  }
}

/** A dataset as it is read, with its table. */
interface Found {
  readonly dataset: QueryableDataset;
  readonly table: SqlTable;
}

/** The cost of a scan of a profile relative to an ordinary search. */
const profileScanWeight = 8;
/** More than the next page of the same search, which then goes first. */
const distributionWeight = 4;

/** A check of all rows of a large source takes longer than a query may. */
export const checkOptions = (source: DatasetSource): RunOptions =>
  (source.kind === "files" || source.kind === "copies") && source.checksAll === true
    ? { weight: profileScanWeight, timeoutMs: wholeCheckTimeoutMs }
    : {};
const wholeCheckTimeoutMs = 600_000;

/** A call that the portal makes for itself. */
export const ownCall = (): EngineCall => ({ signal: AbortSignal.timeout(5_000), owner: "portal" });

/** Adds a row to the limit: its presence shows that there are more. */
const withExtraRow = <T extends { readonly limit: number }>(query: T): T => ({ ...query, limit: query.limit + 1 });

/** Says which dataset cannot be searched. */
const named = (error: unknown, { id }: QueryableDataset): unknown =>
  error instanceof SourceNotReady && error.message.startsWith("The dataset cannot be read")
    ? new SourceNotReady(error.problems, { dataset: id, cause: error.cause })
    : error;

/** Resolves to whether there were more rows than `limit`. */
async function sendRows(
  parts: AsyncIterable<readonly string[]>,
  limit: number,
  channel: RowChannel,
  readsToEnd: boolean,
): Promise<boolean> {
  let sent = 0;
  let wasCut = false;
  for await (const texts of parts) {
    const allowed = texts.slice(0, limit - sent);
    if (allowed.length > 0 && !(await channel.push((sent === 0 ? "" : ",") + allowed.join(",")))) return false;
    sent += allowed.length;
    wasCut ||= allowed.length < texts.length;
    if (wasCut && !readsToEnd) return true;
  }
  return wasCut;
}
