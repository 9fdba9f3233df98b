import { operator } from "@fairway/contract/columns";
import { expect, it, onTestFinished } from "vitest";
import { datasetOver } from "#query/duckdb/test-files.ts";
import { describeAnswers } from "#testing/answers-suite.ts";
import { engineCall } from "#testing/engine-call.ts";
import { describeEngine, suiteColumns, suiteSelect } from "#testing/engine-suite.ts";
import { describeSqlEngine } from "#testing/sql-engine-suite.ts";
import { describeTableTypes } from "#testing/table-types-suite.ts";
import { tableBench } from "#query/presto/testing/table-bench.ts";

/**
 * Tests of every engine and of every SQL engine, over tables in the memory of a server. `times.precise`: whether its times have more digits
 * than milliseconds.
 */
export function describeTables(name: string, url: string, times: { readonly precise: boolean }): void {
  describeEngine(`of tables (${name})`, { sorts: true, pages: true, counts: true, maps: true, ordered: false }, async () => {
    const bench = await tableBench(url);
    const source = await bench.store("suite", suiteSelect);
    const dataset = { ...datasetOver("", suiteColumns), source, orderBy: [{ column: "n", direction: "asc" as const }] };
    return {
      engine: bench.engine,
      dataset,
      broken: { ...dataset, source: bench.absent },
      operators: { n: operator.options, name: operator.options },
      close: () => bench.close(),
    };
  });

  describeTableTypes(name, url, times);
  describeTableCatalog(name, url);

  describeAnswers(`tables (${name})`, { seeds: [1, 2], filters: 50, breakdowns: 15 }, () => tableBench(url));

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
