import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ColumnType } from "@fairway/contract/columns";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SearchQuery } from "#query/engine.ts";
import { compileSearch } from "#query/sql/compile.ts";
import type { SqlTable } from "#query/sql/table.ts";
import { engineCall } from "#testing/engine-call.ts";
import { storageOf } from "./column-types.ts";
import { duckDbDialect } from "./dialect.ts";
import { type CopyTarget, compileExport } from "./export-sql.ts";
import { type EngineBench, datasetOver, engineBench } from "./test-files.ts";

const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000_000 };
const columns = Array.from({ length: 1_000 }, (_, index) => `c${index}`);
const types: Readonly<Record<string, ColumnType>> = Object.fromEntries(columns.map((name) => [name, "integer"]));

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  // In the last rows, every third column is beyond 2^53.
  const values = columns.map((name, index) => `(i * 1000 + ${index})::bigint * ${index % 3 === 0 ? 9_007_199_254 : 1} as ${name}`);
  await bench.prepare(`copy (select ${values.join(", ")} from range(2_500) t(i)) to 'FOLDER/wide.parquet' (format parquet)`);
});
afterAll(() => bench.close());

it("exports a thousand columns as JSON within the memory of an export", async () => {
  const file = path.join(bench.exportFolder, "wide.json");
  const target = { format: "json", path: file, csvColumns: [], onRows: () => undefined } as const;
  expect(await bench.engine.export(datasetOver("wide.parquet", types), all, target, engineCall())).toBe(2_500);
  const [line = ""] = (await readFile(file, "utf8")).split("\n").slice(-3);
  const last = JSON.parse(line) as Record<string, unknown>;
  expect(Object.keys(last)).toEqual(columns);
  const valueOf = (index: number) => (2_499_000n + BigInt(index)) * (index % 3 === 0 ? 9_007_199_254n : 1n);
  expect(Object.values(last)).toEqual(columns.map((_, index) => (index % 3 === 0 ? String(valueOf(index)) : Number(valueOf(index)))));
});

// DuckDB plans it in a time that grows with the square of its occurrences, however a statement with AND or BETWEEN spells it.
it("compares no column with a range, which a statement over a thousand columns would take seconds to plan", () => {
  const stored = [
    ["integer", "BIGINT"],
    ["integer", "HUGEINT"],
    ["integer", "DECIMAL(38,0)"],
    ["decimal", "DECIMAL(38,2)"],
    ["decimal", "DOUBLE"],
    ["STRING", "VARCHAR"],
    ["TIMESTAMP_MILLS", "TIMESTAMP"],
    ["TIMESTAMP_SECONDS", "BIGINT"],
    ["TIMESTAMP_SECONDS", "DOUBLE"],
  ] as const;
  const described = stored.map(([type, duckType], index) => ({ name: `c${index}`, type, storage: storageOf(duckType, false) }));
  const from = sql`rows`;
  const table: SqlTable = {
    from,
    columns: new Map(described.map((column) => [column.name, column])),
    orderBy: [],
    storedOrder: null,
    numbered: { from, position: [], isFileOrder: true },
  };
  const csvColumns = described.map(({ name, type }) => ({ name, type, description: "", combined: null }));
  const targetOf = (format: CopyTarget["format"]): CopyTarget => ({ format, path: "rows", csvColumns, onRows: () => undefined });
  const statements = [
    compileSearch(table, all, duckDbDialect),
    ...(["csv", "json", "parquet"] as const).map((format) => compileExport(table, all, targetOf(format))),
  ];
  for (const { sql: text } of statements) expect(text).not.toMatch(/\b(?:between|and)\b/i);
});
