import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileKey } from "#storage/key.ts";
import type { FileStores } from "#storage/storage.ts";
import { HeldExports, exportsApp, nothingLeft } from "#testing/exports-app.ts";

const app = await exportsApp();
const csv = { format: "csv" };

/** Stores whose files are moved in only once `release` is called. */
function heldStores() {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const stores = (real: FileStores): FileStores => ({
    of: async (bucket) => {
      const store = await real.of(bucket);
      return {
        ...store,
        moveIn: async (key, path) => {
          begin();
          await held;
          return store.moveIn(key, path);
        },
      };
    },
  });
  return { stores, begun, release };
}

describe("two gateways", () => {
  it("know of the same exports: started at one, seen, downloaded and removed at the other", async () => {
    const [a, b] = [await app.open(), await app.open()];
    const exportId = await app.started(a, "ada", csv);
    expect(await app.ended(b, "ada", exportId)).toMatchObject({ status: "done", rows: 1_000, file: { name: "Tests_rows.csv" } });
    const [fromA, fromB] = [
      await app.call(a, "ada", "GET", `/exports/${exportId}/file`),
      await app.call(b, "ada", "GET", `/exports/${exportId}/file`),
    ];
    expect(fromB.text.split("\r\n")).toHaveLength(1_002);
    expect(fromB.text).toBe(fromA.text);
    const manifests = await Promise.all([a, b].map(async (at) => (await app.call(at, "ada", "GET", `/exports/${exportId}/manifest`)).body));
    expect(manifests[0]).toEqual(manifests[1]);
    expect((await app.call(b, "ada", "DELETE", `/exports/${exportId}`)).status).toBe(204);
    expect((await app.call(a, "ada", "GET", `/exports/${exportId}`)).status).toBe(404);
    expect([a.counted.rows, b.counted.rows]).toEqual([1_000, 0]);
  });

  it("cancel each other's exports: the query of the one stops", async () => {
    const held = new HeldExports();
    const [a, b] = [await app.open({ engine: held.engine }), await app.open()];
    const exportId = await app.started(a, "ada", csv);
    await app.until(b, "ada", exportId, ({ rows }) => rows > 0);
    expect((await app.call(b, "ada", "DELETE", `/exports/${exportId}`)).status).toBe(204);
    expect(await app.stateOf(b, "ada", exportId)).toMatchObject({ status: "cancelled" });
    await expect.poll(() => [held.interrupted, a.service.running], { timeout: 10_000 }).toEqual([1, 0]);
    expect(await app.files()).toEqual(nothingLeft);
  });

  it("count the exports of a user together, and each its own beside others", async () => {
    const held = new HeldExports();
    const limits = { exportsAtOnce: 1 };
    const [a, b] = [await app.open({ engine: held.engine, limits }), await app.open({ engine: held.engine, limits })];
    await app.started(a, "ada", csv);
    expect((await app.start(b, "ada", csv)).status).toBe(429);
    expect((await app.start(a, "bob", csv)).status).toBe(503);
    await app.started(b, "bob", csv);
  });

  it("leave each other's running exports alone, however often they look for abandoned ones", async () => {
    const held = new HeldExports();
    const a = await app.open({ engine: held.engine });
    const exportId = await app.started(a, "ada", csv);
    for (let count = 0; count < 3; count += 1) await (await app.open()).close();
    held.release();
    expect(await app.ended(a, "ada", exportId)).toMatchObject({ status: "done", rows: 1_000 });
    expect(a.counted.rows).toBe(1_000);
  });
});

describe("a gateway that stops", () => {
  it("leaves its running export to another one, which writes it anew", async () => {
    const held = new HeldExports();
    const a = await app.open({ engine: held.engine });
    const exportId = await app.started(a, "ada", csv);
    await app.until(a, "ada", exportId, ({ rows }) => rows > 0);
    await a.close();
    expect([held.interrupted, await app.files()]).toEqual([1, nothingLeft]);
    const b = await app.open();
    expect(await app.ended(b, "ada", exportId)).toMatchObject({ status: "done", rows: 1_000 });
    expect(b.counted).toMatchObject({ rows: 1_000, failures: 0 });
  });

  it("keeps finished exports for its next start", async () => {
    const before = await app.open({ alone: true });
    const { exportId, file } = await app.exported(before, csv);
    await before.close();
    const after = await app.open({ alone: true });
    expect((await app.call(after, "ada", "GET", `/exports/${exportId}/file`)).text).toBe(file.text);
  });
});

