import type { ColumnType } from "@fairway/contract/columns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DatasetStatistics, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import { type EngineBench, datasetOver, engineBench } from "./test-files.ts";

const call = engineCall();
const everything = { timeRange: null, area: null, conditions: [] } as const;
const types = {
  id: "integer",
  name: "STRING",
  flag: "BOOLEAN",
  small: "integer",
  big: "integer",
  huge: "integer",
  real: "decimal",
  wide: "decimal",
  price: "decimal",
  at: "TIMESTAMP_MILLS",
  'odd "name" $1': "TIMESTAMP_SECONDS",
  "whole.seconds": "TIMESTAMP_SECONDS",
  same: "decimal",
  none: "decimal",
  uuid: "STRING",
  list: "STRING",
} as const satisfies Record<string, ColumnType>;
const few = datasetOver("few.parquet", types, { temporalField: "at" });
const many = datasetOver(
  "many.parquet",
  {
    ...Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`c${index}`, "integer" as const])),
    key: "STRING",
    skewed: "STRING",
    n: "integer",
    x: "decimal",
    at: "TIMESTAMP_MILLS",
    lat: "decimal",
    lng: "decimal",
  },
  { temporalField: "at", location: { latitude: "lat", longitude: "lng" } },
);

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(`copy (
    select i as id, case when i % 7 > 0 then ['Ärger', 'beta', 'Beta Blocker', '<b>50%_</b>', ''][1 + i % 5] end as name,
      case when i % 7 > 0 then i % 3 = 0 end as flag, (i % 3)::integer as small, 9007199254740991 + i as big,
      (170141183460469231731687303715884104000 + i)::hugeint as huge,
      case when i % 11 = 0 then 'nan'::double when i % 11 = 1 then 'inf'::double else sin(i) * 1000 end as real,
      case when i % 2 = 0 then 1.7e308 else -1.7e308 end as wide,
      (i % 50)::decimal(9, 2) / 4 as price, timestamp '1969-12-31 12:00:00.250' + to_seconds(i * i) as at,
      case when i % 10 > 0 then timestamp '1969-06-01' + to_hours(i::integer) end as "odd ""name"" $1", (i * 60 - 9999)::bigint as "whole.seconds",
      4.5::double as same, null::double as none, uuid() as uuid, [i % 4] as list
    from range(1000) t(i)) to 'FOLDER/few.parquet' (format parquet)`);
  const columns = Array.from({ length: 61 }, (_, index) => `i % ${index + 1} as c${index}`).join(", ");
  await bench.prepare(`copy (
    select ${columns}, 'key ' || i as key, case when i % 3 = 0 then 'often' when i % 10 = 1 then repeat('long ', 500) else 'v' || (i % 7000) end as skewed, i as n, i / 7.0::double as x,
      case when i = 17 then 'infinity'::timestamp else timestamp '2001-01-01' + to_minutes((i * 37)::integer) end as at,
      case when i % 100 = 0 then 1e9 else i / 1000.0 end as lat, -120.123::double as lng
    from range(20000) t(i)) to 'FOLDER/many.parquet' (format parquet)`);
});
afterAll(() => bench.close());

const profileOf = (dataset: QueryableDataset, conditions: SearchQuery["conditions"] = []): Promise<DatasetStatistics> =>
  bench.engine.profileDataset(dataset, { conditions, timeoutMs: 60_000 }, call);

