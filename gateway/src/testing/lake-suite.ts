import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { type Column, type ColumnType, isNumeric, operatorsOf } from "@fairway/contract/columns";
import { defaultLimits } from "@fairway/contract/limits";
import type { CellValue } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineBench, engineBench, rowsOf } from "#query/duckdb/test-files.ts";
import type { Aggregation, AggregationGroup, ComparisonCondition, EngineCall, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type TableBench, tableBench } from "#query/presto/testing/table-bench.ts";
import { engineCall } from "#testing/engine-call.ts";
import { conditionOn } from "#testing/sql-engine-suite.ts";
import { Scope } from "#query/scope.ts";

/** A table of the lake as `tables.json` describes it, which `scripts/lib/sql-lake.mjs` writes. */
interface LakeTable extends Pick<QueryableDataset, "id" | "temporalField" | "location" | "orderBy"> {
  readonly rows: number;
  /** `stored`: DuckDB's type. */
  readonly columns: readonly { readonly name: string; readonly type: ColumnType; readonly stored: string }[];
  readonly partition: string | null;
}

export interface LakeServer {
  readonly url: string;
  /** Holds `tables.json` and a folder of Parquet files per table. */
  readonly files: string;
  /** The same folder as statements of the server name it. */
  readonly location: string;
  /** Whether its times have more digits than milliseconds. */
  readonly precise: boolean;
  /** Whether it skips parts of files by the times in them. Presto's reader of Parquet files does not. */
  readonly skipsTimes: boolean;
}

/** One dataset in both engines, and some of its rows. */
interface Pair {
  readonly table: LakeTable;
  readonly ofFiles: QueryableDataset;
  readonly ofTable: QueryableDataset;
  /** Every column ascending, so that the order is unique. */
  readonly sort: SearchQuery["sort"];
  /** Some rows from the whole dataset; none of the large one. */
  readonly samples: readonly Readonly<Record<string, CellValue>>[];
}

const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 50 };
const count: Aggregation = { type: "count", column: "*" };

