import { rename, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Condition, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { storedOrderKey } from "./parquet-source.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";
import { engineCall } from "#testing/engine-call.ts";

const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100_000 };

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
});
afterAll(() => bench.close());

const search = async (dataset: Parameters<typeof bench.engine.search>[0], query: Partial<SearchQuery> = {}) =>
  rowsOf(await bench.engine.search(dataset, { ...all, ...query }, call));

describe("values in results", () => {
  const kinds = datasetOver("kinds.parquet", {
    text: "STRING",
    flag: "BOOLEAN",
    small: "integer",
    big: "integer",
    huge: "integer",
    real: "decimal",
    single: "decimal",
    money: "decimal",
    at: "TIMESTAMP_MILLS",
    atSecond: "TIMESTAMP_SECONDS",
    zoned: "TIMESTAMP_MILLS",
    day: "TIMESTAMP_SECONDS",
    epoch: "TIMESTAMP_SECONDS",
    uuid: "STRING",
    json: "STRING",
  });
  beforeAll(() =>
    bench.prepare(`copy (select * from (values
      (0, 'a "quoted" \\ é 😀', true, 7::integer, 9007199254740993::bigint, 12345678901234567890123456789012345678::decimal(38,0), 'nan'::double,
       0.1::float, 12.50::decimal(10,2), timestamp '1969-12-31 23:59:59.9995', timestamp '1969-12-31 23:59:58.5',
       timestamptz '2020-01-01 00:00:00+02', date '2020-02-29', 1500000000::bigint, '123e4567-e89b-12d3-a456-426614174000'::uuid, '{"a":1}'::json),
      (1, '', false, -7, 9007199254740992, -9007199254740993, 'inf', 1e30::float, -0.01, timestamp '2020-01-01 00:00:00.123456',
       timestamp '2020-01-01 00:00:00', timestamptz '2020-01-01 00:00:00+00', date '1900-01-01', -1, null, null),
      (2, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)
     ) as t(n, text, flag, small, big, huge, real, single, money, "at", "atSecond", zoned, day, epoch, uuid, json) order by n)
     to 'FOLDER/kinds.parquet' (format parquet)`),
  );

  it("sends integers beyond 2^53 as text, NaN and infinities as null, and times as numbers in their unit, rounded down", async () => {
    expect(await search(kinds)).toEqual([
      {
        text: 'a "quoted" \\ é 😀',
        flag: true,
        small: 7,
        big: "9007199254740993",
        huge: "12345678901234567890123456789012345678",
        real: null,
        single: 0.1,
        money: 12.5,
        at: -1,
        atSecond: -2,
        zoned: 1577829600000,
        day: 1582934400,
        epoch: 1500000000,
        uuid: "123e4567-e89b-12d3-a456-426614174000",
        json: '{"a":1}',
      },
      {
        text: "",
        flag: false,
        small: -7,
        big: 9007199254740992,
        huge: "-9007199254740993",
        real: null,
        single: 1e30,
        money: -0.01,
        at: 1577836800123,
        atSecond: 1577836800,
        zoned: 1577836800000,
        day: -2208988800,
        epoch: -1,
        uuid: null,
        json: null,
      },
      Object.fromEntries(kinds.columns.map(({ name }) => [name, null])),
    ]);
  });

  it("lists the columns with the product's types", async () => {
    const columns = await bench.engine.columns(kinds.source, call);
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toMatchObject({
      text: "STRING",
      flag: "BOOLEAN",
      huge: "integer",
      money: "decimal",
      at: "TIMESTAMP_MILLS",
      day: "TIMESTAMP_SECONDS",
      epoch: "integer",
      uuid: "STRING",
    });
  });

  it("ignores values shown as empty in aggregates, and returns null for an aggregate over nothing", async () => {
    const aggregations = [
      { type: "count", column: "*" },
      { type: "count", column: "real" },
      { type: "avg", column: "real" },
      { type: "avg", column: "money" },
      { type: "sum", column: "big" },
      { type: "max", column: "atSecond" },
      { type: "min", column: "at" },
      { type: "max", column: "single" },
    ] as const;
    expect(await bench.engine.aggregate(kinds, aggregations, [], all, call)).toEqual([
      [3, 0, null, 6.245, "18014398509481985", 1577836800, -1, 1e30],
    ]);
    const none: Condition = { column: "small", type: "integer", operator: "=", value: 99n };
    expect(await bench.engine.aggregate(kinds, aggregations, [], { ...all, conditions: [none] }, call)).toEqual([
      [0, 0, null, null, null, null, null, null],
    ]);
  });

  it("returns any number of groups and aggregations, with groups in order", async () => {
    const groups = Array.from({ length: 250 }, (_, index) => ({
      timeRange: null,
      conditions: [{ column: "small", type: "integer", operator: "=", value: BigInt(index) } as const],
    }));
    const values = await bench.engine.aggregate(
      kinds,
      [
        { type: "count", column: "*" },
        { type: "max", column: "small" },
      ],
      groups,
      all,
      call,
    );
    expect(values).toHaveLength(250);
    expect(values[7]).toEqual([1, 7]);
    expect(values.filter(([count]) => count === 0)).toHaveLength(249);
  });
});

