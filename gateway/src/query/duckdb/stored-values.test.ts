import { afterAll, beforeAll, expect, it } from "vitest";
import type { ComparisonCondition, SearchQuery } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import { datasetOver, type EngineBench, engineBench, rowsOf } from "./test-files.ts";

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  // Few values, repeated, get a dictionary and with it a Bloom filter.
  await bench.prepare(`copy (select i as id, case when i % 10 = 3 then -0.0::double else (i % 5)::double + 1 end as zero
    from range(20000) t(i)) to 'FOLDER/zeros.parquet' (format parquet, row_group_size 20000)`);
  await bench.prepare(`copy (select unnest([1, 2]) as id,
    unnest([timestamp_ns '1969-12-31 23:59:59.999999999', timestamp_ns '2020-01-01 00:00:05.999999999']) as at)
    to 'FOLDER/times.parquet' (format parquet)`);
});
afterAll(() => bench.close());

const find = async (
  file: string,
  type: "decimal" | "TIMESTAMP_SECONDS",
  condition: Pick<ComparisonCondition, "column" | "operator" | "value">,
) => {
  const query: SearchQuery = { timeRange: null, area: null, conditions: [{ type, ...condition }], sort: [], offset: 0, limit: 3 };
  const dataset = datasetOver(file, { id: "integer", [condition.column]: type });
  return rowsOf(await bench.engine.search(dataset, query, engineCall()));
};

it("a filter for 0 finds -0 in a file with a Bloom filter", async () => {
  expect(await find("zeros.parquet", "decimal", { column: "zero", operator: "=", value: 0 })).toHaveLength(3);
});

it("times of nanoseconds are shown rounded down, and found as they are shown", async () => {
  const rows = [
    { id: 1, at: -1 },
    { id: 2, at: 1_577_836_805 },
  ];
  for (const row of rows) {
    const value = BigInt(row.at) * 1_000n;
    expect(await find("times.parquet", "TIMESTAMP_SECONDS", { column: "at", operator: "=", value })).toEqual([row]);
  }
  // Bounds that nanoseconds of 64 bits cannot hold.
  const first = BigInt(Date.parse("0001-01-01T00:00:00Z"));
  expect(await find("times.parquet", "TIMESTAMP_SECONDS", { column: "at", operator: ">=", value: first })).toEqual(rows);
});
