import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { Limits } from "@fairway/contract/limits";
import { rowsOf } from "#query/duckdb/test-files.ts";
import { parquetOf } from "#query/duckdb/test-parquet.ts";
import type { ComparisonCondition, EngineFailed, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import { FakeS3, fail } from "#testing/fake-s3.ts";
import { type BucketBench, bucketBench, cachedFiles, datasetIn } from "./test-bucket.ts";
import { Scope } from "#query/scope.ts";

const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000 };
const byNumber = (column: string, operator: ComparisonCondition["operator"], value: number): ComparisonCondition => ({
  column,
  type: "integer",
  operator,
  value: BigInt(value),
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function open(options: { limits?: Partial<Limits>; allowed?: readonly string[]; storeReadMs?: number; cacheFolder?: string } = {}) {
  const s3 = await FakeS3.start();
  closers.push(() => s3.stop());
  const bench = await openOn(s3, options);
  return { s3, bench };
}

async function openOn(
  s3: FakeS3,
  {
    storeReadMs = 5_000,
    ...options
  }: { limits?: Partial<Limits>; allowed?: readonly string[]; storeReadMs?: number; cacheFolder?: string } = {},
): Promise<BucketBench> {
  const settings = { ...s3.settings, limits: { storeConnectMs: 2_000, storeReadMs } };
  const bench = await bucketBench({ ...options, settings, address: s3.address });
  closers.push(() => bench.close());
  return bench;
}

const search = async ({ engine }: BucketBench, dataset: QueryableDataset, query: Partial<SearchQuery> = {}, signal?: AbortSignal) =>
  rowsOf(await engine.search(dataset, { ...all, ...query }, signal === undefined ? call : engineCall(signal)));

const failureOf = (promise: Promise<unknown>): Promise<[string, string]> =>
  promise.then(
    () => ["answered", ""],
    ({ reason, message }: EngineFailed) => [reason, message],
  );

const numbers = datasetIn("s3://lake/numbers/*.parquet", { n: "integer", text: "STRING" });
const select = (from: number, to: number) => `select i as n, 'row ' || i as text from range(${from}, ${to}) t(i)`;

async function withNumbers(options: Parameters<typeof open>[0] = {}) {
  const { s3, bench } = await open(options);
  for (const part of [0, 1, 2]) s3.put("lake", `numbers/part-${part}.parquet`, await bench.fileOf(select(part * 10, part * 10 + 10)));
  return { s3, bench };
}

describe("a dataset in a bucket", () => {
  it("is searched, counted, sampled and profiled as if its files were here, each of which is copied once", async () => {
    const { s3, bench } = await withNumbers();
    const { engine } = bench;
    const [rows, counts, sample, profile] = await Promise.all([
      search(bench, numbers, { offset: 5, limit: 10 }),
      engine.aggregate(numbers, [{ type: "count", column: "*" }], [], { ...all, conditions: [byNumber("n", ">=", 25)] }, call),
      engine.sample(numbers, { conditions: [], limit: 3 }, call).then(rowsOf),
      engine.profile(numbers, "n", all, call),
    ]);
    expect(rows).toEqual(Array.from({ length: 10 }, (_, index) => ({ n: index + 5, text: `row ${index + 5}` })));
    expect([counts, sample.length, profile.rows]).toEqual([[[5]], 3, 30]);
    expect(s3.downloads).toEqual({ "numbers/part-0.parquet": 1, "numbers/part-1.parquet": 1, "numbers/part-2.parquet": 1 });
    expect(s3.requests.filter((request) => request.startsWith("LIST"))).toEqual(["LIST numbers/"]);
  });

  it("leaves out what the engine would read wrongly, and makes places of points", async () => {
    const { s3, bench } = await open();
    const { engine } = bench;
    s3.put(
      "lake",
      "long/a.parquet",
      parquetOf([
        { name: "x", decimal: [150n], digits: 39, scale: 2, bytes: 17 },
        { name: "n", long: [1n] },
      ]),
    );
    const long = datasetIn("s3://lake/long/*.parquet", { x: "decimal", n: "integer" });
    expect((await engine.columns(long.source, call)).map(({ name }) => name)).toEqual(["n"]);
    expect((await engine.notes(long.source, call)).leftOut).toEqual([expect.stringContaining("The column 'x' is left out")]);
    expect(await engine.inspect(long.source, long.columns, call)).toEqual([expect.stringContaining("it is read as empty")]);
    s3.put("lake", "stops/a.parquet", await bench.fileOf("select 1 as id, 'POINT (10 50)'::geometry as geometry"));
    const stops = datasetIn("s3://lake/stops/*.parquet", { id: "integer", latitude: "decimal", longitude: "decimal" });
    expect((await engine.columns(stops.source, call)).map(({ name }) => name)).toEqual(["id", "geometry", "latitude", "longitude"]);
    expect(await search(bench, long)).toEqual([{ x: null, n: 1 }]);
    expect(await search(bench, stops)).toEqual([{ id: 1, latitude: 50, longitude: 10 }]);
  });

  it("reads CSV and JSON, also compressed ones, of any folder below, in the order of their keys", async () => {
    const { s3, bench } = await open();
    s3.put("lake", "text/b/2.csv", "n,day\n3,2001-02-03\n");
    s3.put("lake", "text/a/1.csv", "n,day\n1,2001-02-01\n2,2001-02-02\n");
    s3.put("lake", "text/a/readme.txt", "not data");
    s3.put("lake", "lines/x.json", '{"n":7}\n{"n":8}\n');
    const csv = datasetIn("s3://lake/text/**/*.csv", { n: "integer", day: "TIMESTAMP_MILLS" }, { format: "csv" });
    expect((await search(bench, csv)).map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(await search(bench, datasetIn("s3://lake/lines/x.json", { n: "integer" }, { format: "json" }))).toEqual([{ n: 7 }, { n: 8 }]);
    expect(await bench.engine.inspect(csv.source, csv.columns, call)).toEqual([]);
  });

  it("copies only the files whose folders may hold rows of the search, and gives the same answer", async () => {
    const { s3, bench } = await open();
    for (const year of [2001, 2002, 2003]) {
      for (const day of ["01", "15"]) {
        s3.put(
          "lake",
          `days/year=${year}/day=${year}-06-${day}/data.parquet`,
          await bench.fileOf(`select ${year * 100 + Number(day)} as n`),
        );
      }
    }
    const days = datasetIn(
      "s3://lake/days/**/*.parquet",
      { n: "integer", year: "integer", day: "TIMESTAMP_MILLS" },
      { temporalField: "day" },
    );
    expect(await search(bench, days, { conditions: [byNumber("year", "=", 2002)] })).toEqual([
      { n: 200_201, year: 2002, day: Date.UTC(2002, 5, 1) },
      { n: 200_215, year: 2002, day: Date.UTC(2002, 5, 15) },
    ]);
    const june = { column: "day", type: "TIMESTAMP_MILLS", startMs: Date.UTC(2003, 5, 10), endMs: Date.UTC(2003, 5, 20) } as const;
    expect(await search(bench, days, { timeRange: june })).toMatchObject([{ n: 200_315 }]);
    expect(Object.keys(s3.downloads).toSorted()).toEqual([
      "days/year=2002/day=2002-06-01/data.parquet",
      "days/year=2002/day=2002-06-15/data.parquet",
      "days/year=2003/day=2003-06-15/data.parquet",
    ]);
    const years = (...values: number[]) =>
      values.map((year) => ({ conditions: [byNumber("year", "=", year)], timeRange: null, area: null }));
    const partOf = (...rules: ReturnType<typeof years>[]) => Scope.of(`${rules.length}`, { rules, hidden: [], coarse: new Map() });
    expect(await search(bench, { ...days, scope: partOf(years(2002)) })).toHaveLength(2);
    expect(Object.keys(s3.downloads)).toHaveLength(3);
    expect(await search(bench, { ...days, scope: partOf(years(2001, 2002), years(2001)) })).toHaveLength(2);
    expect(Object.keys(s3.downloads)).toHaveLength(5);
    expect(await search(bench, days, { conditions: [byNumber("year", ">", 2050)] })).toEqual([]);
    expect((await search(bench, days)).length).toBe(6);
  });

  it("leaves out no text files by their folders, whose columns are their own", async () => {
    const { s3, bench } = await open();
    s3.put("lake", "text/year=1/a.csv", "n,year\n1,2001\n");
    s3.put("lake", "text/year=2/a.csv", "n,year\n2,2002\n");
    const text = datasetIn("s3://lake/text/**/*.csv", { n: "integer", year: "integer" }, { format: "csv" });
    expect(await search(bench, text, { conditions: [byNumber("year", "=", 2002)] })).toEqual([{ n: 2, year: 2002 }]);
  });

  it("samples one file of many, and more only if the first ones hold too few rows", async () => {
    const { s3, bench } = await withNumbers();
    const sample = async (limit: number, conditions: ComparisonCondition[] = []) =>
      (await rowsOf(await bench.engine.sample(numbers, { conditions, limit }, call))).map(({ n }) => n);
    expect(await sample(4)).toEqual([0, 1, 2, 3]);
    expect(Object.keys(s3.downloads)).toEqual(["numbers/part-0.parquet"]);
    expect(await sample(4, [byNumber("n", ">=", 18)])).toEqual([18, 19, 20, 21]);
    expect(Object.keys(s3.downloads).length).toBe(3);
  });

  it("reads all files if those of a search lack a column that others have", async () => {
    const { s3, bench } = await open();
    s3.put("lake", "grown/year=2001/a.parquet", await bench.fileOf("select 1 as n"));
    s3.put("lake", "grown/year=2002/a.parquet", await bench.fileOf("select 2 as n, 'new' as extra"));
    const grown = datasetIn("s3://lake/grown/*/*.parquet", { n: "integer", extra: "STRING", year: "integer" });
    expect(await search(bench, grown, { conditions: [byNumber("year", "=", 2001)] })).toEqual([{ n: 1, extra: null, year: 2001 }]);
    expect(await bench.engine.check(grown, call)).toEqual([]);
    const missing = datasetIn("s3://lake/grown/*/*.parquet", { n: "integer", nowhere: "STRING" });
    expect(await bench.engine.check(missing, call)).toMatchObject([{ code: "column-missing", column: "nowhere" }]);
  });

  it("learns columns, also those of some files only, from the ends of Parquet files", async () => {
    const { s3, bench } = await open({ limits: { s3CacheBytes: 50_000 } });
    const text = "select i as n, hash(i) || 'x' as text";
    const wide = `, ${Array.from({ length: 1_500 }, (_, index) => `i as "a column with a long name ${index}"`).join(", ")}`;
    s3.put("lake", "wide/y=1/a.parquet", await bench.fileOf(`${text} from range(20000) t(i)`));
    s3.put("lake", "wide/y=2/b.parquet", await bench.fileOf(`${text}${wide} from range(3) t(i)`));
    s3.put("lake", "wide/y=2/c.parquet", await bench.fileOf(`${text}, i / 2 as half from range(20000) t(i)`));
    const source = { kind: "files", glob: "s3://lake/wide/**/*.parquet", format: "parquet" } as const;
    const columns = await bench.engine.columns(source, call);
    const named = new Map(columns.map(({ name, type }) => [name, type]));
    expect(["n", "text", "half", "y", "a column with a long name 1499"].map((name) => named.get(name))).toEqual([
      "integer",
      "STRING",
      "decimal",
      "integer",
      "integer",
    ]);
    expect(columns.length).toBe(1_504);
    expect(s3.downloads).toEqual({ "wide/y=1/a.parquet": 1, "wide/y=2/b.parquet": 2, "wide/y=2/c.parquet": 1 });
    const described = datasetIn(source.glob, { n: "integer", half: "decimal", y: "integer" });
    expect(await bench.engine.check(described, call)).toEqual([]);
    const broken = datasetIn("s3://lake/broken/*.parquet", { n: "integer" });
    for (const [name, content] of [
      ["text", "this is no Parquet at all, but long enough to be some"],
      ["tiny", "x"],
      ["lies", Buffer.concat([Buffer.alloc(50), Buffer.from([255, 255, 255, 0]), Buffer.from("PAR1")])],
    ] as const) {
      s3.put("lake", "broken/a.parquet", content);
      const fresh = await openOn(s3);
      const found = await fresh.engine.check(broken, call);
      expect([name, found]).toEqual([
        name,
        [expect.objectContaining({ code: "data-unreadable", detail: expect.stringContaining("s3://lake/broken/a.parquet") })],
      ]);
    }
    expect(bench.cache.metrics.files).toBe(0);
  });

  it("keeps names that differ in case or spelling apart, and takes nothing of a name but what the engine reads", async () => {
    const { s3, bench } = await open();
    const keys = ["k/A.csv", "k/a.csv", "k/\u00e9.csv", "k/e\u0301.csv", "k/..%2f..%2fx.csv", "k/x\u0001y.csv", `k/${"l".repeat(300)}.csv`];
    for (const [index, key] of keys.entries()) s3.put("lake", key, `n\n${index}\n`);
    s3.put("lake", "k/p=..%2F..%2Fq/b.csv", "n\n100\n");
    s3.put("lake", "up/p=1/../../../b.csv", "n\n1\n");
    const dataset = datasetIn("s3://lake/k/**", { n: "integer" }, { format: "csv" });
    expect((await search(bench, dataset)).map(({ n }) => Number(n)).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 100]);
    const paths = await cachedFiles(bench.cacheFolder);
    expect(paths.filter((path) => path.startsWith(".."))).toEqual([]);
    expect(paths.length).toBe(8);
    const upwards = datasetIn("s3://lake/up/**", { n: "integer" }, { format: "csv" });
    expect((await failureOf(search(bench, upwards)))[1]).toContain("cannot read a file with the name 'up/p=1/../../../b.csv'");
  });

  it("is not read unless the operator allows its bucket or folder", async () => {
    const { s3, bench } = await open({ allowed: ["lake/open"] });
    s3.put("lake", "open/n.csv", "n\n1\n");
    s3.put("lake", "opened/n.csv", "n\n2\n");
    s3.put("secret", "open/n.csv", "n\n3\n");
    const read = (glob: string) => failureOf(search(bench, datasetIn(glob, { n: "integer" }, { format: "csv" })));
    expect(await read("s3://lake/open/n.csv")).toEqual(["answered", ""]);
    for (const glob of [
      "s3://lake/opened/n.csv",
      "s3://secret/open/n.csv",
      "s3://lake/op*/n.csv",
      "s3://lake/**",
      "s3://lake/open*/n.csv",
    ]) {
      expect([glob, (await read(glob)).join(" ")]).toEqual([glob, expect.stringMatching(/^not-ready .*FAIRWAY_S3_DATASET_BUCKETS/)]);
    }
    expect(s3.requests).toEqual(["LIST open/n.csv", "GET open/n.csv"]);
  });
});

describe("files that change", () => {
  it("are copied again when another listing shows them, and never mixed", async () => {
    const { s3, bench } = await withNumbers();
    await search(bench, numbers);
    const replaced = await bench.fileOf(select(100, 110));
    // Replaced while the new state is being read.
    s3.put("lake", "numbers/part-3.parquet", await bench.fileOf(select(30, 40)));
    const fresh = await openOn(s3);
    s3.onHalf = (key) => {
      if (key !== "numbers/part-3.parquet") return;
      s3.onHalf = () => {};
      s3.put("lake", key, replaced);
    };
    const first = await search(fresh, numbers);
    expect(first.length).toBe(40);
    const again = await openOn(s3);
    expect((await search(again, numbers)).map(({ n }) => n).slice(30)).toEqual(Array.from({ length: 10 }, (_, index) => 100 + index));
  });

  it("between the listing and the copy are listed once more", async () => {
    const { s3, bench } = await withNumbers();
    const replaced = await bench.fileOf(select(100, 110));
    s3.fault = ({ path }) => {
      if (path !== "lake/numbers/part-1.parquet") return false;
      s3.fault = () => false;
      s3.put("lake", "numbers/part-1.parquet", replaced);
      s3.remove("lake", "numbers/part-2.parquet");
      return false;
    };
    expect((await search(bench, numbers)).map(({ n }) => n)).toEqual([
      ...Array(10).keys(),
      ...Array.from({ length: 10 }, (_, i) => 100 + i),
    ]);
  });

  it("are recognized by their time where the service has no tags", async () => {
    const { s3, bench } = await open();
    s3.put("lake", "numbers/a.parquet", await bench.fileOf(select(0, 2)), "");
    expect(await search(bench, numbers)).toHaveLength(2);
    expect(s3.downloads).toEqual({ "numbers/a.parquet": 1 });
    const fresh = await openOn(s3);
    const replaced = await bench.fileOf(select(5, 7));
    s3.fault = ({ path }) => {
      if (path !== "lake/numbers/a.parquet") return false;
      s3.fault = () => false;
      s3.put("lake", "numbers/a.parquet", replaced, "", new Date(Date.now() + 5_000));
      return false;
    };
    expect((await search(fresh, numbers)).map(({ n }) => n)).toEqual([5, 6]);
    expect(s3.downloads).toEqual({ "numbers/a.parquet": 3 });
  });
});

describe("a store that fails", () => {
  it.each<[string, string, (s3: FakeS3) => void]>([
    [
      "has no such bucket",
      "upstream The file store has no bucket 'lake'. An administrator has to create it, or to correct the source of the dataset.",
      (s3) => {
        s3.fault = (_, response) => (fail(response, 404, "NoSuchBucket"), true);
      },
    ],
    [
      "refuses",
      "upstream The file store does not allow the portal to do this in the bucket 'lake'. An administrator has to grant its credentials the permissions named in the operator guide.",
      (s3) => {
        s3.fault = ({ query }, response) => !query.has("list-type") && (fail(response, 403, "AccessDenied"), true);
      },
    ],
    [
      "is too busy",
      "upstream The file store is too busy at the moment. Try again in a minute.",
      (s3) => {
        s3.fault = (_, response) => (fail(response, 503, "SlowDown"), true);
      },
    ],
    [
      "does not go on",
      "upstream The file store did not answer in time. Try again later; if this continues, an administrator has to check the store and the network, or raise limits.storeConnectMs and limits.storeReadMs of the settings.",
      (s3) => {
        s3.onHalf = () => new Promise(() => {});
      },
    ],
  ])("%s is reported in its words, and leaves nothing behind", async (_, expected, breakIt) => {
    const { s3, bench } = await withNumbers({ storeReadMs: 300 });
    const fault = s3.fault;
    breakIt(s3);
    expect((await failureOf(search(bench, numbers))).join(" ")).toBe(expected);
    expect(await bench.engine.check(numbers, call)).toMatchObject([{ code: "data-unreadable", detail: expected.replace("upstream ", "") }]);
    expect(await cachedFiles(bench.cacheFolder)).toEqual([]);
    [s3.fault, s3.onHalf] = [fault, () => {}];
    expect(await search(bench, numbers)).toHaveLength(30);
  });

  it("cuts a file short: it is continued where it broke off, or given up", async () => {
    const { s3, bench } = await open();
    const content = randomBytes(400_000).toString("hex");
    s3.put("lake", "big.csv", `n,text\n1,${content}\n`);
    const big = datasetIn("s3://lake/big.csv", { n: "integer", text: "STRING" }, { format: "csv" });
    let breaks = 1;
    s3.onHalf = async (_, response) => {
      breaks -= 1;
      if (breaks < 0) return;
      // The earlier data arrives first.
      await new Promise((resolve) => response.socket?.write("", resolve));
      response.destroy();
    };
    expect(await search(bench, big)).toEqual([{ n: 1, text: content }]);
    expect(s3.downloads).toEqual({ "big.csv": 2 });
    const fresh = await openOn(s3);
    breaks = 100;
    expect((await failureOf(search(fresh, big)))[0]).toBe("upstream");
    expect(await cachedFiles(fresh.cacheFolder)).toEqual([]);
  });

  it("or no service at all, says so", async () => {
    const { s3 } = await open();
    const bench = await bucketBench({ settings: s3.settings, address: undefined });
    closers.push(() => bench.close());
    expect((await failureOf(search(bench, numbers)))[1]).toContain("names no S3 service");
  });

  it("delays neither local datasets nor what has been copied", async () => {
    const { s3, bench } = await withNumbers({ limits: { engineSlots: 1 } });
    await search(bench, numbers);
    s3.put("lake", "slow/a.csv", "n\n1\n");
    s3.gate = new Promise(() => {});
    const leaving = new AbortController();
    const slow = failureOf(search(bench, datasetIn("s3://lake/slow/*.csv", { n: "integer" }, { format: "csv" }), {}, leaving.signal));
    await expect.poll(() => s3.downloads["slow/a.csv"]).toBe(1);
    expect(await search(bench, numbers)).toHaveLength(30);
    expect(bench.engine.metrics.running).toBe(0);
    leaving.abort(new Error("left"));
    expect((await slow)[0]).toBe("abandoned");
    await expect.poll(() => bench.cache.metrics.downloads).toBe(0);
  });

  it("and is slower than the limit ends the query, but what was copied is kept", async () => {
    const { s3, bench } = await withNumbers({ limits: { s3FetchMs: 1_500, s3DownloadsAtOnce: 1 } });
    const last = new Promise<void>(() => {});
    s3.onHalf = (key) => (key === "numbers/part-2.parquet" ? last : undefined);
    expect((await failureOf(search(bench, numbers))).join(" ")).toMatch(/^timed-out .*limits\.s3FetchMs/);
    s3.onHalf = () => {};
    expect(await search(bench, numbers)).toHaveLength(30);
    expect(s3.downloads).toEqual({ "numbers/part-0.parquet": 1, "numbers/part-1.parquet": 1, "numbers/part-2.parquet": 2 });
  });
});

describe("bounds", () => {
  it("refuse what does not fit, at the search and at the administrator's check", async () => {
    const { bench } = await withNumbers({ limits: { s3CacheBytes: 1_000 } });
    const expected = /have [\d.]+ (?:bytes|MB), and copies of files on S3 may have 1000 bytes \(LIMIT_S3_CACHE_BYTES\)/;
    expect((await failureOf(search(bench, numbers))).join(" ")).toMatch(expected);
    expect(await bench.engine.check(numbers, call)).toMatchObject([{ code: "data-unreadable", detail: expect.stringMatching(expected) }]);
  });

  it("let a search through that leaves out enough, which administrators see", async () => {
    const { s3, bench } = await open({ limits: { s3CacheBytes: 2_000 } });
    for (const year of [2001, 2002, 2003])
      s3.put("lake", `y/year=${year}/a.parquet`, await bench.fileOf(`select ${year} as n, '${"x".repeat(400)}' as text`));
    const dataset = datasetIn("s3://lake/y/*/*.parquet", { n: "integer", year: "integer" });
    expect((await failureOf(search(bench, dataset)))[0]).toBe("not-ready");
    expect(await search(bench, dataset, { conditions: [byNumber("year", "=", 2002)] })).toEqual([{ n: 2002, year: 2002 }]);
    expect(await bench.engine.check(dataset, call)).toEqual([]);
    expect(await bench.engine.inspect(dataset.source, dataset.columns, call)).toEqual([expect.stringContaining("filter by 'year'")]);
  });

  it("never remove files that a query still reads, however slowly its rows are taken", async () => {
    const { s3, bench } = await open();
    // More than is buffered for a reader.
    s3.put("lake", "numbers/a.parquet", await bench.fileOf(`select i as n, repeat('x', 300) || i as text from range(100000) t(i)`));
    const { chunks } = await bench.engine.search(numbers, { ...all, limit: 100_000 }, call);
    expect(bench.cache.metrics.heldBytes).toBe(bench.cache.metrics.bytes);
    let rows = 0;
    for await (const chunk of chunks) rows += (chunk.match(/"n":/g) ?? []).length;
    expect(rows).toBe(100_000);
    await expect.poll(() => bench.cache.metrics.heldBytes).toBe(0);
  });

  it("refuse a dataset of too many files", async () => {
    const { s3, bench } = await open({ limits: { s3DatasetFiles: 2 } });
    s3.pageKeys = 2;
    for (const name of ["a", "b", "c"]) s3.put("lake", `many/${name}.csv`, "n\n1\n");
    const many = datasetIn("s3://lake/many/*.csv", { n: "integer" }, { format: "csv" });
    expect((await failureOf(search(bench, many)))[1]).toContain("limits.s3DatasetFiles");
  });

  it("refuse a listing that never ends", async () => {
    const { s3, bench } = await open();
    let pages = 0;
    s3.fault = (_request, response) => {
      pages += 1;
      response.setHeader("content-type", "application/xml");
      response.end(
        `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${pages}</NextContinuationToken></ListBucketResult>`,
      );
      return true;
    };
    expect((await failureOf(search(bench, numbers)))[1]).toContain("a listing of more than 1,000 pages");
    expect(pages).toBe(1_000);
  }, 60_000);
});