describe("order and paging", () => {
  const rows = 10_000;
  const columns = { id: "integer", day: "TIMESTAMP_SECONDS", kind: "STRING", value: "decimal" } as const;
  const select = `select i as id, timestamp '2020-01-01' + to_days((i * 7919 % 13)::integer) as day, ['a','b',null][1 + i % 3] as kind,
    case i % 5 when 0 then null when 1 then 'nan'::double else (i * 31 % 7)::double end as value from range(${rows}) t(i)`;
  const pages = async (dataset: Parameters<typeof search>[0], query: Partial<SearchQuery>, size: number) => {
    const ids: unknown[] = [];
    for (let offset = 0; ; offset += size) {
      const page = await search(dataset, { ...query, offset, limit: size });
      ids.push(...page.map((row) => row["id"]));
      if (page.length < size) return ids;
    }
  };
  beforeAll(async () => {
    await bench.prepare(`copy (${select}) to 'FOLDER/shuffled.parquet' (format parquet, row_group_size 2048)`);
    await bench.prepare(`copy (select * from (${select}) order by day desc, id) to 'FOLDER/sorted.parquet'
      (format parquet, row_group_size 2048, kv_metadata {${storedOrderKey}: '[{"column":"day","direction":"desc"}]'})`);
    for (const part of [0, 1, 2]) {
      await bench.prepare(`copy (select * from (${select}) where id % 3 = ${part}) to 'FOLDER/part-${part}.parquet' (format parquet)`);
    }
    await bench.prepare(`copy (select * from (${select}) limit 1000) to 'FOLDER/rows.csv' (format csv)`);
  });

  for (const [name, glob, format, count] of [
    ["one file", "shuffled.parquet", "parquet", rows],
    ["a file that records its order", "sorted.parquet", "parquet", rows],
    ["several files", "part-*.parquet", "parquet", rows],
    ["a text file", "rows.csv", "csv", 1_000],
  ] as const) {
    const dataset = datasetOver(glob, columns, { format, orderBy: [{ column: "day", direction: "desc" }] });
    it(`[SEARCH-60] neither repeats nor drops a row when paging over ties in ${name}`, async () => {
      for (const sort of [[], [{ column: "kind", direction: "asc" }], [{ column: "value", direction: "desc" }]] as const) {
        const ids = await pages(dataset, { sort }, count * 0.3 - 1);
        expect(ids).toHaveLength(count);
        expect(new Set(ids).size).toBe(count);
        const whole = await search(dataset, { sort, limit: count });
        expect(whole.map((row) => row["id"])).toEqual(ids);
      }
    });
  }

  it("sorts as requested, with ties in file order", async () => {
    const dataset = datasetOver("shuffled.parquet", columns, { orderBy: [{ column: "day", direction: "desc" }] });
    const found = await search(dataset, { sort: [{ column: "kind", direction: "desc" }] });
    const rank = (value: unknown) => (typeof value === "string" ? value : "");
    const expected = found.toSorted((a, b) => rank(b["kind"]).localeCompare(rank(a["kind"])) || Number(a["id"]) - Number(b["id"]));
    expect(found).toEqual(expected);
  });

  it("puts empty values, including NaN, last in both directions", async () => {
    const dataset = datasetOver("shuffled.parquet", columns);
    for (const direction of ["asc", "desc"] as const) {
      const values = (await search(dataset, { sort: [{ column: "value", direction }] })).map((row) => row["value"]);
      const filled = values.filter((value) => value !== null);
      expect(values.slice(0, filled.length)).toEqual(filled);
      expect(filled).toEqual(filled.toSorted((a, b) => (direction === "asc" ? 1 : -1) * (Number(a) - Number(b))));
      expect(values.length - filled.length).toBe(4_000);
    }
  });

  it("returns the same rows for a file that records its order as for one that must be sorted", async () => {
    const orderBy = [{ column: "day", direction: "desc" }] as const;
    const recorded = await search(datasetOver("sorted.parquet", columns, { orderBy }), { offset: 1_234, limit: 25 });
    const sortedAgain = await search(
      datasetOver("shuffled.parquet", columns, { orderBy: [...orderBy, { column: "id", direction: "asc" }] }),
      { offset: 1_234, limit: 25 },
    );
    expect(recorded).toEqual(sortedAgain);
  });

  it("sorts if the file is stored in another order", async () => {
    const ascending = datasetOver("sorted.parquet", columns, { orderBy: [{ column: "day", direction: "asc" }] });
    const days = (await search(ascending)).map((row) => Number(row["day"]));
    expect(days).toEqual(days.toSorted((a, b) => a - b));
  });

  it("reports whether more rows matched than the page holds", async () => {
    const dataset = datasetOver("shuffled.parquet", columns);
    for (const [limit, hasMore] of [
      [rows - 1, true],
      [rows, false],
    ] as const) {
      const stream = await bench.engine.search(dataset, { ...all, limit }, call);
      expect(await rowsOf(stream)).toHaveLength(limit);
      expect(await stream.hasMore).toBe(hasMore);
    }
  });

  it("returns the first rows of the file as a sample", async () => {
    const dataset = datasetOver("shuffled.parquet", columns, { orderBy: [{ column: "day", direction: "desc" }] });
    const stream = await bench.engine.sample(dataset, { conditions: [], limit: 3 }, call);
    expect((await rowsOf(stream)).map((row) => row["id"])).toEqual([0, 1, 2]);
  });

  it("returns the first and last time of the rows that the dataset's own filters leave", async () => {
    const dataset = datasetOver("shuffled.parquet", columns, { temporalField: "day" });
    const [fromMs, toMs] = [Date.UTC(2020, 0, 3), Date.UTC(2020, 0, 5)];
    const bound = (operator: ">=" | "<=", ms: number) =>
      ({ column: "day", type: "TIMESTAMP_SECONDS", operator, value: BigInt(ms) }) as const;
    const own = { ...dataset, ownConditions: [bound(">=", fromMs), bound("<=", toMs)] };
    const whole = await bench.engine.timeExtent(dataset, call);
    expect(await bench.engine.timeExtent(own, call)).toEqual({ startMs: fromMs, endMs: toMs });
    const none = { ...dataset, ownConditions: [bound("<=", 0)] };
    expect(await bench.engine.timeExtent(none, call)).toBeNull();
    expect(await bench.engine.timeExtent(dataset, call)).toEqual(whole);
    expect(await bench.engine.timeExtent(own, call)).toEqual({ startMs: fromMs, endMs: toMs });
  });

  it("returns the first and last time, and notices a replaced file", async () => {
    const dataset = datasetOver("shuffled.parquet", columns, { temporalField: "day" });
    const first = Date.UTC(2020, 0, 1);
    expect(await bench.engine.timeExtent(dataset, call)).toEqual({ startMs: first, endMs: first + 12 * 86_400_000 });
    await bench.prepare(`copy (select * from (${select}) where day = timestamp '2020-01-03') to 'FOLDER/next.tmp' (format parquet)`);
    await rename(path.join(bench.folder, "next.tmp"), path.join(bench.folder, "shuffled.parquet"));
    const day = first + 2 * 86_400_000;
    expect(await bench.engine.timeExtent(dataset, call)).toEqual({ startMs: day, endMs: day });
  });
});

