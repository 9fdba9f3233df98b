import { expect, it, vi } from "vitest";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { OwnStores } from "./own-stores.ts";

it("knows buckets by the setting and by rows, the place of each file, and the disk while the database is away", async () => {
  const { db, pool } = await testDatabaseForOneTest();
  const disk = {} as never;
  const open = (bucket: string) => new OwnStores({ db, bucket, disk, s3: () => Promise.resolve(undefined) });
  const stores = open("");
  expect([await stores.buckets(), await stores.elsewhere(["a/1"])]).toEqual([new Set(), undefined]);
  expect(await open("own").buckets()).toEqual(new Set(["own"]));
  await pool.query(
    "insert into own_data_files (key, bytes, name, bucket, other_bucket) values ('a/1', 1, 'a', 'own', null), ('a/2', 1, 'a', '', 'former')",
  );
  expect(await stores.buckets()).toEqual(new Set());
  stores.lookForBuckets();
  expect(await stores.buckets()).toEqual(new Set(["own", "former"]));
  expect(await stores.locate(["a/1", "a/2", "a/3"])).toEqual(
    new Map([
      ["a/1", "own"],
      ["a/2", ""],
      ["a/3", ""],
    ]),
  );
  expect(await stores.of("")).toBe(disk);
  await expect(stores.elsewhere(["a/1"])).rejects.toThrow(
    "Own data is in the bucket 'own', but the enabled Configuration names no S3 service.",
  );
  const away = vi.spyOn(db, "selectFrom").mockImplementation(() => {
    throw new DatabaseUnavailable("away", {});
  });
  stores.lookForBuckets();
  expect(await stores.buckets()).toEqual(new Set(["own", "former"]));
  await expect(open("").buckets()).rejects.toThrow(DatabaseUnavailable);
  away.mockRestore();
  await pool.query("delete from own_data_files");
  expect(await stores.buckets()).toEqual(new Set());
});
