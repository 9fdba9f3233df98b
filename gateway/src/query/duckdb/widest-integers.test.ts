import { DuckDBInstance } from "@duckdb/node-api";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { compileRaw } from "#query/sql/compile.ts";
import { comparisonSql } from "#query/sql/operators.ts";
import { storageOf } from "./column-types.ts";
import { duckDbDialect, shown } from "./dialect.ts";
import { bind } from "./query-runner.ts";

describe("columns of unsigned 128-bit integers", () => {
  const column = { name: "v", type: "integer", storage: storageOf("UHUGEINT", true) } as const;
  const values = [0n, 5n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 127n, 2n ** 128n - 1n];
  const from = sql.raw(`(select unnest([${values.map((value) => `'${value}'::uhugeint`).join(", ")}]) as v) as stored`);

  it.each([
    ["=", 2n ** 128n - 1n, [2n ** 128n - 1n]],
    [">", 5n, values.slice(2)],
    [">=", -1n, values],
    ["<", 2n ** 127n, values.slice(0, 4)],
    ["<", 0n, []],
  ] as const)("are compared over their whole range: %s %s", async (operator, value, expected) => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const condition = comparisonSql(column, { column: "v", type: "integer", operator, value }, duckDbDialect);
    const statement = compileRaw(sql`select cast(${shown(sql`v`, column)} as varchar) from ${from} where ${condition} order by v`);
    const prepared = await connection.prepare(statement.sql);
    for (const [index, parameter] of statement.parameters.entries()) bind(prepared, index + 1, parameter);
    const rows = (await (await prepared.run()).getRows()) as string[][];
    const shownText = (one: bigint) => (one > 2n ** 53n ? `"${one}"` : String(one));
    expect(rows.map(([text]) => text)).toEqual(expected.map(shownText));
    prepared.destroySync();
    connection.closeSync();
    instance.closeSync();
  });
});