/** The demo's datasets answer everything from a server's Parquet tables as they do from DuckDB's files. */
export function describeLake(name: string, server: LakeServer): void {
  describe(`the demo's datasets as tables of ${name}`, { timeout: 900_000 }, () => {
    let files: EngineBench;
    let tables: TableBench;
    let pairs: Pair[];

    beforeAll(async () => {
      files = await engineBench({ dataFolder: server.files });
      await mkdir(files.exportFolder, { recursive: true });
      tables = await tableBench(server.url);
      const described = JSON.parse(await readFile(path.join(server.files, "tables.json"), "utf8")) as readonly LakeTable[];
      pairs = [];
      for (const table of described) {
        if (table.partition === null) pairs.push(await pairOf(table, server, { files, tables }));
      }
    }, 300_000);
    afterAll(async () => {
      await tables.close();
      await files.close();
    });

    const both = async <T>(
      pair: Pair,
      ask: (engine: EngineBench["engine"] | TableBench["engine"], dataset: QueryableDataset) => Promise<T>,
    ) => [await ask(tables.engine, pair.ofTable), await ask(files.engine, pair.ofFiles)] as const;
    const same = async (pair: Pair, query: Partial<SearchQuery>) => {
      const [ours, expected] = await both(pair, async (engine, dataset) => {
        const found = await engine.search(dataset, { ...all, sort: pair.sort, ...query }, engineCall());
        return { rows: await rowsOf(found), hasMore: await found.hasMore };
      });
      expectSame(pair.table.id, ours, expected);
      return ours.rows;
    };

    it("describe the same columns with the same types", async () => {
      for (const { table, ofTable } of pairs) {
        const columns = await tables.engine.columns(ofTable.source, engineCall());
        // Servers name columns in lower case.
        expect(columns.map((column) => [column.name, column.type])).toEqual(
          table.columns.map((column) => [column.name.toLowerCase(), defaultType(column)]),
        );
        expect(await tables.engine.check(ofTable, engineCall())).toEqual([]);
      }
    });

    it("answer the same pages, from the first to the last", async () => {
      for (const pair of pairs) {
        const { rows } = pair.table;
        for (const offset of [0, Math.floor(rows / 2), rows - 7, rows]) {
          const page = await same(pair, { offset });
          expectSame(`${pair.table.id} from ${offset}`, page.length, Math.min(50, rows - offset));
        }
      }
    });

    it("take the same rows for every operator of every column", async () => {
      for (const pair of pairs) {
        const conditions = conditionsOf(pair);
        const groups = conditions.map((condition): AggregationGroup => ({ timeRange: null, conditions: [condition] }));
        const [ours, expected] = await both(pair, (engine, dataset) => engine.aggregate(dataset, [count], groups, all, engineCall()));
        const results = (values: CellValue[][]) =>
          conditions.map(({ column, operator, value }, at) => [column, operator, String(value), values[at]?.[0]]);
        expectSame(pair.table.id, results(ours), results(expected));
        const [first] = conditions;
        if (first !== undefined) await same(pair, { conditions: [first] });
      }
    });

    it("aggregate the same values, whole and in steps of time", async () => {
      for (const pair of pairs) {
        const aggregations = pair.table.columns.flatMap(({ name: column, type }): Aggregation[] => [
          ...(["count", "min", "max"] as const).map((one) => ({ type: one, column })),
          ...(isNumeric(type) ? (["sum", "avg"] as const).map((one) => ({ type: one, column })) : []),
        ]);
        const [ours, expected] = await both(pair, (engine, dataset) =>
          engine.aggregate(dataset, [count, ...aggregations], [], all, engineCall()),
        );
        expectClose(ours, expected, pair.table.id);

        const extents = await both(pair, (engine, dataset) => engine.timeExtent(dataset, engineCall()));
        expectSame(pair.table.id, ...extents);
        const steps = stepsOf(pair, extents[1]);
        if (steps.length === 0) continue;
        const graph = await both(pair, (engine, dataset) =>
          engine.aggregate(dataset, [count, ...aggregations.slice(-2)], steps, all, engineCall()),
        );
        expectClose(...graph, pair.table.id);
        expectSame(
          pair.table.id,
          graph[0].reduce((sum, [rows]) => sum + Number(rows), 0),
          pair.table.rows,
        );
      }
    });

    it("suggest the same values, and describe columns and whole datasets alike", async () => {
      for (const pair of pairs) {
        for (const { name: column, type } of pair.table.columns) {
          const [ours, expected] = await both(pair, (engine, dataset) => engine.profile(dataset, column, all, engineCall()));
          const { top: ourTop, distinct: ourDistinct, histogram: ourSteps, ...our } = ours;
          const { top, distinct, histogram, ...rest } = expected;
          expectSame(`${pair.table.id}.${column}`, our, rest);
          expectClose(ourSteps.map(Object.values), histogram.map(Object.values), `${pair.table.id}.${column}`);
          // Both estimate many values.
          expectSame(`${pair.table.id}.${column}: ${ourDistinct} and ${distinct}`, Math.abs(ourDistinct - distinct) <= distinct / 10, true);
          expectSame(`${pair.table.id}.${column}`, ourTop[0]?.rows, top[0]?.rows);
          if (type !== "STRING") continue;
          const text = String(pair.samples.find((row) => row[column] !== null)?.[column] ?? "");
          const request = { column, contains: text.slice(0, 3).toUpperCase(), rows: pair.table.rows };
          const suggested = await both(pair, (engine, dataset) => engine.suggest(dataset, request, all, engineCall()));
          // Values with the same number of rows come in any order.
          const [ourCounts, counts] = suggested.map(({ complete, values }) => ({ complete, rows: values.map((one) => one.rows) }));
          expectSame(`${pair.table.id}.${column}`, ourCounts, counts);
        }
        const profiles = await both(pair, (engine, dataset) =>
          engine.profileDataset(dataset, { conditions: [], timeoutMs: 300_000 }, engineCall()),
        );
        const times = await both(pair, (engine, dataset) => engine.timeDistribution(dataset, all, engineCall()));
        expectSame(pair.table.id, times[0], times[1]);
        const distributed = await both(pair, (engine, dataset) => engine.columnDistributions(dataset, dataset.columns, all, engineCall()));
        const shapes = distributed.map(({ rows, columns }) => ({
          rows,
          columns: columns.map(({ name: column, empty, min, max }) => ({ column, empty, min, max })),
        }));
        expectSame(pair.table.id, shapes[0], shapes[1]);
        const results = profiles.map(({ rows, oldestMs, newestMs, coverage, columns }) => ({
          rows,
          oldestMs,
          newestMs,
          coverage,
          columns: columns.map(({ name: column, empty, min, max }) => ({ column, empty, min, max })),
        }));
        expectSame(pair.table.id, results[0], results[1]);
      }
    });

    it("export the same files", async () => {
      for (const pair of pairs) {
        const conditions =
          pair.table.rows > 100_000
            ? conditionsOf(pair)
                .filter(({ operator, type }) => operator === "=" && type === "STRING")
                .slice(0, 1)
            : [];
        for (const format of ["csv", "json"] as const) {
          const [ours, expected] = await both(pair, async (engine, dataset) => {
            const folder = engine === tables.engine ? tables.exportFolder : files.exportFolder;
            const file = path.join(folder, `${randomUUID()}.${format}`);
            const csvColumns = dataset.columns.map(({ name: column, type }): Column => ({
              name: column,
              type,
              description: "",
              combined: null,
            }));
            const target = { format, path: file, csvColumns, onRows: () => {} };
            const rows = await engine.export(dataset, { ...all, sort: pair.sort, conditions, limit: 10_000_000 }, target, engineCall());
            const text = await readFile(file, "utf8");
            await rm(file);
            return { rows, text: format === "json" ? JSON.stringify(JSON.parse(text)) : text };
          });
          expectSame(pair.table.id, ours.rows, expected.rows);
          expectSame(`${pair.table.id} as ${format}`, firstDifference(ours.text, expected.text), undefined);
        }
      }
    });
  });
}

