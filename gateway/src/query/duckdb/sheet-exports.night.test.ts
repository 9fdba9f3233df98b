import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Column } from "@fairway/contract/columns";
import { maxSheetRows } from "@fairway/contract/exports";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SearchQuery } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import { countSheetRows } from "#testing/workbooks.ts";
import { type EngineBench, datasetOver, engineBench } from "./test-files.ts";

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(`copy (select i as id, i * 7919 % 1000003 as key, timestamp '2020-01-01' + to_milliseconds(i * 250) as at, date '2020-01-01' + (i % 3000)::integer as day,
    i / 7 as real, (i % 180)::double - 90 as lat, 'row ' || i as name, ['Oslo', 'Bergen', 'København'][1 + i % 3] as city, i % 2 = 0 as flag, (i / 100)::decimal(18, 2) as price
    from range(${maxSheetRows}) t(i)) to 'FOLDER/many.parquet' (format parquet)`);
});
afterAll(() => bench.close());

const query: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: maxSheetRows };

it("fills a sheet with a million rows in flat memory, and leaves the event loop free", async () => {
  const dataset = datasetOver("many.parquet", {
    id: "integer",
    key: "integer",
    at: "TIMESTAMP_MILLS",
    day: "TIMESTAMP_SECONDS",
    real: "decimal",
    lat: "decimal",
    name: "STRING",
    city: "STRING",
    flag: "BOOLEAN",
    price: "decimal",
  });
  const csvColumns = dataset.columns.map((column): Column => ({ ...column, description: "", combined: null }));
  const write = async (limit: number) => {
    const file = path.join(bench.exportFolder, `${limit}.xlsx`);
    let mostBytes = 0;
    const measure = setInterval(() => (mostBytes = Math.max(mostBytes, process.memoryUsage.rss())), 50);
    const before = performance.eventLoopUtilization();
    const target = { format: "xlsx" as const, path: file, csvColumns, onRows: () => {} };
    const rows = await bench.engine.export(dataset, { ...query, limit }, target, engineCall());
    const { utilization } = performance.eventLoopUtilization(before);
    clearInterval(measure);
    return { rows, file, mostBytes, utilization };
  };
  const small = await write(50_000);
  const large = await write(maxSheetRows);
  const { size } = await stat(large.file);
  process.stdout.write(
    `1,048,575 rows as XLSX: ${Math.round(size / 1e6)} MB, ${(large.utilization * 100).toFixed(1)} % of the time in the event loop, ` +
      `memory ${Math.round((large.mostBytes - small.mostBytes) / 1e6)} MB above that of 50,000 rows\n`,
  );
  expect(large.rows).toBe(maxSheetRows);
  expect(await countSheetRows(await readFile(large.file))).toBe(maxSheetRows + 1);
  expect(large.mostBytes - small.mostBytes).toBeLessThan(150e6);
  // A share, unlike a delay, stays the same on a busy machine.
  expect(large.utilization).toBeLessThan(0.1);
}, 600_000);
