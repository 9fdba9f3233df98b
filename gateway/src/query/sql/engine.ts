import type { Feature } from "@fairway/contract/datasets";
import { sql } from "kysely";
import {
  type DatasetSource,
  type EngineCall,
  EngineFailed,
  type MapQueries,
  type QueryEngine,
  type QueryableDataset,
  SourceNotReady,
} from "#query/engine.ts";
import type { BreakdownQuery, BreakdownResult } from "#query/breakdown.ts";
import { lookedUpIn, sourceConditions, storedDataset } from "#query/derived-columns.ts";
import { bindStatement } from "#query/presto/client/bound-statement.ts";
import { aggregateScans, cellsOf } from "./aggregate-scans.ts";
import { listedAxis, listedValues } from "./breakdown/listed-values.ts";
import { runBreakdown } from "./breakdown/run-breakdown.ts";
import { profileOf, suggestionsOf } from "./column-values-read.ts";
import { compileProfile, compileSuggest } from "./column-values.ts";
import { type Compiled, compileRaw, compileSample } from "./compile.ts";
import { compileGrid, compileGridRows, gridOf } from "./grid.ts";
import { compileGridSteps, gridStepsOf, isTimed } from "./grid-steps.ts";
import { compileDetailedTracks } from "./detailed-tracks.ts";
import { compileLatest, compilePath, compilePathCount } from "./map-results.ts";
import { DatasetWork } from "./dataset-work.ts";
import { columnDistributions } from "./column-distributions.ts";
import { columnPictures } from "./column-pictures.ts";
import { profileDataset } from "./profile-dataset.ts";
import { compileFoundRows, compileKeyMatches, compileLookupFigures, keyMatchesOf, lookupReportOf } from "./lookup-report.ts";
import type { RunOptions, SqlLimits, SqlServer, SqlSession } from "./server.ts";
import type { SqlTable } from "./table.ts";
import type { TableSource } from "./table-source.ts";
import { timeDistribution } from "./time-distribution.ts";
import { compileTracks, maxTrackRows, trackColumns } from "./tracks.ts";

type Engine = Required<QueryEngine>;

/** Answers queries with SQL: says which statements answer each, which `DatasetWork` runs. Decision 1000. */
export class SqlEngine<Session extends SqlSession> implements QueryEngine {
  readonly features: ReadonlySet<Feature> = new Set<Feature>(["SAMPLE", "PAGINATION", "COUNT"]);
  readonly supportsSort = true;
  readonly supportsGroups = true;
  readonly #server: SqlServer<Session>;
  readonly #source: TableSource;
  readonly #work: DatasetWork<Session>;
  readonly #maxComparisons: number;
  /** The only slot must be free again before others have waited too long for it. */
  readonly #maxScanMs: number;

  constructor(
    server: SqlServer<Session>,
    source: TableSource,
    limits: Pick<SqlLimits, "graphBatchComparisons" | "engineSlots" | "engineWaitMs" | "lookupRows">,
  ) {
    this.#server = server;
    this.#source = source;
    this.#work = new DatasetWork(server, source, limits);
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
    this.#work.texts(dataset, { query }, query.limit, call, (page, session) =>
      this.#server.page({ ...page, query: withExtraRow(query), call }, session),
    );