describe("text files", () => {
  const columns = {
    "it's": "integer",
    "a;b": "STRING",
    at: "TIMESTAMP_MILLS",
    day: "TIMESTAMP_SECONDS",
    flag: "BOOLEAN",
    real: "decimal",
  } as const;
  const select = `select i as "it's", case when i % 2 = 0 then 'x;"' || i end as "a;b", timestamp '2020-01-01 00:00:00.5' + to_days(i::integer) as "at",
    date '2020-01-01' + i::integer as day, i % 2 = 0 as flag, i / 2 as real from range(50) t(i)`;
  beforeAll(async () => {
    await bench.prepare(`copy (${select}) to 'FOLDER/same.parquet' (format parquet)`);
    await bench.prepare(`copy (${select}) to 'FOLDER/same.csv' (format csv, delimiter ';', quote '''')`);
    await bench.prepare(`copy (${select}) to 'FOLDER/same.json' (format json)`);
  });

  it.each(["csv", "json"] as const)("return the same rows as %s as Parquet does", async (format) => {
    const expected = await search(datasetOver("same.parquet", columns));
    const text = datasetOver(`same.${format}`, columns, { format });
    expect(expected).toHaveLength(50);
    expect(await search(text)).toEqual(expected);
    expect(await search(text, { sort: [{ column: "real", direction: "desc" }], limit: 1 })).toEqual(expected.slice(-1));
  });
});

