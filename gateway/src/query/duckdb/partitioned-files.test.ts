import { DuckDBInstance } from "@duckdb/node-api";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Condition } from "#query/engine.ts";
import { type Compiled, compileAggregate } from "#query/sql/compile.ts";
import type { SqlTable } from "#query/sql/table.ts";
import { duckDbDialect } from "./dialect.ts";
import { bind } from "./query-runner.ts";
import { type EngineBench, datasetOver, engineBench } from "./test-files.ts";

/** Six files, by a whole number in the names of their folders. */
let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(`copy (select i as id, i % 6 as p from range(600) t(i)) to 'FOLDER/parts' (format parquet, partition_by (p))`);
});
afterAll(() => bench.close());

const search = { timeRange: null, area: null, sort: [], offset: 0, limit: 10 };
const count = [{ type: "count", column: "*" }] as const;

async function filesRead({ sql: text, parameters }: Compiled): Promise<number> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const prepared = await connection.prepare(`explain analyze ${text}`);
  for (const [index, value] of parameters.entries()) bind(prepared, index + 1, value);
  const [[, plan = ""] = []] = (await (await prepared.run()).getRows()) as string[][];
  connection.closeSync();
  instance.closeSync();
  return Number(/Total Files Read: (\d+)/.exec(plan)?.[1]);
}

const value = (number: bigint) => ({ value: number });
const p = { column: "p", type: "integer" } as const;
const list = { ...p, values: [value(1n), value(4n), value(9n)], empty: false };

const cases: Readonly<Record<string, { condition: Condition; rows: number; files: number }>> = {
  list: { condition: { ...list, operator: "in" }, rows: 200, files: 2 },
  "list with empty values": { condition: { ...list, operator: "in", empty: true }, rows: 200, files: 2 },
  "list that is left out": { condition: { ...list, operator: "not in" }, rows: 400, files: 4 },
  range: { condition: { ...p, operator: "between", low: value(4n), high: value(7n) }, rows: 200, files: 2 },
  "range that is left out": { condition: { ...p, operator: "not between", low: value(1n), high: value(4n) }, rows: 200, files: 2 },
  "set of alternatives": {
    condition: { operator: "any", lists: [[{ ...p, operator: "=", value: 5n }], [{ ...list, operator: "in" }]] },
    rows: 300,
    files: 3,
  },
};

it.each(Object.keys(cases))("a %s reads only the files that may hold its rows", async (name) => {
  const { condition, rows, files } = cases[name] ?? { condition: { ...p, operator: "=", value: 0n }, rows: 0, files: 0 };
  const dataset = datasetOver("parts/*/*.parquet", { id: "integer", p: "integer" });
  const call = { signal: AbortSignal.timeout(60_000), owner: "u" };
  expect(await bench.engine.aggregate(dataset, count, [], { ...search, conditions: [condition] }, call)).toEqual([[rows]]);
  const table: SqlTable = {
    from: sql`read_parquet(${sql.lit(`${bench.folder}/parts/*/*.parquet`)})`,
    columns: new Map([["p", { name: "p", type: "integer", storage: { kind: "integer", narrow: false } }]]),
    orderBy: [],
    storedOrder: null,
    numbered: { from: sql`source`, position: [], isFileOrder: true },
  };
  expect(await filesRead(compileAggregate(table, count, [], { ...search, conditions: [condition] }, duckDbDialect))).toBe(files);
});