describe("a gateway that dies", () => {
  it("while it writes has its export taken over once it has been silent for long, and none of its work counts any more", async () => {
    const held = new HeldExports();
    const dead = await app.open({ engine: held.engine });
    const exportId = await app.started(dead, "ada", csv);
    await app.until(dead, "ada", exportId, ({ rows }) => rows > 0);
    await app.age(exportId, "alive_at", 3_600);
    const b = await app.open();
    const state = await app.ended(b, "ada", exportId);
    expect(state).toMatchObject({ status: "done", rows: 1_000 });
    // It was only asleep, and finishes now.
    held.release();
    await expect.poll(() => dead.service.running, { timeout: 10_000 }).toBe(0);
    expect([dead.counted, b.counted.rows]).toEqual([{ rows: 0, bytes: 0, failures: 0 }, 1_000]);
    expect(await app.stateOf(b, "ada", exportId)).toEqual(state);
    expect(await app.files()).toEqual({ scratch: [], kept: [`${exportId}.2.csv`] });
  });

  it("between query and store leaves nothing that can be downloaded, and the next gateway writes it anew", async () => {
    const store = heldStores();
    const dead = await app.open({ stores: store.stores });
    const exportId = await app.started(dead, "ada", csv);
    await store.begun;
    expect(await app.files()).toEqual({ scratch: [`${exportId}.1.csv`], kept: [] });
    expect((await app.call(dead, "ada", "GET", `/exports/${exportId}/file`)).status).toBe(409);
    await app.age(exportId, "alive_at", 3_600);
    const b = await app.open();
    expect(await app.ended(b, "ada", exportId)).toMatchObject({ status: "done", rows: 1_000 });
    expect((await app.call(b, "ada", "GET", `/exports/${exportId}/file`)).text.split("\r\n")).toHaveLength(1_002);
    store.release();
    await expect.poll(() => dead.service.running, { timeout: 10_000 }).toBe(0);
    expect(await app.files()).toEqual({ scratch: [], kept: [`${exportId}.2.csv`] });
  });

  it("with the database for itself goes on at its next start without waiting", async () => {
    const held = new HeldExports();
    const exportId = await app.started(await app.open({ engine: held.engine }), "ada", csv);
    const next = await app.open({ alone: true });
    expect(await app.ended(next, "ada", exportId)).toMatchObject({ status: "done", rows: 1_000 });
  });

  it("again and again because of one export has it reported as failed", async () => {
    const held = new HeldExports();
    const exportId = await app.started(await app.open({ engine: held.engine }), "ada", csv);
    for (const runs of [2, 3]) {
      await app.open({ engine: held.engine, alone: true });
      await expect.poll(() => held.begun).toBe(runs);
    }
    const last = await app.open({ alone: true });
    expect(await app.ended(last, "ada", exportId)).toMatchObject({
      status: "failed",
      failure: "The export was interrupted again and again. Start it anew.",
      file: null,
    });
    await expect.poll(() => [held.interrupted, last.counted.failures], { timeout: 10_000 }).toEqual([3, 1]);
  });

  it("leaves files that the next one removes, and so do earlier versions", async () => {
    const { exportFolder } = app.base.bench;
    const at = await app.open();
    const { exportId } = await app.exported(at, csv);
    await writeFile(join(exportFolder, "of-an-earlier-version.csv"), "left");
    await writeFile(join(exportFolder, `${exportId}.7.csv`), "left");
    await mkdir(join(exportFolder, `${exportId}.7.csv.spill`));
    const store = await app.store();
    for (const key of ["gone.1.csv", `${exportId}.7.csv`]) await store.write(fileKey(key), (async function* () {})(), 0);
    await app.open();
    await expect.poll(() => app.files()).toEqual({ scratch: [], kept: [`${exportId}.1.csv`] });
  });
});
