import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { ComparisonCondition, SearchQuery } from "#query/engine.ts";
import { duckDbDialect } from "#query/duckdb/dialect.ts";
import { prestoDialect } from "#query/presto/dialect.ts";
import { type Compiled, compileAggregate, compileExtent, compileSample, compileSearch } from "./compile.ts";
import type { SqlColumn, SqlTable } from "./table.ts";

const columns: SqlColumn[] = [
  { name: "name", type: "STRING", storage: { kind: "text" } },
  { name: "code", type: "STRING", storage: { kind: "other" } },
  { name: "flag", type: "BOOLEAN", storage: { kind: "boolean" } },
  { name: "n", type: "integer", storage: { kind: "integer", narrow: true } },
  { name: "real", type: "decimal", storage: { kind: "floating", single: false, finite: false } },
  { name: "known", type: "decimal", storage: { kind: "floating", single: true, finite: true } },
  { name: "at", type: "TIMESTAMP_MILLS", storage: { kind: "instant", zoned: false } },
  { name: "zoned", type: "TIMESTAMP_SECONDS", storage: { kind: "instant", zoned: true } },
  { name: "epoch", type: "TIMESTAMP_SECONDS", storage: { kind: "integer", narrow: false } },
  { name: 'odd".name', type: "integer", storage: { kind: "integer", narrow: true } },
];
const table: SqlTable = {
  from: sql`source`,
  columns: new Map(columns.map((column) => [column.name, column])),
  orderBy: [{ column: "at", direction: "desc" }],
  storedOrder: null,
  numbered: { from: sql`source`, position: [sql`file_row_number`], isFileOrder: true },
};
/** One column only, to keep the expected statements short. */
const narrow = (name: string, more: Partial<SqlTable> = {}): SqlTable => ({
  ...table,
  columns: new Map(columns.filter((column) => [name, "at"].includes(column.name)).map((column) => [column.name, column])),
  ...more,
});
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 25 };

const whereOf = ({ sql: text, parameters }: Compiled): unknown[] => [/ where (.*)$/.exec(text)?.[1], ...parameters];
const whereOfCount = (condition: ComparisonCondition) =>
  whereOf(compileAggregate(table, [{ type: "count", column: "*" }], [], { ...all, conditions: [condition] }, duckDbDialect));

describe("conditions", () => {
  it.each<[ComparisonCondition["column"], ComparisonCondition["operator"], ComparisonCondition["value"], unknown[]]>([
    ["name", "=", "x", ['"name" = $1', "x"]],
    ["name", "<>", "x", ['("name" <> $1 or "name" is null)', "x"]],
    ["name", ">=", "'; drop", ['"name" >= $1', "'; drop"]],
    ["code", "<", "x", ['cast("code" as varchar) < $1', "x"]],
    ["flag", "=", true, ['"flag" = $1', true]],
    ["n", "<=", 5n, ['"n" <= $1', 5n]],
    ['odd".name', "=", 5n, ['"odd"".name" = $1', 5n]],
    ["real", "=", 1.5, ['"real" = $1', 1.5]],
    ["real", ">", 1.5, ['("real" > $1 and "real" <= $2)', 1.5, Number.MAX_VALUE]],
    ["real", "<=", 1.5, ['("real" <= $1 and "real" >= $2)', 1.5, -Number.MAX_VALUE]],
    ["known", ">", 0.1, ['"known" > cast($1 as float)', 0.1]],
    ["at", "=", 1_000n, ['"at" >= make_timestamp_ms($1) and "at" < make_timestamp_ms($2)', 1_000n, 1_001n]],
    ["at", "<>", 1_000n, ['("at" < make_timestamp_ms($1) or "at" >= make_timestamp_ms($2) or "at" is null)', 1_000n, 1_001n]],
    ["at", "<=", 1_000n, ['"at" < make_timestamp_ms($1)', 1_001n]],
    ["zoned", ">", 1_500n, ['"zoned" >= cast(make_timestamp_ms($1) as timestamptz)', 2_000n]],
    ["zoned", "=", 1_500n, ["false"]],
    ["zoned", "<>", 1_500n, ["true"]],
    ["epoch", "=", 2_000n, ['"epoch" >= $1 and "epoch" < $2', 2n, 3n]],
    ["epoch", "<", -500n, ['"epoch" < $1', 0n]],
    ["epoch", "<=", -500n, ['"epoch" < $1', 0n]],
    ["epoch", ">=", -500n, ['"epoch" >= $1', 0n]],
  ])("%s %s %s", (column, operator, value, expected) => {
    const type = table.columns.get(column)?.type ?? "STRING";
    expect(whereOfCount({ column, type, operator, value })).toEqual(expected);
  });

  it("are AND-ed, after the time range", () => {
    const query = {
      area: null,
      timeRange: { column: "epoch", type: "TIMESTAMP_SECONDS", startMs: 1_000, endMs: 2_999 },
      conditions: [
        { column: "n", type: "integer", operator: ">", value: 1n },
        { column: "name", type: "STRING", operator: "<>", value: "x" },
      ],
    } as const;
    expect(whereOf(compileAggregate(table, [{ type: "count", column: "*" }], [], query, duckDbDialect))).toEqual([
      '"epoch" >= $1 and "epoch" < $2 and "n" > $3 and ("name" <> $4 or "name" is null)',
      1n,
      3n,
      1n,
      "x",
    ]);
  });
});

