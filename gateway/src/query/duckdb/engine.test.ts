import { rename, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { QueryableDataset, SearchQuery } from "#query/engine.ts";
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

describe("order and paging", () => {
  const rows = 5_000;
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
