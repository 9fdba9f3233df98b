import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchQuery } from "#query/engine.ts";
import { datasetOver } from "./test-files.ts";
import { few, many, opened, openProfiles, profileOf } from "#testing/profiled-rows.ts";

beforeAll(openProfiles);

afterAll(() => opened.bench.close());

describe("the profile of a dataset", () => {
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

  it("reads every type of value, and times that no calendar shows", async () => {
    await opened.bench
      .prepare(`copy (select 'ab'::blob as blob, interval 3 days as span, time '10:00' as clock, 'a'::enum('a', 'b') as kind, '101'::bit as bits,
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

  it("reads CSV and JSON files like the columns they are described as", async () => {
    await opened.bench.prepare(`copy (select i as id, 'n' || i % 2 as name from range(50) t(i)) to 'FOLDER/rows.csv' (format csv, header)`);
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
});