/** The table of 20 million rows in partitions of a day. */
export function describeLargeTable(name: string, server: LakeServer): void {
  describe(`20 million rows in partitions of ${name}`, { timeout: 3_600_000 }, () => {
    let files: EngineBench;
    let tables: TableBench;
    let pair: Pair;

    beforeAll(async () => {
      // Enough for a busy machine as well.
      const limits = { ...defaultLimits, queryTimeoutMs: 1_800_000 };
      files = await engineBench({ dataFolder: server.files, limits });
      tables = await tableBench(server.url, { limits });
      const described = JSON.parse(await readFile(path.join(server.files, "tables.json"), "utf8")) as readonly LakeTable[];
      const table = described.find(({ partition }) => partition !== null);
      if (table === undefined) throw new Error("the lake has no table in partitions");
      pair = await pairOf(table, server, { files, tables });
    }, 600_000);
    afterAll(async () => {
      await tables.close();
      await files.close();
    });

    /** How many statements a call ran, besides those that describe the table, and how many rows they read. */
    const costOf = async (ask: (one: EngineCall) => Promise<unknown>) => {
      const user = randomUUID();
      await ask({ ...engineCall(), user });
      const headers = { "x-trino-user": "fairway", "x-presto-user": "fairway" };
      const queries = (await (await fetch(`${server.url}/v1/query`, { headers })).json()) as readonly ServerQuery[];
      const own = queries.filter(({ query, session }) => session.source?.endsWith(`/${user}`) === true && !query.startsWith("describe"));
      return { statements: own.length, rows: own.reduce((sum, { queryStats }) => sum + queryStats.rawInputPositions, 0) };
    };
    /** The longest of them; the days are not divided evenly. */
    const rowsPerDay = 200_001;
    const dayMs = 86_400_000;
    const day = (operator: ComparisonCondition["operator"], ms: number): ComparisonCondition => ({
      column: "day",
      type: "TIMESTAMP_SECONDS",
      operator,
      value: BigInt(ms),
    });
    const someDay = Date.parse("2024-02-29T00:00:00Z");
    const hours = Array.from({ length: 24 }, (_, hour): AggregationGroup => {
      const startMs = someDay + hour * 3_600_000;
      return { timeRange: { column: "at", type: "TIMESTAMP_MILLS", startMs, endMs: startMs + 3_599_999 }, conditions: [] };
    });
    const both = async <T>(ask: (engine: EngineBench["engine"] | TableBench["engine"], dataset: QueryableDataset) => Promise<T>) =>
      [await ask(tables.engine, pair.ofTable), await ask(files.engine, pair.ofFiles)] as const;

    it("reads nothing of other partitions than those that a search names", async () => {
      const conditions = [day("=", someDay)];
      const { engine } = tables;
      const dataset = pair.ofTable;
      const questions: Readonly<Record<string, (one: EngineCall) => Promise<unknown>>> = {
        page: async (one) => rowsOf(await engine.search(dataset, { ...all, conditions }, one)),
        sample: async (one) => rowsOf(await engine.sample(dataset, { conditions, limit: 50 }, one)),
        count: (one) => engine.aggregate(dataset, [count], [], { ...all, conditions }, one),
        graph: (one) => engine.aggregate(dataset, [count, { type: "avg", column: "value" }], hours, { ...all, conditions }, one),
        newest: async (one) => rowsOf(await engine.maps.latest(dataset, { item: "station", time: "at" }, { ...all, conditions }, one)),
        values: (one) => engine.suggest(dataset, { column: "station", contains: "07", rows: rowsPerDay }, { ...all, conditions }, one),
      };
      for (const [question, ask] of Object.entries(questions)) {
        const { statements, rows } = await costOf(ask);
        expectSame(question, { statements, isWithinDay: rows > 0 && rows <= rowsPerDay }, { statements: 1, isWithinDay: true });
      }
      const week = [day(">=", someDay), day("<", someDay + 7 * dayMs)];
      const { rows } = await costOf((one) =>
        engine.aggregate(dataset, [{ type: "sum", column: "value" }], [], { ...all, conditions: week }, one),
      );
      expect(rows).toBeLessThanOrEqual(7 * rowsPerDay);
      expect(rows).toBeGreaterThan(6 * rowsPerDay);
    });

    it("samples without reading the whole table", async () => {
      const { rows } = await costOf(async (one) => rowsOf(await tables.engine.sample(pair.ofTable, { conditions: [], limit: 50 }, one)));
      expect(rows).toBeLessThan(pair.table.rows / 10);
    });

    it("answers as DuckDB does from the same files", async () => {
      const aggregations: Aggregation[] = [
        count,
        { type: "count", column: "quality" },
        { type: "avg", column: "value" },
        { type: "max", column: "station" },
      ];
      expectClose(...(await both((engine, dataset) => engine.aggregate(dataset, aggregations, [], all, engineCall()))), "whole");
      const extents = await both((engine, dataset) => engine.timeExtent(dataset, engineCall()));
      expect(extents[0]).toEqual(extents[1]);
      const steps = stepsOf(pair, extents[1]);
      const graph = await both((engine, dataset) => engine.aggregate(dataset, aggregations, steps, all, engineCall()));
      expectClose(...graph, "graph");
      expect(graph[0].reduce((sum, [rows]) => sum + Number(rows), 0)).toBe(pair.table.rows);
      const { statements } = await costOf((one) => tables.engine.aggregate(pair.ofTable, aggregations, steps, all, one));
      expect(statements).toBe(1);
      const latest = await both(async (engine, dataset) => {
        const conditions = [day(">=", someDay + 30 * dayMs)];
        const sort = [{ column: "station", direction: "asc" }] as const;
        return rowsOf(
          await engine.maps.latest(dataset, { item: "station", time: "at" }, { ...all, conditions, sort, limit: 1_000 }, engineCall()),
        );
      });
      expect(latest[0]).toHaveLength(500);
      expect(latest[0]).toEqual(latest[1]);
    });

    it("finds the rows of any page without sorting those before it, and the next one by what it learned", async () => {
      const { rows } = pair.table;
      for (const sort of [[], [{ column: "station", direction: "desc" }], [{ column: "quality", direction: "asc" }]] as const) {
        const tied = [...sort, { column: "at", direction: "desc" as const }, { column: "id", direction: "asc" as const }];
        const page = (
          engine: EngineBench["engine"] | TableBench["engine"],
          dataset: QueryableDataset,
          offset: number,
          one = engineCall(),
        ) =>
          engine
            .search(dataset, { ...all, sort: tied, offset }, one)
            .then(async (found) => ({ rows: await rowsOf(found), hasMore: await found.hasMore }));
        // DuckDB takes longer for each of these than everything else takes.
        for (const offset of sort.length === 0 ? [rows / 2, rows - 7] : [rows / 2]) {
          const [ours, expected] = await both((engine, dataset) => page(engine, dataset, offset));
          expectSame(JSON.stringify([sort, offset]), ours, expected);
        }
        if (sort.length > 0) continue;
        const owner = randomUUID();
        await page(tables.engine, pair.ofTable, rows / 4, engineCall(undefined, owner));
        const next = await costOf((one) => page(tables.engine, pair.ofTable, rows / 4 + 50, { ...one, owner }));
        expect(next.statements).toBe(1);
        expect(next.rows).toBeLessThanOrEqual(server.skipsTimes ? rows / 50 : rows);
      }
    });

    it("exports every row in order with little memory, here and in the server", async () => {
      const names = new Set(["id", "at", "station", "day"]);
      const columns = pair.ofTable.columns.filter(({ name: column }) => names.has(column));
      const dataset = { ...pair.ofTable, columns };
      const file = path.join(tables.exportFolder, "all.csv");
      const csvColumns = columns.map(({ name: column, type }): Column => ({ name: column, type, description: "", combined: null }));
      const used: number[] = [];
      const onRows = () => {
        const { heapUsed, external } = process.memoryUsage();
        used.push((heapUsed + external) / 1_000_000);
      };
      const target = { format: "csv" as const, path: file, csvColumns, onRows };
      expect(await tables.engine.export(dataset, { ...all, limit: 100_000_000 }, target, engineCall())).toBe(pair.table.rows);
      const half = Math.floor(used.length / 2);
      const [first, second] = [Math.max(...used.slice(0, half)), Math.max(...used.slice(half))];
      expect(second).toBeLessThan(first * 1.3 + 50);
      // Fails if a row is missing, doubled or out of order.
      await files.prepare(`select case when n <> ${pair.table.rows} or ids <> n or unordered > 0 then error('wrong rows') end from (
        select count(*) as n, count(distinct id) as ids, count(*) filter (where "at" > before or ("at" = before and id <= id_before)) as unordered
        from (select id, "at", lag("at") over () as before, lag(id) over () as id_before from read_csv('${file}')))`);
      await rm(file);
    });
  });
}

