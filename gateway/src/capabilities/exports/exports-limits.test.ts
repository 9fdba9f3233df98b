import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type QueryEngine, unfinishedRows } from "#query/engine.ts";
import { BlockedExports, exportsApp, noFiles } from "#testing/exports-app.ts";

const app = await exportsApp();
const csv = { format: "csv" };

describe("a running export", () => {
  it("reports its progress, has no file yet, and is canceled in the engine", async () => {
    const blocked = new BlockedExports();
    const gateway = await app.open({ engine: blocked.engine });
    const exportId = await app.startExport(gateway, "ada", csv);
    const state = await app.waitForState(gateway, "ada", exportId, ({ rows, totalRows }) => rows > 0 && totalRows !== null);
    expect(state).toMatchObject({ status: "running", rows: 10, totalRows: 1_000, file: null });
    expect((await app.call(gateway, "ada", "GET", `/exports/${exportId}/file`)).status).toBe(409);
    expect((await app.call(gateway, "ada", "DELETE", `/exports/${exportId}`)).status).toBe(204);
    expect([gateway.service.running, blocked.interrupted]).toEqual([0, 1]);
    expect(await app.stateOf(gateway, "ada", exportId)).toMatchObject({ status: "cancelled", file: null });
    expect(await app.files()).toEqual(noFiles);
    expect((await app.call(gateway, "ada", "GET", `/exports/${exportId}/file`)).status).toBe(409);
  });

  it("blocks a second export of its owner, and those of others when all slots are taken", async () => {
    const gateway = await app.open({ limits: { exportsAtOnce: 2 }, engine: new BlockedExports().engine });
    await app.startExport(gateway, "ada", csv);
    const second = await app.requestExport(gateway, "ada", csv);
    expect([second.status, second.headers["retry-after"]]).toEqual([429, "10"]);
    expect(second.body).toMatchObject({
      errors: [{ code: "too-many-requests", message: expect.stringContaining("already have an export running") }],
    });
    await app.startExport(gateway, "bob", csv);
    const third = await app.requestExport(gateway, "eve", csv);
    expect([third.status, third.headers["retry-after"]]).toEqual([503, "15"]);
    expect(third.body).toMatchObject({ errors: [{ code: "engine-busy" }] });
    expect((await app.requestExport(gateway, "ada", csv)).status).toBe(429);
  });

  it("lets only one of several concurrent calls start, across gateways", async () => {
    const blocked = new BlockedExports();
    const [a, b] = [await app.open({ engine: blocked.engine }), await app.open({ engine: blocked.engine })];
    const responses = await Promise.all([a, b, a, b].map((gateway) => app.requestExport(gateway, "ada", csv)));
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([202, 429, 429, 429]);
  });
});

it("counts the rows that an engine keeps for a file that is not complete as a part of it", async () => {
  const keepsRows = (real: QueryEngine): QueryEngine => {
    const engine = new BlockedExports().engine(real);
    return new Proxy(engine, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== "export") return value;
        const keptExport: QueryEngine["export"] = async (dataset, query, file, call) => {
          const folder = unfinishedRows(file);
          await mkdir(folder, { recursive: true });
          try {
            await writeFile(path.join(folder, "rows.csv"), "x".repeat(20_000));
            return (await target.export?.(dataset, query, file, call)) ?? 0;
          } finally {
            await rm(folder, { recursive: true });
          }
        };
        return keptExport;
      },
    });
  };
  const gateway = await app.open({ limits: { exportFilesBytes: 10_000 }, engine: keepsRows });
  const { state } = await app.exportFile(gateway, { format: "parquet" });
  expect(state).toMatchObject({ status: "failed", failure: expect.stringContaining("storage for exports is full") });
  expect(await app.files()).toEqual(noFiles);
});

describe("export files", () => {
  it("are removed when they expire", async () => {
    const gateway = await app.open({ limits: { exportKeepMinutes: 60 } });
    const { exportId } = await app.exportFile(gateway, csv);
    await app.backdate(exportId, "finished_at", 59 * 60);
    expect((await app.call(gateway, "ada", "GET", `/exports/${exportId}/file`)).status).toBe(200);
    await app.backdate(exportId, "finished_at", 2 * 60);
    for (const rest of ["", "/file", "/manifest"]) {
      expect((await app.call(gateway, "ada", "GET", `/exports/${exportId}${rest}`)).status).toBe(404);
    }
    await app.open();
    await expect.poll(() => app.files()).toEqual(noFiles);
  });

  it("are removed when their owner removes the export", async () => {
    const gateway = await app.open();
    const { exportId } = await app.exportFile(gateway, csv);
    expect((await app.call(gateway, "ada", "DELETE", `/exports/${exportId}`)).status).toBe(204);
    expect([await app.files(), (await app.call(gateway, "ada", "GET", `/exports/${exportId}`)).status]).toEqual([noFiles, 404]);
  });

  it("are limited per user: the oldest is removed for the next", async () => {
    const gateway = await app.open({ limits: { exportsKeptPerUser: 2 } });
    const other = await app.exportFile(gateway, csv, "rows", "bob");
    const mine = [];
    for (let count = 0; count < 3; count += 1) mine.push(await app.exportFile(gateway, csv));
    const statuses = await Promise.all(
      mine.map(async ({ exportId }) => (await app.call(gateway, "ada", "GET", `/exports/${exportId}`)).status),
    );
    expect(statuses).toEqual([404, 200, 200]);
    expect((await app.call(gateway, "bob", "GET", `/exports/${other.exportId}/file`)).status).toBe(200);
    expect((await app.files()).kept).toHaveLength(3);
  });

  it("block new exports while the storage limit of all gateways is reached", async () => {
    const first = await app.open({ limits: { exportFilesBytes: 90_000 } });
    const done = await app.exportFile(first, csv);
    const size = done.state.file?.bytes ?? 0;
    const second = await app.open({ limits: { exportFilesBytes: size + 1 } });
    const small = { ...csv, search: { filters: [{ name: "id", operator: "<", value: 2 }] } };
    const stopped = await app.exportFile(second, small, "rows", "bob");
    expect(stopped.state).toMatchObject({ status: "failed", failure: expect.stringContaining("storage for exports is full") });
    const full = await app.open({ limits: { exportFilesBytes: size } });
    const refused = await app.requestExport(full, "bob", small);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "600"]);
    await app.call(first, "ada", "DELETE", `/exports/${done.exportId}`);
    expect((await app.exportFile(full, small, "rows", "bob")).state.status).toBe("done");
  });
});
