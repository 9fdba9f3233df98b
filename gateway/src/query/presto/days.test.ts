import { readFile } from "node:fs/promises";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
import type { SqlColumn } from "#query/sql/table.ts";
import { typesOf } from "#testing/arrow-table.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { arrowRows } from "./arrow-rows.ts";
import { csvRows } from "./csv-text.ts";
import { writeParquet } from "./parquet-file.ts";

const stored = { kind: "instant", zoned: false, days: true } as const;
const columns: readonly SqlColumn[] = [
  { name: "d", type: "TIMESTAMP_SECONDS", storage: stored, day: true },
  { name: "undeclared", type: "TIMESTAMP_SECONDS", storage: stored },
];
const dayMs = 86_400_000;
/** As the servers send dates: epoch milliseconds. */
const rows = [
  [dayMs, dayMs],
  [-dayMs, -dayMs],
  [null, null],
];
async function* pages() {
  yield rows;
}

it("whole days are in CSV files the day alone, and times where a dataset does not know of it", () => {
  const write = csvRows(
    columns.map(({ name, type }) => ({ name, type, description: "", combined: null })),
    columns,
  );
  expect(rows.map((row) => write(row))).toEqual(["1970-01-02,1970-01-02T00:00:00Z\r\n", "1969-12-31,1969-12-31T00:00:00Z\r\n", ",\r\n"]);
});

it("whole days are dates in Arrow", async () => {
  const bytes: Uint8Array[] = [];
  for await (const part of arrowRows(pages(), columns, 10, () => undefined)) bytes.push(part.bytes);
  expect(typesOf(Buffer.concat(bytes))).toEqual({ d: "Date32<DAY>", undeclared: "Timestamp<MILLISECOND, UTC>" });
});

it("whole days are dates in Parquet", async () => {
  const exportFolder = await temporaryFolder();
  const file = path.join(exportFolder, "days.parquet");
  const target = { format: "parquet", path: file, csvColumns: [], onRows: () => undefined } as const;
  await writeParquet(pages(), columns, target, { exportFolder, exportMemoryMb: 512 }, AbortSignal.timeout(60_000));
  expect((await readFile(file)).byteLength).toBeGreaterThan(0);
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const read = await connection.runAndReadAll(`select typeof(d), cast(d as varchar), typeof(undeclared) from '${file}'`);
  expect(read.getRows()).toEqual([
    ["DATE", "1970-01-02", "TIMESTAMP"],
    ["DATE", "1969-12-31", "TIMESTAMP"],
    ["DATE", null, "TIMESTAMP"],
  ]);
  connection.closeSync();
});
