import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OwnData } from "@fairway/contract/own-datasets";
import { expect, it, onTestFinished } from "vitest";
import { localDiskStores } from "#storage/local-disk.ts";
import { ownDataApp } from "#testing/own-data-app.ts";
import { moveFiles } from "./move-files.ts";

const rows = `name,size\n${Array.from({ length: 50 }, (_, index) => `n${index},${index}`).join("\n")}\n`;

/** A gateway whose own data is on the disk, and a bucket. */
async function diskAndBucket() {
  const folder = await mkdtemp(join(tmpdir(), "fairway-moves-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const buckets = localDiskStores(folder);
  const app = await ownDataApp({ bucket: { name: "", stores: buckets } });
  const { db, pool } = app.gateway.database;
  const move = async (to: string) => {
    const moved = await moveFiles({ db, stores: app.files.stores }, to);
    // As if a gateway had looked anew, which it does within minutes.
    app.files.stores.forget();
    return moved;
  };
  const inBucket = async () => {
    const entries = await readdir(join(folder, "own", "kept"), { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).length;
  };
  const onDisk = async () => (await app.stored()).length;
  const count = async (name = "things") =>
    (await app.call<{ rows: number }>("ada", "POST", `/datasets/~ada/${name}/rowCount`, {})).body.rows;
  const used = async () => (await app.call<OwnData>("ada", "GET", "/ownDatasets")).body.room.bytes;
  /** Lets an hour pass, and removes what is not needed any more. */
  const anHourLater = async () => {
    await pool.query("update own_data_files set other_at = other_at - interval '2 hours', dropped_at = dropped_at - interval '2 hours'");
    await app.purge();
  };
  return { app, db, pool, bucket: await buckets.of("own"), move, inBucket, onDisk, count, used, anHourLater };
}

it("moves files to a bucket and back, and counts each once", async () => {
  const { app, move, inBucket, onDisk, count, used, anHourLater } = await diskAndBucket();
  await app.dataset("ada", "things", rows);
  const running = await app.read("ada", { "more.csv": rows });
  const bytes = await used();
  expect(await move("own")).toMatchObject({ files: 2, left: 0, ofImports: 1, damaged: [] });
  expect([await count(), await used(), await inBucket(), await onDisk()]).toEqual([50, bytes, 2, 3]);
  // Other gateways may still read the files on the disk.
  await app.purge();
  expect(await onDisk()).toBe(3);
  expect(await move("own")).toMatchObject({ files: 0, left: 0, damaged: [] });
  await anHourLater();
  expect([await count(), await used(), await inBucket(), await onDisk()]).toEqual([50, bytes, 2, 1]);

  await app.call("ada", "POST", `/imports/${running.id}/dataset`, { name: "more" });
  expect(await app.settled("ada", running.id)).toMatchObject({ status: "done" });
  expect(await move("")).toMatchObject({ files: 2, left: 0 });
  await anHourLater();
  expect([await count(), await count("more"), await inBucket(), await onDisk()]).toEqual([50, 50, 0, 4]);
});
