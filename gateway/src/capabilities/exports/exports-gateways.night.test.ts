import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileKey } from "#storage/key.ts";
import type { FileStores } from "#storage/storage.ts";
import { BlockedExports, exportsApp, noFiles } from "#testing/exports-app.ts";

const app = await exportsApp();
const csv = { format: "csv" };

/** Stores that block `moveIn` until `release` is called. */
function blockedStores() {
  let release = () => {};
  const blocked = new Promise<void>((resolve) => (release = resolve));
  let start = () => {};
  const started = new Promise<void>((resolve) => (start = resolve));
  const stores = (real: FileStores): FileStores => ({
    of: async (bucket) => {
      const store = await real.of(bucket);
      return {
        ...store,
        moveIn: async (key, path) => {
          start();
          await blocked;
          return store.moveIn(key, path);
        },
      };
    },
  });
  return { stores, started, release };
}

describe("two gateways", () => {
  it("can cancel each other's exports, which stops the query", async () => {
    const blocked = new BlockedExports();
    const [a, b] = [await app.open({ engine: blocked.engine }), await app.open()];
    const exportId = await app.startExport(a, "ada", csv);
    await app.waitForState(b, "ada", exportId, ({ rows }) => rows > 0);
    expect((await app.call(b, "ada", "DELETE", `/exports/${exportId}`)).status).toBe(204);
    expect(await app.stateOf(b, "ada", exportId)).toMatchObject({ status: "cancelled" });
    expect(b.reported.all).toContainEqual({ topic: "exports", id: exportId, audience: { users: ["ada"] } });
    await expect.poll(() => [blocked.interrupted, a.service.running], { timeout: 10_000 }).toEqual([1, 0]);
    expect(await app.files()).toEqual(noFiles);
  });

  it("share the limit per user, but each has its own slots", async () => {
    const blocked = new BlockedExports();
    const limits = { exportsAtOnce: 1 };
    const [a, b] = [await app.open({ engine: blocked.engine, limits }), await app.open({ engine: blocked.engine, limits })];
    await app.startExport(a, "ada", csv);
    expect((await app.requestExport(b, "ada", csv)).status).toBe(429);
    expect((await app.requestExport(a, "bob", csv)).status).toBe(503);
    await app.startExport(b, "bob", csv);
  });
});

describe("a gateway that stops", () => {
  it("leaves its running export to another one, which restarts it", async () => {
    const blocked = new BlockedExports();
    const a = await app.open({ engine: blocked.engine });
    const exportId = await app.startExport(a, "ada", csv);
    await app.waitForState(a, "ada", exportId, ({ rows }) => rows > 0);
    await a.close();
    expect([blocked.interrupted, await app.files()]).toEqual([1, noFiles]);
    const b = await app.open();
    expect(await app.waitForEnd(b, "ada", exportId)).toMatchObject({ status: "done", rows: 1_000 });
    expect(b.counters).toMatchObject({ rows: 1_000, failures: 0 });
  });

  it("keeps finished exports for its next start", async () => {
    const before = await app.open({ alone: true });
    const { exportId, file } = await app.exportFile(before, csv);
    await before.close();
    const after = await app.open({ alone: true });
    expect((await app.call(after, "ada", "GET", `/exports/${exportId}/file`)).text).toBe(file.text);
  });
});

describe("a crashed gateway", () => {
  it("leaves nothing to download between query and store, and the next gateway restarts the export", async () => {
    const store = blockedStores();
    const crashed = await app.open({ stores: store.stores });
    const exportId = await app.startExport(crashed, "ada", csv);
    await store.started;
    expect(await app.files()).toEqual({ scratch: [`${exportId}.1.csv`], kept: [] });
    expect((await app.call(crashed, "ada", "GET", `/exports/${exportId}/file`)).status).toBe(409);
    await app.backdate(exportId, "alive_at", 3_600);
    const b = await app.open();
    expect(await app.waitForEnd(b, "ada", exportId)).toMatchObject({ status: "done", rows: 1_000 });
    expect((await app.call(b, "ada", "GET", `/exports/${exportId}/file`)).text.split("\r\n")).toHaveLength(1_002);
    store.release();
    await expect.poll(() => crashed.service.running, { timeout: 10_000 }).toBe(0);
    expect(await app.files()).toEqual({ scratch: [], kept: [`${exportId}.2.csv`] });
  });

  it("resumes at its next start without a timeout if it has the database to itself", async () => {
    const blocked = new BlockedExports();
    const exportId = await app.startExport(await app.open({ engine: blocked.engine }), "ada", csv);
    const next = await app.open({ alone: true });
    expect(await app.waitForEnd(next, "ada", exportId)).toMatchObject({ status: "done", rows: 1_000 });
  });

  it("fails an export after repeated attempts", async () => {
    const blocked = new BlockedExports();
    const exportId = await app.startExport(await app.open({ engine: blocked.engine }), "ada", csv);
    for (const runs of [2, 3]) {
      await app.open({ engine: blocked.engine, alone: true });
      await expect.poll(() => blocked.started).toBe(runs);
    }
    const last = await app.open({ alone: true });
    expect(await app.waitForEnd(last, "ada", exportId)).toMatchObject({
      status: "failed",
      failure: "The export was interrupted several times. Start it again.",
      file: null,
    });
    await expect.poll(() => [blocked.interrupted, last.counters.failures], { timeout: 10_000 }).toEqual([3, 1]);
  });

  it("leaves files that the next one removes", async () => {
    const { exportFolder } = app.base.bench;
    const gateway = await app.open();
    const { exportId } = await app.exportFile(gateway, csv);
    await writeFile(join(exportFolder, `${exportId}.7.csv`), "left");
    await mkdir(join(exportFolder, `${exportId}.7.csv.spill`));
    const store = await app.store();
    for (const key of ["gone.1.csv", `${exportId}.7.csv`]) await store.write(fileKey(key), (async function* () {})(), 0);
    await app.open();
    await expect.poll(() => app.files()).toEqual({ scratch: [], kept: [`${exportId}.1.csv`] });
  });

  it("of the first release keeps its files until it can no longer need them", async () => {
    const { exportFolder } = app.base.bench;
    const hours = 3_600_000;
    for (const [name, ageMs] of [
      ["just-written.csv", 0],
      ["still-kept.parquet", 1 * hours],
      ["long-ended.csv", 2 * hours],
    ] as const) {
      await writeFile(join(exportFolder, name), "rows");
      await utimes(join(exportFolder, name), new Date(), new Date(Date.now() - ageMs));
    }
    await app.open();
    await expect.poll(async () => (await app.files()).scratch.toSorted()).toEqual(["just-written.csv", "still-kept.parquet"]);
    await app.open({ alone: true });
    await expect.poll(async () => (await app.files()).scratch).toEqual([]);
  });
});
