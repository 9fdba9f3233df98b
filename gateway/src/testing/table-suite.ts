import { operator } from "@fairway/contract/columns";
import { expect, it, onTestFinished } from "vitest";
import { datasetOver, rowsOf } from "#query/duckdb/test-files.ts";
import { engineCall } from "#testing/engine-call.ts";
import { describeEngine, suiteColumns, suiteRows } from "#testing/engine-suite.ts";
import { describeSqlEngine } from "#testing/sql-engine-suite.ts";
import { tableBench } from "#query/presto/testing/table-bench.ts";

const serverType = { integer: "bigint", decimal: "double", BOOLEAN: "boolean", STRING: "varchar" } as Readonly<Record<string, string>>;
const literal = (value: string | number | boolean | null): string => (value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`);

/**
 * What holds for every engine and for every SQL engine, over tables in the memory of a server. `times.precise`: whether its
 * times have more digits than milliseconds.
 */
export function describeTables(name: string, url: string, times: { readonly precise: boolean }): void {
  describeEngine(`of tables (${name})`, { sorts: true, pages: true, counts: true, maps: true, ordered: false }, async () => {
    const bench = await tableBench(url);
    const rows = suiteRows.map((row) => {
      const cells = Object.entries(row).map(([column, value]) => {
        const type = serverType[suiteColumns[column as keyof typeof suiteColumns]] ?? "";
        return `cast(${literal(value)} as ${type}) as "${column}"`;
      });
      return `select ${cells.join(", ")}`;
    });
    const source = await bench.store("suite", rows.join(" union all "));
    const dataset = { ...datasetOver("", suiteColumns), source, orderBy: [{ column: "n", direction: "asc" as const }] };
    return {
      engine: bench.engine,
      dataset,
      broken: { ...dataset, source: bench.absent },
      operators: { n: operator.options, name: operator.options },
      close: () => bench.close(),
    };
  });

  describeOwnTypes(name, url);
  describeTableCatalog(name, url);

  const precision = (digits: number) => (times.precise ? `timestamp(${digits})` : "timestamp");
  describeSqlEngine(`tables (${name})`, async () => ({
    ...(await tableBench(url)),
    precise: times.precise,
    types: {
      double: "double",
      seconds: precision(0),
      millis: precision(3),
      micros: precision(6),
      nanos: precision(9),
      zoned: times.precise ? "timestamp(6) with time zone" : "timestamp with time zone",
      fields: "row(a integer, b varchar)",
    },
  }));
}

/** Types that only these servers have: each as the text that is shown. */
function describeOwnTypes(name: string, url: string): void {
  const id = "12151fd2-7586-11e9-8f9e-2a86e4085a59";
  const values = {
    fixed: ["cast('ab' as char(5))", "ab"],
    bytes: ["x'00ff'", "00ff"],
    clock: ["cast(time '01:02:03.123' as varchar)", "01:02:03.123"],
    document: [`json '{"b":[1,null]}'`, '{"b":[1,null]}'],
    address: ["ipaddress '10.0.0.1'", "10.0.0.1"],
    days: ["interval '1' day", "1 00:00:00.000"],
    years: ["interval '2' year", "2-0"],
    place: ["ST_Point(1, 2)", "POINT (1 2)"],
    ids: [`array[uuid '${id}', null]`, `["${id}",null]`],
    by_name: [`map(array['k "'], array[uuid '${id}'])`, `{"k \\"":"${id}"}`],
    by_number: ["map(array[1.5e0], array[x'00'])", '{"1.5":"00"}'],
    nested: [
      `cast(row(1, array[row('x', x'ff'), null]) as row(a integer, "b c" array(row(d varchar, e varbinary))))`,
      '{"a":1,"b c":[{"d":"x","e":"ff"},null]}',
    ],
  } as const;

  it(`${name} shows its own types as text, sorts by them and exports them`, { timeout: 60_000 }, async () => {
    const bench = await tableBench(url);
    onTestFinished(() => bench.close());
    const names = Object.keys(values);
    const cells = Object.entries(values).map(([column, [expression]]) => `${expression} as ${column}`);
    const nulls = Object.keys(values).map((column) => `null as ${column}`);
    const source = await bench.store("own", `select 1 as n, ${cells.join(", ")} union all select 2 as n, ${nulls.join(", ")}`);
    const columns: Record<string, "STRING" | "integer"> = { n: "integer" };
    for (const column of names) columns[column] = "STRING";
    const dataset = { ...datasetOver("", columns), source };
    const query = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 10 };
    const shown = Object.fromEntries(Object.entries(values).map(([column, [, text]]) => [column, text]));
    const empty = Object.fromEntries(names.map((column) => [column, null]));
    expect(await rowsOf(await bench.engine.search(dataset, query, engineCall()))).toEqual([
      { n: 1, ...shown },
      { n: 2, ...empty },
    ]);
    for (const column of ["bytes", "ids", "by_name", "nested"] as const) {
      const [, text] = values[column];
      const conditions = [{ column, type: "STRING" as const, operator: "=" as const, value: text }];
      const sort = [{ column, direction: "desc" as const }];
      expect((await rowsOf(await bench.engine.search(dataset, { ...query, conditions, sort }, engineCall()))).map(({ n }) => n)).toEqual([
        1,
      ]);
    }
    const { columns: profiled } = await bench.engine.profileDataset(dataset, { conditions: [], timeoutMs: 60_000 }, engineCall());
    expect(profiled.map(({ top }) => top[0]?.value)).toEqual([1, ...Object.values(shown)]);
  });
}

function describeTableCatalog(name: string, url: string): void {
  it(`${name} lists its catalogs, schemas and tables, also by a part of their names`, { timeout: 60_000 }, async () => {
    const bench = await tableBench(url);
    onTestFinished(() => bench.close());
    const { tables } = bench.engine;
    const list = async (within: string, contains = "", limit = 100) => {
      const { entries, ...rest } = await tables.list(within, { contains, limit }, engineCall());
      return { ...rest, paths: entries.map((entry) => entry.path) };
    };
    expect(await list("", "PCH")).toEqual({ kind: "catalog", paths: ["tpch"], isCut: false });
    expect(await list("tpch", "SF1", 1)).toEqual({ kind: "schema", paths: ["tpch.sf1"], isCut: true });
    expect((await list("tpch")).paths).toContain("tpch.tiny");
    expect(await list("tpch.tiny", "art")).toEqual({ kind: "table", paths: ["tpch.tiny.part", "tpch.tiny.partsupp"], isCut: false });
    expect(await list("tpch.tiny", "' or 1 = 1 --")).toMatchObject({ paths: [] });
    await expect(list("nowhere")).rejects.toMatchObject({ problems: [{ code: "data-missing" }] });
  });
}
