import { describe, expect, it } from "vitest";
import { BlockedExports, exportsApp, noFiles } from "#testing/exports-app.ts";

const app = await exportsApp();
const csv = { format: "csv" };

describe("a running export", () => {
  it("reports its progress, has no file yet, and is canceled in the engine", async () => {
    const held = new BlockedExports();
    const at = await app.open({ engine: held.engine });
    const exportId = await app.started(at, "ada", csv);
    const state = await app.until(at, "ada", exportId, ({ rows, totalRows }) => rows > 0 && totalRows !== null);
    expect(state).toMatchObject({ status: "running", rows: 10, totalRows: 1_000, file: null });
    expect((await app.call(at, "ada", "GET", `/exports/${exportId}/file`)).status).toBe(409);
    expect((await app.call(at, "ada", "DELETE", `/exports/${exportId}`)).status).toBe(204);
    expect([at.service.running, held.interrupted]).toEqual([0, 1]);
    expect(await app.stateOf(at, "ada", exportId)).toMatchObject({ status: "cancelled", file: null });
    expect(await app.files()).toEqual(noFiles);
    expect((await app.call(at, "ada", "GET", `/exports/${exportId}/file`)).status).toBe(409);
  });

  it("blocks a second export of its owner, and those of others when all slots are taken", async () => {
    const at = await app.open({ limits: { exportsAtOnce: 2 }, engine: new BlockedExports().engine });
    await app.started(at, "ada", csv);
    const second = await app.start(at, "ada", csv);
    expect([second.status, second.headers["retry-after"]]).toEqual([429, "10"]);
    expect(second.body).toMatchObject({ errors: [{ code: "too-many-requests", message: expect.stringContaining("running already") }] });
    await app.started(at, "bob", csv);
    const third = await app.start(at, "eve", csv);
    expect([third.status, third.headers["retry-after"]]).toEqual([503, "15"]);
    expect(third.body).toMatchObject({ errors: [{ code: "engine-busy" }] });
    expect((await app.start(at, "ada", csv)).status).toBe(429);
  });

  it("lets only one of several concurrent calls start, across gateways", async () => {
    const held = new BlockedExports();
    const [a, b] = [await app.open({ engine: held.engine }), await app.open({ engine: held.engine })];
    const responses = await Promise.all([a, b, a, b].map((at) => app.start(at, "ada", csv)));
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([202, 429, 429, 429]);
  });
});

describe("export files", () => {
  it("are removed when they expire", async () => {
    const at = await app.open({ limits: { exportKeepMinutes: 60 } });
    const { exportId } = await app.exported(at, csv);
    await app.age(exportId, "finished_at", 59 * 60);
    expect((await app.call(at, "ada", "GET", `/exports/${exportId}/file`)).status).toBe(200);
    await app.age(exportId, "finished_at", 2 * 60);
    for (const rest of ["", "/file", "/manifest"]) {
      expect((await app.call(at, "ada", "GET", `/exports/${exportId}${rest}`)).status).toBe(404);
    }
    await app.open();
    await expect.poll(() => app.files()).toEqual(noFiles);
  });

  it("are removed when their owner removes the export", async () => {
    const at = await app.open();
    const { exportId } = await app.exported(at, csv);
    expect((await app.call(at, "ada", "DELETE", `/exports/${exportId}`)).status).toBe(204);
    expect([await app.files(), (await app.call(at, "ada", "GET", `/exports/${exportId}`)).status]).toEqual([noFiles, 404]);
  });

  it("are limited per user: the oldest is removed for the next", async () => {
    const at = await app.open({ limits: { exportsKeptPerUser: 2 } });
    const other = await app.exported(at, csv, "rows", "bob");
    const mine = [];
    for (let count = 0; count < 3; count += 1) mine.push(await app.exported(at, csv));
    const statuses = await Promise.all(mine.map(async ({ exportId }) => (await app.call(at, "ada", "GET", `/exports/${exportId}`)).status));
    expect(statuses).toEqual([404, 200, 200]);
    expect((await app.call(at, "bob", "GET", `/exports/${other.exportId}/file`)).status).toBe(200);
    expect((await app.files()).kept).toHaveLength(3);
  });

  it("block new exports while the storage limit of all gateways is reached", async () => {
    const first = await app.open({ limits: { exportFilesBytes: 90_000 } });
    const done = await app.exported(first, csv);
    const size = done.state.file?.bytes ?? 0;
    const second = await app.open({ limits: { exportFilesBytes: size + 1 } });
    const small = { ...csv, search: { filters: [{ name: "id", operator: "<", value: 2 }] } };
    const stopped = await app.exported(second, small, "rows", "bob");
    expect(stopped.state).toMatchObject({ status: "failed", failure: expect.stringContaining("no room left") });
    const full = await app.open({ limits: { exportFilesBytes: size } });
    const refused = await app.start(full, "bob", small);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "600"]);
    await app.call(first, "ada", "DELETE", `/exports/${done.exportId}`);
    expect((await app.exported(full, small, "rows", "bob")).state.status).toBe("done");
  });
});
