import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { ExportFormat, ExportManifest } from "@fairway/contract/exports";
import { describe, expect, it } from "vitest";
import { shownRows } from "#testing/arrow-table.ts";
import { exportsApp } from "#testing/exports-app.ts";

const app = await exportsApp();
const timeRange = { start: "2020-01-01T00:00:00Z", end: "2020-01-01T00:09:59Z" };
const breakdown = {
  search: { timeRange },
  by: [{ kind: "time", unit: "minute", size: 5 }],
  measures: [{ aggregation: "count" }, { aggregation: "min", column: "at" }],
  compare: { to: "before" },
};
const start = new Date(timeRange.start).getTime();

async function exported(format: ExportFormat, body: object = breakdown) {
  const gateway = await app.open();
  const started = await app.call<{ exportId: string }>(gateway, "ada", "POST", "/datasets/Tests/rows/breakdown/export", {
    format,
    breakdown: body,
  });
  expect([started.status, started.body]).toEqual([202, expect.anything()]);
  const { exportId } = started.body;
  const state = await app.waitForEnd(gateway, "ada", exportId);
  const file = await app.call<object[]>(gateway, "ada", "GET", `/exports/${exportId}/file`);
  const manifest = await app.call<ExportManifest>(gateway, "ada", "GET", `/exports/${exportId}/manifest`);
  return { state, file, manifest: manifest.body };
}

describe("an exported breakdown", () => {
  it("is a row for each cell, with both ends of times, and what it was before", async () => {
    const { state, file, manifest } = await exported("json");
    expect(state).toMatchObject({ status: "done", rows: 2, totalRows: 2, cut: false });
    expect(file.body[0]).toMatchObject({ at: "2020-01-01T00:00", "at from": start, "at to": start + 300_000, "count(*) before": 0 });
    expect(Object.keys(file.body[0] ?? {})).toEqual([
      "at",
      "at from",
      "at to",
      "count(*)",
      "count(*) before",
      "count(*) change",
      "min(at)",
      "min(at) before",
      "min(at) change",
    ]);
    expect(manifest).toMatchObject({
      columns: Object.keys(file.body[0] ?? {}),
      breakdown: { measures: breakdown.measures },
      query: { timeRange },
    });
  });

  it("is the same as CSV, Parquet and Arrow", async () => {
    const json = (await exported("json")).file.body as Record<string, unknown>[];
    const csv = (await exported("csv")).file.text.split("\r\n");
    expect(csv[1]?.split(",").slice(0, 3)).toEqual(["2020-01-01T00:00", "2020-01-01T00:00:00.000Z", "2020-01-01T00:05:00.000Z"]);
    const copy = join(app.base.bench.folder, "copy.parquet");
    await writeFile(copy, (await exported("parquet")).file.bytes);
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const rows = await connection.runAndReadAll(
      `select "at", epoch_ms("at from")::double as "at from", "count(*)"::integer as "count(*)" from '${copy}'`,
    );
    const wanted = json.map((row) => ({ at: row["at"], "at from": row["at from"], "count(*)": row["count(*)"] }));
    expect(rows.getRowObjectsJson()).toEqual(wanted);
    expect(shownRows([(await exported("arrow")).file.bytes])).toHaveLength(2);
  });

  it("holds all groups, however many a list shows", async () => {
    const { state, file } = await exported("csv", {
      search: {},
      by: [{ kind: "value", column: "id" }],
      measures: [{ aggregation: "count" }],
    });
    expect([state.status, state.rows, file.text.split("\r\n").length]).toEqual(["done", state.totalRows, state.rows + 2]);
  });

  it("is refused as the breakdown is", async () => {
    const gateway = await app.open();
    const body = { format: "csv", breakdown: { search: {}, measures: [{ aggregation: "mode", column: "id" }] } };
    const { status } = await app.call(gateway, "ada", "POST", "/datasets/Tests/rows/breakdown/export", body);
    expect(status).toBe(400);
  });
});
