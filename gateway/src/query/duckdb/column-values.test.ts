import { type ColumnProfile, histogramSteps, stepWidth } from "@fairway/contract/column-values";
import type { ColumnType } from "@fairway/contract/columns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchQuery } from "#query/engine.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";
import { engineCall } from "#testing/engine-call.ts";

const call = engineCall();
const everything: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 10_000 };
const types = {
  id: "integer",
  name: "STRING",
  flag: "BOOLEAN",
  small: "integer",
  big: "integer",
  real: "decimal",
  price: "decimal",
  at: "TIMESTAMP_MILLS",
  day: "TIMESTAMP_SECONDS",
  same: "decimal",
  none: "decimal",
  uuid: "STRING",
} as const satisfies Record<string, ColumnType>;
const dataset = datasetOver("values.parquet", types);

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(`copy (
    select i as id, case when i % 7 > 0 then ['Ärger', 'beta', 'Beta Blocker', '50%_', ''][1 + i % 5] end as name,
      case when i % 7 > 0 then i % 3 = 0 end as flag, (i % 3)::integer as small, 9007199254740991 + i as big,
      case when i % 11 = 0 then 'nan'::double when i % 11 = 1 then 'inf'::double else sin(i) * 1000 end as real,
      (i % 50)::decimal(9, 2) / 4 as price, timestamp '1969-12-31 12:00:00.250' + to_seconds(i * i) as at,
      date '1969-06-01' + i::integer as day, 4.5::double as same, null::double as none, uuid() as uuid
    from range(1000) t(i)) to 'FOLDER/values.parquet' (format parquet)`);
});
afterAll(() => bench.close());

const profile = (column: string, query: Partial<SearchQuery> = {}): Promise<ColumnProfile> =>
  bench.engine.profile(dataset, column, { ...everything, ...query }, call);

/** The same statistics, computed from the rows of a search. */
async function profileFromRows(column: keyof typeof types, query: Partial<SearchQuery> = {}) {
  const rows = await rowsOf(await bench.engine.search(dataset, { ...everything, ...query }, call));
  const values = rows.map((row) => row[column]).filter((value) => value !== null);
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const numbers = values.map(Number);
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const width = stepWidth(min, max, types[column] !== "decimal");
  const steps = new Map<number, number>();
  for (const value of numbers) {
    const step = Math.min(histogramSteps - 1, Math.floor((value - min) / width));
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return { rows: rows.length, empty: rows.length - values.length, distinct: counts.size, counts, numbers: { min, max }, steps };
}

const stepsOf = ({ histogram }: ColumnProfile) => new Map(histogram.flatMap(({ rows }, step) => (rows > 0 ? [[step, rows] as const] : [])));

describe("a profile", () => {
  it.each(["small", "real", "price", "at", "day", "same", "id"] as const)("of %s equals the one computed from all rows", async (column) => {
    const [found, expected] = await Promise.all([profile(column), profileFromRows(column)]);
    expect(found).toMatchObject({ rows: expected.rows, empty: expected.empty, distinct: expected.distinct, ...expected.numbers });
    expect(stepsOf(found)).toEqual(new Map([...expected.steps].toSorted(([a], [b]) => a - b)));
    expect(found.histogram.length).toBeLessThanOrEqual(histogramSteps);
    expect(found.top.map(({ value, rows }) => [value, rows])).toEqual(found.top.map(({ value }) => [value, expected.counts.get(value)]));
    const highest = [...expected.counts.values()].toSorted((a, b) => b - a).slice(0, 10);
    expect(found.top.map(({ rows }) => rows)).toEqual(highest);
  });

  it("of texts, booleans and UUIDs has no histogram", async () => {
    const [name, flag, uuid] = await Promise.all([profile("name"), profile("flag"), profile("uuid")]);
    expect([name.histogram, flag.histogram, uuid.histogram]).toEqual([[], [], []]);
    expect([name.empty, name.distinct, name.min, name.max]).toEqual([143, 5, "", "Ärger"]);
    expect(flag.top.map(({ value }) => value)).toEqual([false, true]);
    expect([uuid.distinct, uuid.top.length]).toEqual([1_000, 10]);
  });

  it("preserves integers beyond 2^53", async () => {
    const big = await profile("big");
    expect([big.min, big.max]).toEqual([9_007_199_254_740_991, "9007199254741990"]);
    expect(big.histogram.reduce((sum, { rows }) => sum + rows, 0)).toBe(1_000);
  });

  it("of a column without values reports only empty rows", async () => {
    await expect(profile("none")).resolves.toEqual({
      rows: 1_000,
      empty: 1_000,
      distinct: 0,
      min: null,
      max: null,
      top: [],
      histogram: [],
    });
  });

  it("of no rows is all zeros", async () => {
    const noRows = { conditions: [{ column: "id", type: "integer", operator: "<", value: 0n } as const] };
    await expect(profile("real", noRows)).resolves.toEqual({
      rows: 0,
      empty: 0,
      distinct: 0,
      min: null,
      max: null,
      top: [],
      histogram: [],
    });
  });

  it("covers only the rows of its search", async () => {
    const some = { conditions: [{ column: "id", type: "integer", operator: "<", value: 100n } as const] };
    const [found, expected] = await Promise.all([profile("real", some), profileFromRows("real", some)]);
    expect(found).toMatchObject({ rows: 100, empty: expected.empty, distinct: expected.distinct, ...expected.numbers });
  });
});

describe("suggestions", () => {
  const suggest = async (column: string, contains: string, rows: number | null = 10_000) => {
    const { values, complete } = await bench.engine.suggest(dataset, { column, contains, rows }, everything, call);
    return { values: values.map(({ value }) => value), complete };
  };

  it("contain the text in any case and script, most frequent first", async () => {
    const { counts } = await profileFromRows("name");
    const both = ["Beta Blocker", "beta"].toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
    await expect(suggest("name", "BETA")).resolves.toEqual({ values: both, complete: true });
    await expect(suggest("name", "äRG")).resolves.toEqual({ values: ["Ärger"], complete: true });
  });

  it("match wildcard characters literally", async () => {
    await expect(suggest("name", "%")).resolves.toEqual({ values: ["50%_"], complete: true });
    await expect(suggest("name", "b%a")).resolves.toEqual({ values: [], complete: true });
  });

  it("match integers by their digits", async () => {
    await expect(suggest("small", "2")).resolves.toEqual({ values: [2], complete: true });
  });

  it("are marked as incomplete if only some rows were scanned", async () => {
    await expect(suggest("small", "", 10)).resolves.toMatchObject({ complete: false });
    await expect(suggest("small", "", 1_001)).resolves.toMatchObject({ complete: true });
    await expect(suggest("small", "", null)).resolves.toMatchObject({ complete: true });
  });

  it("are limited to twenty", async () => {
    expect((await suggest("uuid", "")).values).toHaveLength(20);
  });
});