describe("source problems", () => {
  it.each(["../secret.parquet", "/etc/passwd", "a/../../b.parquet", "x\0.parquet"])(
    "refuses a path outside the data folder: %j",
    async (glob) => {
      await expect(bench.engine.columns({ kind: "files", glob, format: "csv" }, call)).rejects.toMatchObject({
        reason: "failed",
        message: "The dataset's source is outside the data folder.",
      });
    },
  );

  it("distinguishes missing data, a missing column and a column of the wrong type, without naming files", async () => {
    await bench.prepare(`copy (select 'x' as name) to 'FOLDER/names.parquet' (format parquet)`);
    const messages: string[] = [];
    for (const dataset of [
      datasetOver("absent.parquet", { name: "STRING" }),
      datasetOver("absent-*.parquet", { name: "STRING" }),
      datasetOver("names.parquet", { other: "STRING" }),
      datasetOver("names.parquet", { name: "integer" }),
    ]) {
      await bench.engine.search(dataset, all, call).catch((error: Error) => messages.push(error.message));
    }
    expect(messages).toEqual([
      "The dataset 'rows' cannot be searched now: its data files are missing. Tell an administrator.",
      "The dataset 'rows' cannot be searched now: its data files are missing. Tell an administrator.",
      "The dataset 'rows' cannot be searched now: its data files have no column 'other'. Tell an administrator.",
      "The dataset 'rows' cannot be searched now: its column 'name' is described as integer, but its data files contain VARCHAR. Tell an administrator.",
    ]);
  });

  it("lists everything that keeps data from being read in a check, and nothing if it can be read", async () => {
    await bench.prepare(`copy (select 'x' as name, 1 as n) to 'FOLDER/checked.parquet' (format parquet)`);
    await writeFile(`${bench.folder}/broken.parquet`, "PAR1 and no more");
    const check = async (dataset: QueryableDataset) =>
      (await bench.engine.check(dataset, call)).map(({ code, column = null }) => [code, column]);
    expect(await check(datasetOver("checked.parquet", { name: "STRING", n: "decimal" }))).toEqual([]);
    expect(await check(datasetOver("checked.parquet", { name: "integer", other: "STRING" }))).toEqual([
      ["column-type", "name"],
      ["column-missing", "other"],
    ]);
    expect(await check(datasetOver("broken.parquet", { name: "STRING" }))).toEqual([["data-unreadable", null]]);
    expect(await check(datasetOver("nowhere/*.parquet", { name: "STRING" }))).toEqual([["data-missing", null]]);
  });

  it.each<{ name: string; change: (file: string) => Promise<unknown>; reason: string }>([
    { name: "removed", change: (file) => rm(file), reason: "its data files are missing" },
    { name: "truncated", change: (file) => truncate(file, 500), reason: "its data files cannot be read" },
    { name: "overwritten with text", change: (file) => writeFile(file, "no rows"), reason: "its data files cannot be read" },
    {
      name: "replaced with other columns",
      change: () => bench.prepare(`copy (select 1 as other) to 'FOLDER/changing.parquet' (format parquet)`),
      reason: "its data files have no column 'n'",
    },
  ])("reports files that are $name while the engine runs, and works again once they are restored", async ({ change, reason }) => {
    const file = `${bench.folder}/changing.parquet`;
    const write = () => bench.prepare(`copy (select i as n from range(5000) t(i)) to 'FOLDER/changing.parquet' (format parquet)`);
    for (const glob of ["changing.parquet", "changing*.parquet"]) {
      await write();
      const dataset = datasetOver(glob, { n: "integer" });
      expect(await search(dataset, { limit: 1 })).toHaveLength(1);
      await change(file);
      await expect(bench.engine.search(dataset, all, call)).rejects.toMatchObject({
        reason: "not-ready",
        message: `The dataset 'rows' cannot be searched now: ${reason}. Tell an administrator.`,
      });
      await rm(file, { force: true });
      await write();
      expect(await search(dataset, { limit: 1 })).toHaveLength(1);
    }
    await rm(file);
  });

  it("quotes column names with quotes, dots and keywords", async () => {
    await bench.prepare(
      `copy (select 1 as "a"";drop table x;--", 2 as "b.c", 3 as "select", 4 as "__proto__") to 'FOLDER/names2.parquet' (format parquet)`,
    );
    const dataset = datasetOver(
      "names2.parquet",
      JSON.parse('{"a\\";drop table x;--":"integer","b.c":"integer","select":"integer","__proto__":"integer"}'),
    );
    const [row] = await search(dataset, { sort: [{ column: "b.c", direction: "asc" }] });
    expect(JSON.stringify(row)).toBe('{"a\\";drop table x;--":1,"b.c":2,"select":3,"__proto__":4}');
  });
});
