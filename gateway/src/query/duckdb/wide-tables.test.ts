import { readFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SearchQuery } from "#query/engine.ts";
import { compileSearch } from "#query/sql/compile.ts";
import type { SqlTable } from "#query/sql/table.ts";
import { engineCall } from "#testing/engine-call.ts";
import { storageOf } from "./column-types.ts";
import { duckDbDialect } from "./dialect.ts";
import { type CopyTarget, compileExport } from "./export-sql.ts";
import { datasetOver, type EngineBench, engineBench, rowsOf } from "./test-files.ts";

const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000_000 };

let bench: EngineBench;

beforeAll(async () => {
  bench = await engineBench();
});

afterAll(() => bench.close());

it("compares no integers of which the file says that numbers of JSON hold them, and shows the others as text", async () => {
  const values = [
    [9_007_199_254_740_992n, -9_007_199_254_740_992n],
    [9_007_199_254_740_993n, 0n],
  ];
  await bench.prepare(
    `copy (select * from (values ${values[0]?.map((value, row) => `(${value}::bigint, ${values[1]?.[row]}::bigint)`).join(", ")}) t(narrow, wide)) to 'FOLDER/narrow.parquet' (format parquet)`,
  );
  const dataset = datasetOver("narrow.parquet", { narrow: "integer", wide: "integer" });
  expect(await rowsOf(await bench.engine.search(dataset, all, engineCall()))).toEqual([
    { narrow: 9_007_199_254_740_992, wide: "9007199254740993" },
    { narrow: -9_007_199_254_740_992, wide: 0 },
  ]);
});

it("shows times that have no number as empty, and those before 1970 in their unit", async () => {
  await bench.prepare(
    `copy (select unnest(['1969-12-31 23:59:59.9995'::timestamp, 'infinity'::timestamp, '-infinity'::timestamp, '2024-01-01 00:00:00.5'::timestamp]) as ms) to 'FOLDER/times.parquet' (format parquet)`,
  );
  for (const [type, shown, written] of [
    ["TIMESTAMP_MILLS", [-1, null, null, 1_704_067_200_500], ["1969-12-31T23:59:59.999Z", "", "", "2024-01-01T00:00:00.500Z"]],
    ["TIMESTAMP_SECONDS", [-1, null, null, 1_704_067_200], ["1969-12-31T23:59:59Z", "", "", "2024-01-01T00:00:00Z"]],
  ] as const) {
    const dataset = datasetOver("times.parquet", { ms: type });
    expect((await rowsOf(await bench.engine.search(dataset, all, engineCall()))).map(({ ms }) => ms)).toEqual(shown);
    const file = path.join(bench.exportFolder, `${type}.csv`);
    const csvColumns = [{ name: "ms", type, description: "", combined: null }];
    await bench.engine.export(dataset, all, { format: "csv", path: file, csvColumns, onRows: () => undefined }, engineCall());
    expect(
      (await readFile(file, "utf8"))
        .trimEnd()
        .split("\r\n")
        .slice(1)
        .map((line) => line.replaceAll('"', "")),
    ).toEqual(written);
  }
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