  readonly searchArrow: Engine["searchArrow"] = (dataset, query, call) =>
    this.#work.stream<Uint8Array>(dataset, { query }, call, async (page, channel, session) => {
      let wasCut = false;
      const parts = this.#server.arrow({ ...page, query: withExtraRow(query), call }, query.limit, session, () => (wasCut = true));
      for await (const { bytes } of parts) if (!(await channel.push(bytes))) return false;
      return wasCut;
    });

  readonly sample: Engine["sample"] = (dataset, query, call) =>
    this.#source.sample(dataset.source, { conditions: sourceConditions(dataset, query.conditions) }, call, (source) =>
      this.#work.rows({ ...dataset, source }, { query }, query.limit, call, (table, dialect) =>
        compileSample(table, withExtraRow(query), dialect),
      ),
    );

  readonly aggregate: Engine["aggregate"] = (dataset, aggregations, groups, query, call) =>
    this.#work.using(dataset, { query }, call, async (found) => {
      const dialect = await this.#server.dialect(call.signal);
      const parts = aggregateScans(aggregations, groups, query, this.#maxComparisons, dialect).map(({ weight, compile, read }) => ({
        weight,
        work: this.#work.onTable(found, async (table, session) => read(await this.#server.rows(compile(table), session))),
      }));
      return (await this.#server.runner.runInParts(call, parts)).flat();
    });

  readonly timeExtent: Engine["timeExtent"] = async (dataset, call) => {
    const { source, temporalField } = dataset;
    if (temporalField === null || !(await this.#source.isNear(source, call))) return null;
    return this.#work.using(dataset, {}, call, (found) =>
      this.#server.timeExtent({ ...found, temporalField }, call, (caller, work) => this.#work.run(found, caller, work)),
    );
  };

  readonly suggest: Engine["suggest"] = (dataset, request, query, call) =>
    this.#work.using(dataset, { query, isQuick: true }, call, async (found, isPart) => {
      const suggestions = await this.#work.run(found, call, async (table, session) =>
        suggestionsOf(await this.#server.rows(compileSuggest(table, request, query, session.dialect), session), request.rows),
      );
      return isPart ? { ...suggestions, complete: false } : suggestions;
    });

  readonly profile: Engine["profile"] = (dataset, column, query, call) => {
    const type = dataset.columns.find(({ name }) => name === column)?.type ?? "STRING";
    return this.#work.query(dataset, { query }, call, async (table, session) =>
      profileOf(await this.#server.rows(compileProfile(table, column, query, session.dialect), session), type),
    );
  };

  readonly keyMatches: Engine["keyMatches"] = (dataset, other, pairs, query, call) =>
    this.#work.usingBoth(dataset, other.dataset, { query }, call, async (found, foundOther) => {
      const parts = batchesOf(pairs, pairsPerStatement).map((some) => ({
        weight: keyWeight * some.length,
        work: this.#work.onTables(found, foundOther, async (table, otherTable, session) =>
          keyMatchesOf(
            await this.#server.rows(
              compileKeyMatches(table, { ...other, dataset: foundOther, table: otherTable }, some, query, session.dialect),
              session,
            ),
          ),
        ),
      }));
      return (await this.#server.runner.runInParts(call, parts)).flat();
    });

  readonly lookupReport: Engine["lookupReport"] = (dataset, other, query, call) =>
    this.#work.usingBoth(dataset, other.dataset, { query }, call, async (found, foundOther) => {
      const work = this.#work.onTables(found, foundOther, async (table, otherTable, session) => {
        const asked = { ...other, dataset: foundOther, table: otherTable };
        const figures = await this.#server.rows(compileLookupFigures(table, asked, query, session.dialect), session);
        session.signal.throwIfAborted();
        const rows = await this.#server.rows(compileFoundRows(table, asked, query, session.dialect), session);
        return lookupReportOf(figures, rows, asked);
      });
      return this.#server.runner.run(call, work, { weight: reportWeight });
    });

  readonly breakdown: Engine["breakdown"] = (dataset, query, call) =>
    this.#breakDown(
      dataset,
      query,
      call,
      () => undefined,
      (result) => result,
    );

  readonly breakdownPages: Engine["breakdownPages"] = async (dataset, query, { path, onPage }, call) => {
    const listed = listedAxis(query);
    if (listed === undefined) {
      const { axes, cells, isCut } = await this.breakdown(dataset, query, call);
      return onPage({ axes: axes.map(({ entries }) => entries), cells, isCut });
    }
    return this.#work.using(dataset, { query: wholeSearch(query), waits: true }, call, async (found) => {
      const table = await this.#work.run(found, call, (described) => Promise.resolve(described));
      return this.#server.exporting(storedDataset(found), path, call, async (session) => {
        for await (const page of listedValues(query, listed, table, session)) await onPage(page);
      });
    });
  };

  readonly explainBreakdown: Engine["explainBreakdown"] = (dataset, query, call) => {
    const statements: string[] = [];
    const shown = (table: SqlTable): SqlTable => ({ ...table, from: sql`${sql.id(dataset.id)}` });
    const onStatement = (compile: (table: SqlTable) => Compiled, table: SqlTable) =>
      void statements.push(bindStatement(compile(shown(table))).literal);
    return this.#breakDown(dataset, query, call, onStatement, ({ engine }) => ({ engine, statements }));
  };

  readonly state: Engine["state"] = async (dataset, call) => {
    const states = await Promise.all([dataset, ...lookedUpIn(dataset)].map((one) => this.#stateOf(one, call)));
    return states.includes(null) ? null : states.join("\n");
  };

  async #stateOf(dataset: QueryableDataset, call: EngineCall): Promise<string | null> {
    const known = await this.#source.state(dataset.source, call);
    if (known !== null || this.#server.state === undefined) return known;
    return this.#work.using(storedDataset(dataset), {}, call, ({ source }) =>
      this.#server.runner.run(call, async (session) => (await this.#server.state?.(source, session)) ?? null),
    );
  }

  readonly timeDistribution: Engine["timeDistribution"] = (dataset, query, call) =>
    this.#work.using(dataset, { query }, call, async (found) => {
      const [dialect, extent] = await Promise.all([
        this.#server.dialect(call.signal),
        this.#server.needsExtent(query) ? this.timeExtent(found, call) : null,
      ]);
      return timeDistribution(found, query, extent, this.#work.scanOf(found, call, { weight: distributionWeight }), dialect);
    });

  readonly grid: Engine["grid"] = (dataset, query, call) =>
    this.#work.using(dataset, { query }, call, (found) =>
      this.#work.run(
        found,
        call,
        async (table, session) => {
          if (!isTimed(query)) return gridOf(await this.#server.rows(compileGrid(table, query, session.dialect), session), query);
          return gridStepsOf(await this.#server.rows(compileGridSteps(table, query, session.dialect), session), query);
        },
        { weight: distributionWeight },
      ),
    );

  readonly gridRows: Engine["gridRows"] = (dataset, columns, query, call) =>
    this.#work.rows(
      dataset,
      { query },
      query.limit,
      call,
      (table, dialect) => compileGridRows(table, columns, withExtraRow(query), dialect),
      (table) => columns.flatMap((name) => table.columns.get(name) ?? []),
    );

  readonly columnDistributions: Engine["columnDistributions"] = (dataset, columns, query, call) =>
    this.#work.using(dataset, { query }, call, async (found) => {
      const dialect = await this.#server.dialect(call.signal);
      return columnDistributions(columns, query, this.#work.scanOf(found, call, { weight: profileScanWeight }), dialect);
    });

  readonly columnPictures: Engine["columnPictures"] = (dataset, columns, rows, call) =>
    this.#work.using(dataset, {}, call, async (found) => {
      const dialect = await this.#server.dialect(call.signal);
      return columnPictures(columns, rows, this.#work.scanOf(found, call, { weight: profileScanWeight }), dialect);
    });

  readonly profileDataset: Engine["profileDataset"] = (dataset, query, call) =>
    this.#work.using(dataset, { query, waits: true }, call, async (found) => {
      const dialect = await this.#server.dialect(call.signal);
      const scan = this.#work.scanOf(found, call, { weight: profileScanWeight, timeoutMs: Math.min(query.timeoutMs, this.#maxScanMs) });
      return profileDataset(found, query.conditions, scan, dialect);
    });

  readonly maps: MapQueries = {
    latest: (dataset, by, query, call) =>
      this.#work.rows(dataset, { query }, query.limit, call, (table, dialect) => compileLatest(table, by, withExtraRow(query), dialect)),
    path: (dataset, request, query, call) =>
      this.#work.rows(
        dataset,
        { query },
        query.limit,
        call,
        (table, dialect) => compilePath(table, request, withExtraRow(query), dialect),
        (table) => request.columns.flatMap((name) => table.columns.get(name) ?? []),
      ),
    tracks: (dataset, request, query, call) =>
      this.#work.rows(
        dataset,
        { query },
        maxTrackRows(request),
        call,
        (table, dialect) => {
          const isPlain = request.values === undefined && request.refined === undefined;
          return isPlain ? compileTracks(table, request, query, dialect) : compileDetailedTracks(table, request, query, dialect);
        },
        (table) => trackColumns(table, request),
      ),
    countPath: (dataset, request, query, call) =>
      this.#work.query(dataset, { query }, call, async (table, session) => {
        const [row = []] = await this.#server.rows(compilePathCount(table, request, query, session.dialect), session);
        return Number(cellsOf(row)[0]);
      }),
  };

  readonly export: Engine["export"] = (dataset, query, target, call) =>
    this.#work.using(dataset, { query, waits: true }, call, async (found) => {
      const table = await this.#work.run(found, call, (described) => Promise.resolve(described));
      return this.#server.export(storedDataset(found), table, query, target, call);
    });

  readonly check: Engine["check"] = (dataset, call) => {
    const { source, columns } = storedDataset(dataset);
    return this.#source.check(source, call, (found) =>
      this.#server.runner.run(call, async (session) => {
        try {
          return await this.#server.check(found, columns, session);
        } catch (error) {
          if (error instanceof SourceNotReady) return error.problems;
          throw error;
        }
      }),
    );
  };

  async #breakDown<T>(
    dataset: QueryableDataset,
    query: BreakdownQuery,
    call: EngineCall,
    onStatement: (compile: (table: SqlTable) => Compiled, table: SqlTable) => void,
    read: (result: BreakdownResult) => T,
  ): Promise<T> {
    requireFewComparisons(query, this.#maxComparisons);
    const run = async (table: SqlTable, session: Session) => {
      const result = await runBreakdown(
        query,
        async (compile, readRows) => {
          // A statement that nobody waits for any more is not begun.
          session.signal.throwIfAborted();
          onStatement(compile, table);
          return readRows(await this.#server.rows(compile(table), session), table);
        },
        session.dialect,
      );
      return read(result);
    };
    return this.#work.using(dataset, { query: wholeSearch(query) }, call, (found) =>
      this.#work.run(found, call, run, { weight: breakdownWeight(query) }),
    );
  }

  async ping(): Promise<void> {
    await this.#server.runner.run(ownCall(), (session) => session.rows(compileRaw(sql`select 1`)));
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/** Costs of a search for keys relative to an ordinary search: each is a scan of both datasets. */
const keyWeight = 0.5;
const reportWeight = 3;
const pairsPerStatement = 6;

const batchesOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));

/** Each time this many measures are asked for, a breakdown costs as much more as an ordinary search. */
const measuresPerWeight = 5;
const breakdownWeight = ({ axes, measures, before }: BreakdownQuery): number =>
  (1 + axes.length + measures.length / measuresPerWeight) * (before === null ? 1 : 2);

function requireFewComparisons({ axes }: BreakdownQuery, most: number): void {
  const comparisons = axes.flatMap((axis) => (axis.kind === "groups" ? axis.groups.flat() : [])).length;
  if (comparisons <= most) return;
  const message = `These groups take ${comparisons} comparisons for every row; one call may take ${most}. Ask for fewer groups or filters.`;
  throw new EngineFailed("too-much", message);
}

/** Both periods of a comparison: the data are fetched before it runs. */
function wholeSearch({ timeRange, conditions, before }: BreakdownQuery): Pick<BreakdownQuery, "timeRange" | "conditions"> {
  if (timeRange === null || before === null || before.timeRange === null) return { timeRange, conditions };
  const { startMs, endMs } = before.timeRange;
  return {
    timeRange: { ...timeRange, startMs: Math.min(timeRange.startMs, startMs), endMs: Math.max(timeRange.endMs, endMs) },
    conditions,
  };
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
