import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { datasetOver } from "./test-files.ts";
import { call, types, few, many, opened, openProfiles, profileOf } from "#testing/profiled-rows.ts";

const everything = { timeRange: null, area: null, conditions: [] } as const;

beforeAll(openProfiles);

afterAll(() => opened.bench.close());

describe("the profile of a dataset", () => {
  it("equals the profiles of its columns if they have few values", async () => {
    const { rows, columns } = await profileOf(few);
    expect(rows).toBe(1_000);
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(types));
    for (const { name, type, isApproximate, top, ...column } of columns) {
      const { rows: _, top: expectedTop, ...expected } = await opened.bench.engine.profile(few, name, everything, call);
      expect({ name, isApproximate, type }).toEqual({ name, isApproximate: false, type: types[name as keyof typeof types] });
      expect({ name, ...column }).toEqual({ name, ...expected });
      expect(top.map((one) => one.rows)).toEqual(expectedTop.map((one) => one.rows));
    }
    // The range is beyond what a number can hold.
    expect(columns.find(({ name }) => name === "wide")).toMatchObject({ distinct: 2, min: -1.7e308, histogram: [] });
  });

  it("has the same counts in pictures of columns", async () => {
    for (const dataset of [few, many]) {
      const { rows, columns } = await opened.bench.engine.columnDistributions(dataset, dataset.columns, everything, call);
      const pictures = await opened.bench.engine.columnPictures(dataset, dataset.columns, rows, call);
      // Of integers near 2^53, which are counted as doubles there, pictures are exact.
      const withPicture = columns.filter(({ name, histogram, top }) => name !== "big" && histogram.length + top.length > 0);
      expect(withPicture.length).toBeGreaterThan(3);
      for (const { name, histogram, top, min, max } of withPicture) {
        const counts = (histogram.length > 0 ? histogram : top).map((one) => one.rows);
        expect(pictures.find((picture) => picture.name === name)).toEqual({ name, counts, least: min, greatest: max });
      }
      expect(pictures.map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
    }
  });

  it("covers only rows that match the conditions", async () => {
    const conditions = [{ column: "id", type: "integer", operator: "<", value: 100n } as const];
    const { rows, columns } = await profileOf(few, conditions);
    expect(rows).toBe(100);
    expect(columns.find(({ name }) => name === "id")).toMatchObject({ min: 0, max: 99, distinct: 100 });
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
    await opened.bench.prepare(
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

  it("samples positions that are on a map", async () => {
    const { positions } = await profileOf(many);
    expect(positions).toHaveLength(300);
    expect(positions.every(([lat, lng]) => lat >= 0 && lat <= 20 && lng === -120.12)).toBe(true);
    expect((await profileOf(few)).positions).toEqual([]);
  });

  it("samples positions whose longitudes go on to 360 as those of 360 less, and none out of range", async () => {
    await opened.bench.prepare(
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
    await opened.bench.prepare(
      `copy (select repeat('😀', 5000) as text, 'a' || chr(0) || 'b' as zero from range(3)) to 'FOLDER/texts.parquet' (format parquet)`,
    );
    const { columns } = await profileOf(datasetOver("texts.parquet", { text: "STRING", zero: "STRING" }));
    const cut = `${"😀".repeat(120)}…`;
    expect(columns[0]).toMatchObject({ distinct: 1, min: cut, max: cut, top: [{ value: cut, rows: 3 }] });
    expect(columns[1]).toMatchObject({ min: "a\uFFFDb", top: [{ value: "a\uFFFDb", rows: 3 }] });
  });

  it("stops when its call is aborted", async () => {
    const aborted = engineCall(AbortSignal.abort(), "portal");
    await expect(opened.bench.engine.profileDataset(few, { conditions: [], timeoutMs: 60_000 }, aborted)).rejects.toMatchObject({
      reason: "abandoned",
    });
  });
});