describe("statements", () => {
  it("selects a page with JSON in the outer SELECT, and limit and offset as parameters", () => {
    expect(compileSearch(narrow("n"), { ...all, offset: 50 }, duckDbDialect)).toEqual({
      sql: `select cast(json_object('n', "n", 'at', epoch_ms(date_trunc('millisecond', "at"))) as varchar) from (select "n", "at" from source order by "at" desc nulls last, file_row_number limit $1 offset $2) as page`,
      parameters: [25n, 50n],
    });
  });

  const orderOf = ({ sql: text }: Compiled) => / from source(.*) limit /.exec(text)?.[1];

  it.each<[string, Partial<SqlTable>, SearchQuery["sort"], string]>([
    ["the dataset's order", {}, [], ' order by "at" desc nulls last, file_row_number'],
    ["the requested sort", {}, [{ column: "n", direction: "asc" }], ' order by "n" asc nulls last, file_row_number'],
    ["a dataset without an order", { orderBy: [] }, [], " order by file_row_number"],
    ["a file stored in that order", { storedOrder: [{ column: "at", direction: "desc" }] }, [], ""],
    [
      "a file stored in that order, which is requested",
      { storedOrder: [{ column: "at", direction: "desc" }] },
      [{ column: "at", direction: "desc" }],
      "",
    ],
    [
      "a file stored in the opposite order",
      { storedOrder: [{ column: "at", direction: "asc" }] },
      [],
      ' order by "at" desc nulls last, file_row_number',
    ],
    [
      "the dataset's order as tie breaker without file order",
      { numbered: { from: sql`source`, position: [], isFileOrder: false } },
      [{ column: "n", direction: "desc" }],
      ' order by "n" desc nulls last, "at" desc nulls last',
    ],
  ])("orders by %s", (_title, more, sort, expected) => {
    expect(orderOf(compileSearch(narrow("n", more), { ...all, sort }, duckDbDialect))).toBe(expected);
  });

  it("does not sort a sample", () => {
    expect(compileSample(narrow("at"), { conditions: [], limit: 25 }, duckDbDialect).sql).toMatch(
      / from \(select "at" from source limit \$1\) as page$/,
    );
  });

  it("aggregates all groups in one scan", () => {
    const group = (value: bigint) => ({ timeRange: null, conditions: [{ column: "n", type: "integer", operator: "=", value } as const] });
    expect(
      compileAggregate(
        table,
        [
          { type: "count", column: "*" },
          { type: "max", column: "n" },
        ],
        [group(1n), group(2n)],
        all,
        duckDbDialect,
      ),
    ).toEqual({
      sql: `select cast(count(*) filter (where "n" = $1) as varchar), cast(to_json(max("n") filter (where "n" = $2)) as varchar), cast(count(*) filter (where "n" = $3) as varchar), cast(to_json(max("n") filter (where "n" = $4)) as varchar) from source`,
      parameters: [1n, 1n, 2n, 2n],
    });
  });

  it.each([
    ["DuckDB", duckDbDialect],
    ["Trino", prestoDialect("trino")],
    ["Presto", prestoDialect("presto")],
  ])("aggregates rows without a value apart from those with other values on %s", (_server, dialect) => {
    const name = (operator: "=" | "<>", value: string | null) => ({ column: "name", type: "STRING", operator, value }) as const;
    const groups = [[name("=", null)], [name("<>", "Rita"), name("<>", null)]].map((conditions) => ({ timeRange: null, conditions }));
    const { sql: statement } = compileAggregate(table, [{ type: "count", column: "*" }], groups, all, dialect);
    const [empty, others] = [...statement.matchAll(/count\(\*\) filter \(where (.*?)\) as/g)].map(([, where]) => where);
    expect(empty).toMatch(/^"name" is null\)?$/);
    expect(others).toMatch(/^\("name" <> \S+ or "name" is null\) and "name" is not null\)?$/);
  });

  it("selects the extent of a column", () => {
    expect(compileExtent(table, "epoch", duckDbDialect).sql).toMatch(/min\("epoch"\).* from source$/);
  });

  it("rejects a column that the source does not have instead of sending it", () => {
    expect(() => compileExtent(table, "__proto__", duckDbDialect)).toThrow("names a column that its data do not have");
  });
});
