import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import type { FileStore } from "#storage/storage.ts";
import { shownRows } from "#testing/arrow-table.ts";
import { exportsApp, narrowed } from "#testing/exports-app.ts";

const app = await exportsApp();

describe("an export", () => {
  it("as Parquet contains the rows of the search with their types", async () => {
    const { file } = await app.exportFile(await app.open(), { format: "parquet", search: narrowed });
    const copy = join(app.base.bench.folder, "copy.parquet");
    await writeFile(copy, file.bytes);
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const response = await connection.runAndReadAll(`select id::integer as id, name, real, epoch_ms("at")::double as "at" from '${copy}'`);
    expect(response.getRowObjectsJson()).toEqual(await app.searchRows(narrowed));
    connection.closeSync();
    instance.closeSync();
  });

  it("as Arrow contains the rows of the search with their types", async () => {
    const gateway = await app.open();
    const { state, file } = await app.exportFile(gateway, { format: "arrow", search: narrowed });
    expect(shownRows(file.bytes)).toEqual(await app.searchRows(narrowed));
    expect(state).toMatchObject({ rows: 480, totalRows: 480, file: { name: "Tests_rows.arrows", bytes: file.bytes.length } });
    expect(file.headers["content-type"]).toBe("application/vnd.apache.arrow.stream");
    const refused = await app.requestExport(gateway, "ada", { format: "arrow", columns: ["id"] });
    expect([refused.status, refused.body]).toMatchObject([400, { errors: [{ code: "not-supported", path: "columns" }] }]);
  });

  it("is not marked as cut with exactly the operator's limit of rows", async () => {
    const gateway = await app.open({ limits: { exportMaxRows: 1_000 } });
    for (const id of ["rows", "uncounted"]) {
      const { state } = await app.exportFile(gateway, { format: "json" }, id);
      expect(state).toMatchObject({ rows: 1_000, cut: false, file: { name: `Tests_${id}.json` } });
    }
  });

  it("has the size of its file, however long the store takes to keep it", async () => {
    const { pool } = app.base.database;
    const reports = async () => (await pool.query<{ at: Date }>("select alive_at as at from exports where status = 'running'")).rows[0]?.at;
    const gateway = await app.open({
      stores: (real) => ({
        of: async (bucket) => {
          const store = await real.of(bucket);
          const moveIn: FileStore["moveIn"] = async (key, path) => {
            const info = await store.moveIn(key, path);
            const movedAt = await reports();
            await expect.poll(reports, { timeout: 20_000 }).not.toEqual(movedAt);
            return info;
          };
          return new Proxy(store, {
            get: (target, name) => {
              const value: unknown = name === "moveIn" ? moveIn : Reflect.get(target, name, target);
              return typeof value === "function" ? (value.bind(target) as unknown) : value;
            },
          });
        },
      }),
    });
    const { state, file } = await app.exportFile(gateway, { format: "csv" });
    expect([file.status, state.file?.bytes]).toEqual([200, file.bytes.length]);
    expect(file.bytes.length).toBeGreaterThan(1_000);
  });
});