/** A query as a server lists it. */
interface ServerQuery {
  readonly query: string;
  readonly session: { readonly source?: string };
  readonly queryStats: { readonly rawInputPositions: number };
}

async function pairOf(table: LakeTable, server: LakeServer, { files, tables }: { files: EngineBench; tables: TableBench }): Promise<Pair> {
  const source = await tables.register(
    table.id,
    columnsSql(table, server.precise),
    `${server.location}/${table.id}`,
    table.partition ?? undefined,
  );
  const shared = {
    category: "lake",
    id: table.id,
    columns: table.columns.map(({ name, type }) => ({ name, type })),
    temporalField: table.temporalField,
    location: table.location,
    orderBy: table.orderBy,
    scope: Scope.whole,
    ownConditions: [],
    features: new Set(["SAMPLE", "PAGINATION", "COUNT"] as const),
  };
  const ofFiles: QueryableDataset = {
    ...shared,
    source: { kind: "files", glob: `${table.id}/${table.partition === null ? "" : "*/"}*.parquet`, format: "parquet" },
  };
  const sort = table.columns.map(({ name }) => ({ column: name, direction: "asc" as const }));
  const samples: Record<string, CellValue>[] = [];
  for (const part of table.partition === null ? [0.1, 0.5, 0.9] : []) {
    const page = await files.engine.search(ofFiles, { ...all, sort, offset: Math.floor(table.rows * part), limit: 1 }, engineCall());
    samples.push(...((await rowsOf(page)) as Record<string, CellValue>[]));
  }
  return { table, ofFiles, ofTable: { ...shared, source }, sort, samples };
}

