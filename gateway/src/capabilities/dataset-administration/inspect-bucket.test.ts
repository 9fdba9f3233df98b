import { internalDataset } from "@fairway/contract/internal-datasets";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type BucketBench, bucketBench } from "#query/bucket/test-bucket.ts";
import { engineCall } from "#testing/engine-call.ts";
import { FakeS3, fail } from "#testing/fake-s3.ts";
import { listBucket } from "./bucket-folder.ts";
import { inspectFiles } from "./inspect-files.ts";

let s3: FakeS3;
let bench: BucketBench;
beforeEach(async () => {
  s3 = await FakeS3.start();
  bench = await bucketBench({ settings: s3.settings, address: s3.address, allowed: ["lake", "archive/open"] });
});
afterEach(async () => {
  await bench.close();
  await s3.stop();
});

const call = engineCall();
const list = (within: string, next?: string) => listBucket(bench.files, { within, next }, call);
const inspect = (path: string) =>
  inspectFiles({ engine: bench.engine, buckets: bench.files, dataFolder: bench.local.folder, sampleRows: 25 }, path, call);

it("lists what the operator allows, folders first, and large folders in pages", async () => {
  s3.put("lake", "flights/2001/a.parquet", "x");
  s3.put("lake", "flights/b.csv.gz", "four");
  s3.put("lake", "flights/readme.txt", "no data");
  s3.put("lake", "flights/", "");
  s3.put("lake", "flights/c.json", "{}");
  expect(await list("")).toEqual({
    entries: [
      { name: "archive/open", path: "s3://archive/open", kind: "folder", bytes: null },
      { name: "lake", path: "s3://lake", kind: "folder", bytes: null },
    ],
    next: null,
  });
  expect((await list("s3://lake")).entries).toEqual([{ name: "flights", path: "s3://lake/flights", kind: "folder", bytes: null }]);
  expect((await list("s3://lake/flights")).entries).toEqual([
    { name: "2001", path: "s3://lake/flights/2001", kind: "folder", bytes: null },
    { name: "b.csv.gz", path: "s3://lake/flights/b.csv.gz", kind: "file", bytes: 4 },
    { name: "c.json", path: "s3://lake/flights/c.json", kind: "file", bytes: 2 },
  ]);
  s3.pageKeys = 2;
  const first = await list("s3://lake/flights");
  const second = await list("s3://lake/flights", first.next ?? "");
  expect([first.entries.length, second.entries.map(({ name }) => name)]).toEqual([2, ["c.json"]]);
});

it("lists and inspects nothing else", async () => {
  s3.put("archive", "closed/a.csv", "n\n1\n");
  s3.put("archive", "openly/a.csv", "n\n1\n");
  for (const path of ["s3://archive", "s3://archive/closed", "s3://archive/openly", "s3://other", "s3://archive/open/../closed"]) {
    const code = path.includes("..") ? "not-found" : "not-supported";
    await expect(list(path)).rejects.toMatchObject({ code });
    await expect(inspect(path)).rejects.toMatchObject({ code });
  }
  for (const path of ["s3://", "s3://l", "http://lake/x", "lake", "s3://lake//x", "s3://lake/a\0b"])
    await expect(list(path)).rejects.toMatchObject({ code: "not-found" });
  expect(s3.requests).toEqual([]);
  s3.put("lake", "docs/readme.txt", "words");
  await expect(inspect("s3://lake/absent")).rejects.toMatchObject({ code: "not-found" });
  await expect(inspect("s3://lake/docs")).rejects.toMatchObject({ code: "not-supported" });
  await expect(inspect("s3://lake/absent.csv")).rejects.toMatchObject({ code: "not-found" });
  s3.put("lake", "broken.parquet", "not parquet, but long enough");
  await expect(inspect("s3://lake/broken.parquet")).rejects.toMatchObject({ code: "not-supported" });
  s3.fault = (_, response) => (fail(response, 403, "AccessDenied"), true);
  await expect(list("s3://lake")).rejects.toMatchObject({ reason: "upstream" });
});

it("proposes a dataset of a folder with filters on its partitions, of which it copies one file", async () => {
  for (const day of [1, 2, 3]) {
    s3.put(
      "lake",
      `sea/ships/day=2024-01-0${day}/a.parquet`,
      await bench.fileOf(
        `select 'A' || i % 5 as callsign, timestamp '2024-01-0${day}' + i * interval '1 minute' as observed from range(40) t(i)`,
      ),
    );
  }
  const found = await inspect("s3://lake/sea/ships");
  expect(found.files).toBe(3);
  expect(found.sample).toHaveLength(25);
  expect(found.dataset).toMatchObject({
    id: "ships",
    category: "Lake",
    source: { kind: "files", glob: "s3://lake/sea/ships/**/*.parquet", format: "parquet" },
    temporalField: "observed",
    filterSupport: { staticFilters: [{ name: "day", required: true, type: "TIMESTAMP_SECONDS", operator: ">=" }] },
  });
  expect(found.notes).toContain("The data is partitioned by 'day': a search that filters by it reads only a part of the data.");
  expect(internalDataset.safeParse(found.dataset).error).toBeUndefined();
  expect(bench.cache.metrics.files).toBe(1);
});

it("proposes a dataset of a single file, whatever its name", async () => {
  s3.put("lake", "odd [1]*.csv", "item,price\npear,1.5\n");
  const found = await inspect("s3://lake/odd [1]*.csv");
  expect(found).toMatchObject({
    files: 1,
    dataset: { id: "odd-1", source: { glob: "s3://lake/odd [[]1][*].csv", format: "csv" } },
    sample: [{ item: "pear", price: 1.5 }],
  });
});
