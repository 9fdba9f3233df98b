import { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { datasetOver, type EngineBench, engineBench } from "./test-files.ts";

const columns = Array.from({ length: 1_000 }, (_, index) => `c${index}`);

let bench: EngineBench;

beforeAll(async () => {
  bench = await engineBench();
});

afterAll(() => bench.close());

it("profiles many columns of a short table in few scans, each of which plans only the columns that it reads", async () => {
  const names = columns.slice(0, 100);
  const values = names.map((name, index) => `i + ${index} as ${name}`);
  await bench.prepare(`copy (select ${values.join(", ")} from range(5) t(i)) to 'FOLDER/short.csv' (format csv, header)`);
  const dataset = datasetOver("short.csv", Object.fromEntries(names.map((name) => [name, "integer"])), { format: "csv" });
  await bench.engine.columns(dataset.source, engineCall());
  const preparing = vi.spyOn(DuckDBConnection.prototype, "prepare");
  const conditions = [{ column: "c99", type: "integer", operator: ">", value: 100n }] as const;
  const { rows, columns: profiled } = await bench.engine.profileDataset(dataset, { conditions, timeoutMs: 60_000 }, engineCall());
  const planned = preparing.mock.calls.map(([statement]) => new Set(Array.from(statement.matchAll(/"(c\d+)"/g), ([, name]) => name)).size);
  preparing.mockRestore();
  expect(rows).toBe(3);
  expect(profiled.map(({ name, distinct, min, max }) => [name, distinct, min, max])).toEqual(
    names.map((name, index) => [name, 3, index + 2, index + 4]),
  );
  // Figures of 30 and 70 columns, then groups of 30 at a time, each with the column of the condition.
  expect(planned).toEqual([31, 70, 31, 31, 31, 10]);
});
