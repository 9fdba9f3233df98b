import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { DataImport } from "@fairway/contract/imports";
import type { OwnData } from "@fairway/contract/own-datasets";
import { expect, it, onTestFinished } from "vitest";
import { localDiskStores } from "#storage/local-disk.ts";
import { type FileStores, StoreFailed } from "#storage/storage.ts";
import { adasPassword } from "#testing/identity-app.ts";
import { ownDataApp } from "#testing/own-data-app.ts";
import { accessTokenOf } from "#testing/signed-in.ts";

const bucketName = "own-bucket";
const rowsOf = (count: number, from = 0) =>
  `name,size\n${Array.from({ length: count }, (_, index) => `n${from + index},${from + index}`).join("\n")}\n`;

/** Stores with one bucket, which can be made unreachable. */
async function bucketStores() {
  const folder = await mkdtemp(join(tmpdir(), "fairway-bucket-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const stores = localDiskStores(folder);
  const state = { isAway: false };
  const s3: FileStores = {
    of: async (bucket) => {
      if (state.isAway) throw new StoreFailed("The file store cannot be reached.");
      return stores.of(bucket);
    },
  };
  const objects = async (): Promise<string[]> => {
    const entries = await readdir(join(folder, bucketName, "kept"), { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath.split("/").at(-1)}/${name}`);
  };
  return { s3, objects, state };
}

it("keeps own data in a bucket from the upload to the removal, and reads copies of it", async () => {
  const { s3, objects } = await bucketStores();
  const app = await ownDataApp({ bucket: { name: bucketName, stores: s3 } });
  const { pool } = app.gateway.database;
  const count = async (name: string) => (await app.call<{ rows: number }>("ada", "POST", `/datasets/~ada/${name}/rowCount`, {})).body.rows;

  const made = await app.dataset("ada", "things", rowsOf(500));
  expect(made).toMatchObject({ status: "done" });
  expect((await objects()).map((key) => key.replace(/rows-.*/, "rows"))).toEqual(
    expect.arrayContaining([`${made.id}/rows`, expect.stringMatching(new RegExp(`^${made.id}/1`))]),
  );
  expect(await app.stored()).toEqual([]);
  expect(await count("things")).toBe(500);
  const found = await app.call<{ result: unknown[] }>("ada", "POST", "/datasets/~ada/things/search", {});
  expect([found.status, JSON.stringify(found.body).includes("n499")]).toEqual([200, true]);

  const added = await app.read(
    "ada",
    { "more.csv.gz": gzipSync(rowsOf(100, 500)) },
    { into: { datasetCategory: "~ada", datasetId: "things", mode: "append" } },
  );
  await app.call("ada", "POST", `/imports/${added.id}/dataset`, { acceptDrift: ["other-format"] });
  expect(await app.settled("ada", added.id)).toMatchObject({ status: "done" });
  expect(await count("things")).toBe(600);

  const [own] = (await app.call<OwnData>("ada", "GET", "/ownDatasets")).body.datasets;
  const token = await accessTokenOf(app.gateway, "ada", adasPassword);
  const original = await app.gateway.app.inject({ url: `/ownDatasets/${own?.id}/files/1`, headers: { authorization: `Bearer ${token}` } });
  expect([original.statusCode, original.body]).toEqual([200, rowsOf(500)]);

  const again = await app.call<DataImport>("ada", "POST", "/imports", {
    into: { datasetCategory: "~ada", datasetId: "things", mode: "read-again" },
  });
  expect(await app.settled("ada", again.body.id)).toMatchObject({ status: "ready", reading: { rows: 600 } });
  expect((await app.call("ada", "DELETE", `/imports/${again.body.id}`)).status).toBe(204);

  const { rows } = await pool.query<{ bucket: string }>("select distinct bucket from own_data_files where dataset_id is not null");
  expect(rows).toEqual([{ bucket: bucketName }]);
  expect((await app.call("ada", "DELETE", `/ownDatasets/${own?.id}?now=true`)).status).toBe(204);
  expect(await objects()).toEqual([]);
});

it("answers that the store cannot be reached, and loses nothing by it", async () => {
  const { s3, objects, state } = await bucketStores();
  const app = await ownDataApp({ bucket: { name: bucketName, stores: s3 } });
  await app.dataset("ada", "things", rowsOf(10));
  const ready = await app.read("ada", { "more.csv": rowsOf(5) });
  const before = (await objects()).length;

  state.isAway = true;
  const refused = { status: 502, body: { errors: [{ code: "upstream-failed", message: "The file store cannot be reached." }] } };
  expect(await app.call("ada", "POST", "/datasets/~ada/things/rowCount", {})).toMatchObject(refused);
  expect(await app.call("ada", "POST", "/imports", { files: [{ file: "a.csv", size: 9 }] })).toMatchObject(refused);
  await app.call("ada", "POST", `/imports/${ready.id}/dataset`, { name: "more" });
  expect(await app.settled("ada", ready.id)).toMatchObject({
    status: "failed",
    failure: { kind: "not-ready", message: "The file store cannot be reached." },
  });
  const [own] = (await app.call<OwnData>("ada", "GET", "/ownDatasets")).body.datasets;
  expect((await app.call<OwnData>("ada", "GET", "/ownDatasets")).body.datasets).toHaveLength(1);

  state.isAway = false;
  expect((await objects()).length).toBe(before);
  expect((await app.call<{ rows: number }>("ada", "POST", "/datasets/~ada/things/rowCount", {})).body.rows).toBe(10);
  await app.call("ada", "POST", `/imports/${ready.id}/dataset`, { name: "more" });
  expect(await app.settled("ada", ready.id)).toMatchObject({ status: "done" });

  state.isAway = true;
  expect((await app.call("ada", "DELETE", `/ownDatasets/${own?.id}?now=true`)).status).toBe(204);
  state.isAway = false;
  await app.purge();
  expect(await objects()).toHaveLength(2);
});

it("scans files before they reach the bucket", async () => {
  const { s3, objects } = await bucketStores();
  const folder = await mkdtemp(join(tmpdir(), "fairway-scanner-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const scanner = join(folder, "scan");
  await writeFile(scanner, '#!/bin/sh\n! grep -q harmful "$1"\n');
  await chmod(scanner, 0o700);
  const app = await ownDataApp({ bucket: { name: bucketName, stores: s3 }, scanCommand: [scanner, "{file}"] });
  const { id } = await app.upload("ada", { "things.csv": "name\nharmful\n" });
  expect(await app.call("ada", "POST", `/imports/${id}/complete`)).toMatchObject({ status: 422, body: { errors: [{ code: "infected" }] } });
  expect(await objects()).toEqual([]);
  expect(await app.dataset("ada", "clean", rowsOf(5))).toMatchObject({ status: "done" });
  expect(await objects()).toHaveLength(2);
});

it("keeps no copy of what is removed, on no gateway", async () => {
  const { s3 } = await bucketStores();
  const one = await ownDataApp({ bucket: { name: bucketName, stores: s3 } });
  const two = await ownDataApp({ bucket: { name: bucketName, stores: s3 }, peer: one });
  await one.dataset("ada", "things", rowsOf(10));
  for (const app of [one, two])
    await expect.poll(async () => (await app.call("ada", "POST", "/datasets/~ada/things/rowCount", {})).status).toBe(200);
  const copies = async () => {
    const entries = await readdir(join(one.root, "cache"), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && !entry.parentPath.includes(".parts")).length;
  };
  expect(await copies()).toBeGreaterThan(1);
  const [own] = (await one.call<OwnData>("ada", "GET", "/ownDatasets")).body.datasets;
  await one.call("ada", "DELETE", `/ownDatasets/${own?.id}?now=true`);
  await two.purge();
  expect(await copies()).toBe(0);
});

it("adds files in a bucket to a dataset on the disk, which all gateways read", async () => {
  const { s3, objects } = await bucketStores();
  const before = await ownDataApp({ bucket: { name: "", stores: s3 } });
  await before.dataset("ada", "things", rowsOf(10));
  const after = await ownDataApp({ bucket: { name: bucketName, stores: s3 }, peer: before });
  const into = { datasetCategory: "~ada", datasetId: "things", mode: "append" as const };
  const { id } = await after.read("ada", { "more.csv": rowsOf(5, 10) }, { into });
  await after.call("ada", "POST", `/imports/${id}/dataset`, {});
  expect(await after.settled("ada", id)).toMatchObject({ status: "done" });
  for (const app of [before, after]) {
    const count = async () => (await app.call<{ rows: number }>("ada", "POST", "/datasets/~ada/things/rowCount", {})).body.rows;
    await expect.poll(count).toBe(15);
  }
  // Either gateway may have written the new rows, each where its settings say.
  const [inBucket, onDisk] = [(await objects()).length, (await before.stored()).length];
  expect([inBucket + onDisk, inBucket > 0]).toEqual([4, true]);
});
