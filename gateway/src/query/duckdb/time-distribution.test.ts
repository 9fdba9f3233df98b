import type { ColumnType } from "@fairway/contract/columns";
import { maxTimeBuckets } from "@fairway/contract/distributions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { QueryableDataset, TimeDistributionQuery } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import { type EngineBench, datasetOver, engineBench } from "./test-files.ts";

type Narrowing = TimeDistributionQuery;

const call = engineCall();
const everything: Narrowing = { timeRange: null, area: null, conditions: [] };
const types = {
  id: "integer",
  at: "TIMESTAMP_MILLS",
  day: "TIMESTAMP_SECONDS",
  epoch: "TIMESTAMP_SECONDS",
  old: "TIMESTAMP_MILLS",
  endless: "TIMESTAMP_MILLS",
} as const satisfies Record<string, ColumnType>;

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(`copy (select i as id, timestamp '2004-08-01 00:00:30.250' + to_hours(i * 5) as at, date '2003-12-30' + i::integer as day,
    1_000_000 + i * 3_600 as epoch, timestamp '0001-03-01' + to_years((i * 8)::integer) as old,
    case i when 0 then 'infinity'::timestamp when 1 then null else timestamp '2020-02-28 23:59:59.999' + to_milliseconds(i - 2) end as endless
    from range(1000) t(i)) to 'FOLDER/times.parquet' (format parquet)`);
});
afterAll(() => bench.close());

const datasetBy = (temporalField: keyof typeof types | null, overrides: Partial<QueryableDataset> = {}): QueryableDataset =>
  datasetOver("times.parquet", types, { temporalField, ...overrides });
const over = (temporalField: keyof typeof types, query: Partial<Narrowing> = {}) =>
  bench.engine.timeDistribution(datasetBy(temporalField), { ...everything, ...query }, call);
const idBelow = (value: number): Partial<Narrowing> => ({
  conditions: [{ column: "id", type: "integer", operator: "<", value: BigInt(value) }],
});
const range = (column: keyof typeof types, start: string, end: string): Partial<Narrowing> => ({
  timeRange: { column, type: types[column], startMs: Date.parse(start), endMs: Date.parse(end) },
});
const starts = ({ buckets }: { buckets: readonly { startMs: number; rows: number }[] }) =>
  buckets.map(({ startMs, rows }) => [new Date(startMs).toISOString().replace(":00.000Z", ""), rows] as const);

describe("a time distribution", () => {
  it.each([
    ["at", 1_000, "day", 2],
    ["at", 200, "hour", 12],
    ["at", 3, "minute", 10],
    ["day", 1_000, "week", 2],
    ["day", 30, "day", 1],
    ["epoch", 1_000, "hour", 12],
    ["old", 1_000, "year", 100],
    ["old", 8, "month", 6],
  ] as const)("of %s over %d rows has whole units and every row", async (column, rows, unit, size) => {
    const query = idBelow(rows);
    const found = await over(column, query);
    expect([found.unit, found.size]).toEqual([unit, size]);
    expect(found.buckets.length).toBeLessThanOrEqual(maxTimeBuckets);
    expect(found.buckets.reduce((sum, bucket) => sum + bucket.rows, 0)).toBe(rows);
    expect(found.buckets.at(0)?.rows).toBeGreaterThan(0);
    expect(found.buckets.at(-1)?.rows).toBeGreaterThan(0);
    found.buckets.slice(1).forEach(({ startMs }, index) => expect(startMs).toBe(found.buckets[index]?.endMs));
  });

  it("counts rows where they are, with empty buckets in between", async () => {
    const found = await over("at", range("at", "2004-08-01T00:00:00Z", "2004-08-01T12:00:00Z"));
    expect([found.unit, found.size]).toEqual(["minute", 10]);
    expect(starts(found).filter(([, rows]) => rows > 0)).toEqual([
      ["2004-08-01T00:00", 1],
      ["2004-08-01T05:00", 1],
      ["2004-08-01T10:00", 1],
    ]);
    expect(found.buckets).toHaveLength(61);
    expect(found.newestMs).toBe(Date.parse("2004-08-01T10:00:30.250Z"));
  });

  it("has weeks from Monday, and months and years from their first day", async () => {
    const weeks = await over("day", idBelow(700));
    expect([weeks.unit, weeks.size]).toEqual(["week", 1]);
    expect(new Set(weeks.buckets.map(({ startMs }) => new Date(startMs).getUTCDay()))).toEqual(new Set([1]));
    const months = await over("old", idBelow(8));
    expect(new Set(months.buckets.map(({ startMs }) => new Date(startMs).toISOString().slice(5)))).toEqual(
      new Set(["01-01T00:00:00.000Z", "07-01T00:00:00.000Z"]),
    );
  });

  it("has no finer buckets than the data", async () => {
    const found = await over("day", idBelow(3));
    expect(starts(found)).toEqual([
      ["2003-12-30T00:00", 1],
      ["2003-12-31T00:00", 1],
      ["2004-01-01T00:00", 1],
    ]);
  });

  it("has buckets of one day where days are asked for, however far apart the rows are", async () => {
    // Alone and at midnight, so that other searches take years for its interval.
    const alone = await over("old", { ...range("old", "0009-02-01T00:00:00Z", "0009-04-30T23:59:59Z"), byDay: true });
    expect([alone.unit, alone.size, starts(alone)]).toEqual(["day", 1, [["0009-03-01T00:00", 1]]]);
    const close = await over("at", { ...range("at", "2004-08-01T12:00:00Z", "2004-08-03T23:59:59Z"), byDay: true });
    expect([close.unit, close.size, starts(close)]).toEqual([
      "day",
      1,
      [
        ["2004-08-01T00:00", 2],
        ["2004-08-02T00:00", 5],
        ["2004-08-03T00:00", 5],
      ],
    ]);
  });

  it("leaves out rows without a time and infinite times", async () => {
    const found = await over("endless");
    expect(found.buckets.reduce((sum, { rows }) => sum + rows, 0)).toBe(998);
    expect(starts(found)).toEqual([
      ["2020-02-28T23:59", 1],
      ["2020-02-29T00:00", 997],
    ]);
  });

  it("is empty without rows or without a temporal field", async () => {
    await expect(over("at", idBelow(0))).resolves.toEqual({ unit: "day", size: 1, buckets: [], newestMs: null });
    await expect(over("at", range("at", "1900-01-01T00:00:00Z", "1900-12-31T00:00:00Z"))).resolves.toMatchObject({ buckets: [] });
    await expect(bench.engine.timeDistribution(datasetBy(null), everything, call)).resolves.toMatchObject({ buckets: [] });
  });
});
