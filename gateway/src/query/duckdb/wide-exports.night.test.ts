import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ColumnType } from "@fairway/contract/columns";
import { defaultLimits } from "@fairway/contract/limits";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SearchQuery } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
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

it("exports hundreds of columns of a CSV file within the memory of an export", async () => {
  const small = await engineBench({ limits: { ...defaultLimits, exportMemoryMb: 64 } });
  try {
    const kinds = [
      "(i * 7919 + #)::bigint << 20",
      "round((i * 31 + #) / 997, 3)",
      "'reading ' || (i + #)",
      "timestamp '2024-01-01' + i * interval 1 minute",
    ];
    const values = columns.slice(0, 400).map((name, index) => `${(kinds[index % 4] ?? "").replace("#", String(index))} as ${name}`);
    await small.prepare(`copy (select ${values.join(", ")} from range(2_100) t(i)) to 'FOLDER/wide.csv' (format csv, header)`);
    const source = { kind: "files", glob: "wide.csv", format: "csv" } as const;
    const found = await small.engine.columns(source, engineCall());
    const dataset = { ...datasetOver("wide.csv", Object.fromEntries(found.map(({ name, type }) => [name, type]))), source };
    const target = { format: "csv", path: path.join(small.exportFolder, "wide.csv"), csvColumns: found, onRows: () => undefined } as const;
    expect(await small.engine.export(dataset, all, target, engineCall())).toBe(2_100);
  } finally {
    await small.close();
  }
});
