import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defaultLimits } from "@fairway/contract/limits";
import { expect, it } from "vitest";
import { fileKey } from "#storage/key.ts";
import { ownDataApp } from "#testing/own-data-app.ts";
import { storeFile } from "./stored-files.ts";

const rowsOf = (app: Awaited<ReturnType<typeof ownDataApp>>) =>
  app.gateway.database.pool.query<{ bytes: string; dropped: boolean }>(
    "select bytes, dropped_at is not null as dropped from own_data_files",
  );

it("a file that is stored while its import is discarded goes with the next cleaning, and takes no room", async () => {
  const app = await ownDataApp();
  const { db } = app.gateway.database;
  const { id } = await app.upload("ada", { "things.csv": "a\n1\n" });
  const row = await db.selectFrom("imports").select(["id", "user_id"]).executeTakeFirstOrThrow();
  const key = fileKey(id, "rows-late.parquet");
  const path = join(app.root, "own-data", "kept", key);
  const storing = storeFile({ db, limits: defaultLimits, files: app.files }, { key, import: row, bytes: 4, name: "rows" }, async () => {
    expect(await app.call("ada", "DELETE", `/imports/${id}`)).toMatchObject({ status: 204 });
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "rows");
  });
  await expect(storing).rejects.toThrow("interrupted: lost");
  await app.purge();
  expect(await app.stored()).toEqual([]);
  expect((await rowsOf(app)).rows.every(({ bytes, dropped }) => bytes === "0" && dropped)).toBe(true);
  await app.gateway.database.pool.query("update own_data_files set dropped_at = dropped_at - interval '2 hours'");
  await app.purge();
  expect((await rowsOf(app)).rows).toEqual([]);
});

it("a file that cannot be stored takes no room", async () => {
  const app = await ownDataApp();
  const { db } = app.gateway.database;
  const { id } = await app.upload("ada", { "things.csv": "a\n1\n" });
  const row = await db.selectFrom("imports").select(["id", "user_id"]).executeTakeFirstOrThrow();
  const file = { key: fileKey(id, "rows-1.parquet"), import: row, bytes: 4, name: "rows" };
  await expect(storeFile({ db, limits: defaultLimits, files: app.files }, file, () => Promise.reject(new Error("full")))).rejects.toThrow(
    "full",
  );
  await app.purge();
  expect((await rowsOf(app)).rows.toSorted((a, b) => Number(a.bytes) - Number(b.bytes))).toEqual([
    { bytes: "0", dropped: true },
    { bytes: "4", dropped: false },
  ]);
});

it("removes what ended runs have left unfinished, and leaves what a running one writes", async () => {
  const app = await ownDataApp();
  const { id } = await app.read("ada", { "things.csv": "a\n1\n" });
  await app.gateway.database.pool.query("update imports set status = 'creating', attempt = 7, alive_at = now()");
  const scratch = join(app.root, "own-data", "scratch");
  const names = [`${id}.6.x.parquet`, `${id}.7.x.parquet`, "something else"];
  for (const name of names) await writeFile(join(scratch, name), "x");
  await app.purge();
  expect((await readdir(scratch)).toSorted()).toEqual([`${id}.7.x.parquet`, "something else"].toSorted());
});