describe("the profile of a dataset", () => {
  it("equals the profiles of its columns if they have few values", async () => {
    const { rows, columns } = await profileOf(few);
    expect(rows).toBe(1_000);
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(types));
    for (const { name, type, isApproximate, top, ...column } of columns) {
      const { rows: _, top: expectedTop, ...expected } = await bench.engine.profile(few, name, everything, call);
      expect({ name, isApproximate, type }).toEqual({ name, isApproximate: false, type: types[name as keyof typeof types] });
      expect({ name, ...column }).toEqual({ name, ...expected });
      expect(top.map((one) => one.rows)).toEqual(expectedTop.map((one) => one.rows));
    }
    // The range is beyond what a number can hold.
    expect(columns.find(({ name }) => name === "wide")).toMatchObject({ distinct: 2, min: -1.7e308, histogram: [] });
  });

  it("covers only rows that match the conditions", async () => {
    const conditions = [{ column: "id", type: "integer", operator: "<", value: 100n } as const];
    const { rows, columns } = await profileOf(few, conditions);
    expect(rows).toBe(100);
    expect(columns.find(({ name }) => name === "id")).toMatchObject({ min: 0, max: 99, distinct: 100 });
  });

  it("counts rows per calendar unit, which depends on the span", async () => {
    const byUnit = async (conditions: SearchQuery["conditions"]) => (await profileOf(few, conditions)).coverage;
    await expect(byUnit([])).resolves.toEqual({
      unit: "day",
      buckets: expect.arrayContaining([
        { startMs: -86_400_000, rows: 208 },
        { startMs: 0, rows: 152 },
      ]),
    });
    const { oldestMs, newestMs, coverage } = await profileOf(many);
    expect([oldestMs, newestMs]).toEqual([Date.UTC(2001, 0, 1), Date.UTC(2001, 0, 1) + 19_999 * 37 * 60_000]);
    expect(coverage?.unit).toBe("month");
    expect(coverage?.buckets).toHaveLength(17);
    expect(coverage?.buckets.reduce((sum, { rows }) => sum + rows, 0)).toBe(19_999);
    await expect(byUnit([{ column: "id", type: "integer", operator: "<", value: 0n }])).resolves.toBeNull();
  });

  it.each([
    ["TIMESTAMP_SECONDS", "date '2020-01-01' + (i * 40)::integer"],
    ["TIMESTAMP_MILLS", "(timestamp '2020-01-01 00:00' + to_days(i::integer * 40)) at time zone 'UTC'"],
    ["TIMESTAMP_MILLS", "(timestamp '2020-01-01' + to_days(i::integer * 40))::timestamp_ns"],
    ["TIMESTAMP_SECONDS", "(timestamp '2020-01-01' + to_days(i::integer * 40))::timestamp_s"],
    ["TIMESTAMP_SECONDS", "epoch(timestamp '2020-01-01' + to_days(i::integer * 40))::bigint"],
    ["TIMESTAMP_SECONDS", "epoch(timestamp '2020-01-01' + to_days(i::integer * 40))::double"],
    ["TIMESTAMP_MILLS", "epoch_ms(timestamp '2020-01-01' + to_days(i::integer * 40))::hugeint"],
    ["TIMESTAMP_MILLS", "epoch_ms(timestamp '2020-01-01' + to_days(i::integer * 40))::decimal(20, 3)"],
  ] as const)("counts rows per month of %s stored as %s", async (type, sql) => {
    await bench.prepare(
      `copy (select ${sql} as at from range(7000) t(n), (select n % 10 as i) u) to 'FOLDER/times.parquet' (format parquet)`,
    );
    const { coverage, oldestMs, newestMs, columns } = await profileOf(datasetOver("times.parquet", { at: type }, { temporalField: "at" }));
    expect([oldestMs, newestMs]).toEqual([Date.UTC(2020, 0, 1), Date.UTC(2020, 11, 26)]);
    expect(coverage?.unit).toBe("month");
    expect(coverage?.buckets.map(({ startMs, rows }) => [new Date(startMs).getUTCMonth(), rows])).toEqual([
      [0, 700],
      [1, 700],
      [2, 700],
      [3, 700],
      [5, 700],
      [6, 700],
      [7, 700],
      [9, 700],
      [10, 700],
      [11, 700],
    ]);
    expect(columns[0]?.histogram.reduce((sum, { rows }) => sum + rows, 0)).toBe(7_000);
  });

  it("reads every type of value, and times that no calendar shows", async () => {
    await bench.prepare(`copy (select 'ab'::blob as blob, interval 3 days as span, time '10:00' as clock, 'a'::enum('a', 'b') as kind, '101'::bit as bits,
      {'a': i} as nested, 9e18::bigint as at from range(6000) t(i)) to 'FOLDER/odd.parquet' (format parquet)`);
    const odd = {
      blob: "STRING",
      span: "STRING",
      clock: "STRING",
      kind: "STRING",
      bits: "STRING",
      nested: "STRING",
      at: "TIMESTAMP_SECONDS",
    } as const;
    const { columns, coverage } = await profileOf(datasetOver("odd.parquet", odd, { temporalField: "at" }));
    expect(columns.map(({ distinct, isApproximate }) => (isApproximate ? "about" : distinct))).toEqual([1, 1, 1, 1, 1, "about", 1]);
    expect(coverage).toBeNull();
  });

  it("estimates the distinct values of a column that has many, and finds its frequent texts", async () => {
    const { columns } = await profileOf(many);
    const named = (name: string) => columns.find((column) => column.name === name);
    expect(columns).toHaveLength(68);
    expect(named("c60")).toMatchObject({ distinct: 61, min: 0, max: 60, isApproximate: false, empty: 0 });
    const key = named("key");
    expect(key).toMatchObject({ isApproximate: true, top: [], histogram: [], min: "key 0", max: "key 9999" });
    expect(key?.distinct).toBeGreaterThan(15_000);
    expect(key?.distinct).toBeLessThanOrEqual(20_000);
    expect(named("skewed")?.top[0]).toEqual({ value: "often", rows: 6_667 });
    for (const name of ["n", "x", "at"]) {
      const column = named(name);
      expect(column).toMatchObject({ isApproximate: true, top: [] });
      expect(column?.histogram).toHaveLength(20);
      expect(column?.histogram.reduce((sum, { rows }) => sum + rows, 0)).toBe(name === "at" ? 19_999 : 20_000);
    }
    expect(named("n")?.histogram.every(({ rows }) => rows === 1_000)).toBe(true);
    expect(named("at")?.empty).toBe(1);
  });

  it("samples positions that are on a map", async () => {
    const { positions } = await profileOf(many);
    expect(positions).toHaveLength(300);
    expect(positions.every(([lat, lng]) => lat >= 0 && lat <= 20 && lng === -120.12)).toBe(true);
    expect((await profileOf(few)).positions).toEqual([]);
  });

  it("samples positions whose longitudes go on to 360 as those of 360 less, and none out of range", async () => {
    await bench.prepare(
      `copy (select lat::double as lat, lng::double as lng from (values (21, 201.2), (-2, 268.4), (5, 360), (5, 360.1), (95, 10), (0, -181)) as rows(lat, lng))
       to 'FOLDER/eastward.parquet' (format parquet)`,
    );
    const eastward = datasetOver(
      "eastward.parquet",
      { lat: "decimal", lng: "decimal" },
      { location: { latitude: "lat", longitude: "lng" } },
    );
    const { positions } = await profileOf(eastward);
    expect(positions.toSorted(([, one], [, other]) => one - other)).toEqual([
      [21, -158.8],
      [-2, -91.6],
      [5, 0],
    ]);
  });

  it("cuts long texts, and replaces a character that PostgreSQL cannot store", async () => {
    await bench.prepare(
      `copy (select repeat('😀', 5000) as text, 'a' || chr(0) || 'b' as zero from range(3)) to 'FOLDER/texts.parquet' (format parquet)`,
    );
    const { columns } = await profileOf(datasetOver("texts.parquet", { text: "STRING", zero: "STRING" }));
    const cut = `${"😀".repeat(120)}…`;
    expect(columns[0]).toMatchObject({ distinct: 1, min: cut, max: cut, top: [{ value: cut, rows: 3 }] });
    expect(columns[1]).toMatchObject({ min: "a\uFFFDb", top: [{ value: "a\uFFFDb", rows: 3 }] });
  });

  it("reads CSV and JSON files like the columns they are described as", async () => {
    await bench.prepare(`copy (select i as id, 'n' || i % 2 as name from range(50) t(i)) to 'FOLDER/rows.csv' (format csv, header)`);
    const { rows, columns } = await profileOf(datasetOver("rows.csv", { id: "integer", name: "STRING" }, { format: "csv" }));
    expect([rows, columns[0]?.max, columns[1]?.top]).toEqual([
      50,
      49,
      [
        { value: "n0", rows: 25 },
        { value: "n1", rows: 25 },
      ],
    ]);
  });

  it("stops when its call is aborted", async () => {
    const aborted = engineCall(AbortSignal.abort(), "portal");
    await expect(bench.engine.profileDataset(few, { conditions: [], timeoutMs: 60_000 }, aborted)).rejects.toMatchObject({
      reason: "abandoned",
    });
  });
});