const serverTypes: Readonly<Record<string, string>> = {
  VARCHAR: "varchar",
  BIGINT: "bigint",
  INTEGER: "integer",
  DOUBLE: "double",
  BOOLEAN: "boolean",
  DATE: "date",
};

const columnsSql = ({ columns }: LakeTable, precise: boolean): string =>
  columns.map(({ name, stored }) => `"${name}" ${serverTypes[stored] ?? (precise ? "timestamp(6)" : "timestamp")}`).join(", ");

/** The type that the engine proposes for a stored column. */
function defaultType({ stored }: LakeTable["columns"][number]): ColumnType {
  const types: Readonly<Record<string, ColumnType>> = {
    VARCHAR: "STRING",
    BIGINT: "integer",
    INTEGER: "integer",
    DOUBLE: "decimal",
    BOOLEAN: "BOOLEAN",
  };
  return types[stored] ?? "TIMESTAMP_MILLS";
}

/** Every operator with a value of every column. */
function conditionsOf({ table, samples }: Pair): ComparisonCondition[] {
  return table.columns.flatMap(({ name: column, type }, at) => {
    const value = [...samples.slice(at % samples.length), ...samples]
      .map((row) => row[column])
      .find((one) => one !== null && one !== undefined);
    if (value === undefined || value === null) return [];
    return operatorsOf(type).map((operator) => conditionOn(column, type, operator, value));
  });
}

