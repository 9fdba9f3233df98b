import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OwnData } from "@fairway/contract/own-datasets";
import { expect, it, onTestFinished } from "vitest";
import { fileKey } from "#storage/key.ts";
import { localDiskStores } from "#storage/local-disk.ts";
import { ownDataApp } from "#testing/own-data-app.ts";
import { beginMove } from "./file-moves.ts";
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

it("repeats a move that was interrupted, and leaves nothing of one that is given up", async () => {
  const { app, db, bucket, move, inBucket, onDisk, count, anHourLater } = await diskAndBucket();
  await app.dataset("ada", "things", rows);
  const [first = ""] = await app.stored();
  const half = async () => {
    expect(await beginMove(db, { key: first, from: "", to: "own" })).toBe(true);
    await bucket.write(fileKey(first), (async function* () {})(), 10);
  };
  await half();
  await anHourLater();
  expect([await count(), await inBucket(), await onDisk()]).toEqual([50, 0, 2]);
  await half();
  expect(await move("other")).toMatchObject({ files: 1, left: 1 });
  await anHourLater();
  await half();
  expect(await move("own")).toMatchObject({ files: 2, left: 0 });
  await anHourLater();
  expect([await count(), await inBucket(), await onDisk()]).toEqual([50, 2, 0]);
});

it("leaves no copy of a dataset that is deleted while its files are moved, and moves no damaged file", async () => {
  const { app, db, bucket, move, inBucket, onDisk, anHourLater } = await diskAndBucket();
  const { dataset } = await app.dataset("ada", "things", rows);
  const [first = "", second = ""] = await app.stored();
  await rm(join(app.root, "own-data", "kept", second));
  expect(await beginMove(db, { key: first, from: "", to: "own" })).toBe(true);
  await bucket.write(fileKey(first), (async function* () {})(), 10);
  expect((await app.call("ada", "DELETE", `/ownDatasets/${dataset?.id}?now=true`)).status).toBe(204);
  expect([await inBucket(), await onDisk()]).toEqual([0, 0]);
  await anHourLater();

  await app.dataset("ada", "others", rows);
  const [gone = ""] = await app.stored();
  await rm(join(app.root, "own-data", "kept", gone));
  expect(await move("own")).toMatchObject({ files: 1, damaged: [gone] });
});