/** Twenty steps that cover all times. */
function stepsOf({ table }: Pair, extent: { readonly startMs: number; readonly endMs: number } | null): AggregationGroup[] {
  const column = table.columns.find(({ name }) => name === table.temporalField);
  if (column === undefined || extent === null || (column.type !== "TIMESTAMP_MILLS" && column.type !== "TIMESTAMP_SECONDS")) return [];
  const widthMs = Math.ceil((extent.endMs - extent.startMs + 1) / 20 / 1_000) * 1_000;
  return Array.from({ length: 20 }, (_, at) => {
    const startMs = extent.startMs + at * widthMs;
    return { timeRange: { column: column.name, type: column.type, startMs, endMs: startMs + widthMs - 1 }, conditions: [] };
  });
}

/** Tells what differs. */
const expectSame = (what: string, ours: unknown, expected: unknown): void => expect([what, ours]).toEqual([what, expected]);

/** Sums of floating-point numbers depend on the order of the rows. */
const expectClose = (ours: readonly (readonly unknown[])[], expected: readonly (readonly unknown[])[], what: string): void =>
  expectSame(
    what,
    ours.map((values, at) => values.map((value, index) => rounded(value, expected[at]?.[index]))),
    expected,
  );

const rounded = (value: unknown, expected: unknown): unknown =>
  typeof value === "number" && typeof expected === "number" && Math.abs(value - expected) <= 1e-9 * Math.abs(expected) ? expected : value;

function firstDifference(ours: string, expected: string): string | undefined {
  if (ours === expected) return undefined;
  let at = 0;
  while (ours[at] === expected[at]) at++;
  return `${ours.slice(Math.max(0, at - 80), at + 80)} <> ${expected.slice(Math.max(0, at - 80), at + 80)}`;
}
