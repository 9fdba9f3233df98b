import { splitAtAntimeridian } from "@fairway/contract/antimeridian";
import { type Ring, ringProblem } from "@fairway/contract/areas";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchQuery } from "#query/engine.ts";
import { datasetOver } from "./test-files.ts";
import {
  degrees,
  real,
  opened,
  openPositions,
  within,
  everywhere,
  search,
  realPositions,
  count,
  winding,
  star,
  compareWithWinding,
} from "#testing/areas.ts";

const grid = datasetOver("grid.parquet", degrees);
const eastward = datasetOver("eastward.parquet", degrees);
const single = datasetOver("single.parquet", degrees);

beforeAll(openPositions);

afterAll(() => opened.bench.close());

describe("[SEARCH-57] rows within an area", () => {
  it.each([3, 48, 49, 500])("match the winding number for %i corners, on real positions", async (corners) => {
    await expect(compareWithWinding(corners)).resolves.toBeUndefined();
  });

  it("are found once each if the area has several shapes", async () => {
    const rings = [
      star(7, 5, { lat: 20.3, lng: -60.1 }, 15),
      star(120, 6, { lat: 22.7, lng: -62.9 }, 15),
      star(4, 7, { lat: 40.1, lng: -50.3 }, 6),
    ];
    const all = await realPositions();
    expect(await count(real, within(rings))).toBe(all.filter((row) => rings.some((ring) => winding(row, ring) !== 0)).length);
  });

  it("include those on south and west edges but not on the others, so that neighbors share no row", async () => {
    const square = (west: number, south: number): Ring => [
      { lat: south, lng: west },
      { lat: south, lng: west + 10 },
      { lat: south + 10, lng: west + 10 },
      { lat: south + 10, lng: west },
    ];
    for (const dataset of [grid, single, eastward]) {
      for (const [west, south] of [
        [0, 0],
        [-160, 0],
        [-10, -5],
        [170, 0],
      ] as const) {
        expect(await count(dataset, within([square(west, south)]))).toBe(west === 170 ? 110 + 10 : 100);
      }
      expect(await count(dataset, within([square(0, 0), square(10, 0)]))).toBe(200);
      expect(await count(dataset, within([square(-160, 0), square(-150, 0), square(30, 0)]))).toBe(300);
    }
  });

  it("exclude rows without a position, and include all others if the area is the whole world", async () => {
    const world: Ring = [
      { lat: -90, lng: -180 },
      { lat: -90, lng: 180 },
      { lat: 90, lng: 180 },
      { lat: 90, lng: -180 },
    ];
    for (const dataset of [grid, single, eastward]) expect(await count(dataset, within([world]))).toBe(181 * 361);
  });

  it("include rows on the antimeridian, whether at 180 or -180, and on a pole if the area reaches them", async () => {
    const box = (west: number, south: number, east: number, north: number): Ring => [
      { lat: south, lng: west },
      { lat: south, lng: east },
      { lat: north, lng: east },
      { lat: north, lng: west },
    ];
    const positionsIn = async (ring: Ring) => {
      const rows = await search(grid, within([ring]));
      return [...new Set(rows.map(({ lat, lng }) => `${lat} ${lng}`))].toSorted();
    };
    expect(await positionsIn(box(178.5, 0, 180, 1))).toEqual(["0 -180", "0 179", "0 180"]);
    expect(await positionsIn(box(-180, 0, -178.5, 1))).toEqual(["0 -179", "0 -180", "0 180"]);
    expect(await positionsIn(box(178.5, 0, 179.5, 1))).toEqual(["0 179"]);
    expect(await positionsIn(box(0, 88.5, 2, 90))).toEqual(["89 0", "89 1", "90 0", "90 1"]);
    expect(await positionsIn(box(0, -90, 2, -89))).toEqual(["-90 0", "-90 1"]);
    // A ring that touches the antimeridian in one corner includes no row elsewhere on it.
    expect(await positionsIn([...box(178.5, 0, 179.5, 1).slice(0, 3), { lat: 5, lng: 180 }])).toEqual(["0 179", "1 179"]);
  });

  it("are found on both sides of the antimeridian", async () => {
    const fiji = splitAtAntimeridian([
      { lat: -19.5, lng: 175.5 },
      { lat: -19.5, lng: 184.5 },
      { lat: -15.5, lng: 184.5 },
      { lat: -15.5, lng: 175.5 },
    ]);
    const found = await search(grid, within(fiji));
    // The grid contains the antimeridian as 180 and as -180.
    expect([...new Set(found.map(({ lng }) => lng))].toSorted((a, b) => a - b)).toEqual([
      -180, -179, -178, -177, -176, 176, 177, 178, 179, 180,
    ]);
    expect(found).toHaveLength(10 * 4);
  });

  it("match the winding number of shapes drawn anywhere, including across the antimeridian and up to the poles", async () => {
    await opened.bench.prepare(
      `copy (select row_number() over () as id, lat::double as lat, lng::double as lng from range(-90, 91, 5) a(lat), range(-180, 181, 5) b(lng))
       to 'FOLDER/coarse.parquet' (format parquet)`,
    );
    await opened.bench.prepare(
      `copy (select id, lat, case when lng < 0 then lng + 360 else lng end as lng from 'FOLDER/coarse.parquet')
       to 'FOLDER/coarse-eastward.parquet' (format parquet)`,
    );
    const coarse = datasetOver("coarse.parquet", degrees);
    const turned = datasetOver("coarse-eastward.parquet", degrees);
    const all = await search(coarse, everywhere);
    const drawn = fc
      .record({
        corners: fc.integer({ min: 3, max: 30 }),
        seed: fc.integer({ min: 1, max: 2_000_000_000 }),
        lat: fc.double({ min: -80, max: 80, noNaN: true }),
        // Across the map and beyond its edges.
        lng: fc.oneof(fc.double({ min: -190, max: 190, noNaN: true }), fc.double({ min: 170, max: 190, noNaN: true })),
        radius: fc.double({ min: 1, max: 60, noNaN: true }),
      })
      .map(({ corners, seed, lat, lng, radius }) =>
        star(corners, seed, { lat, lng }, radius).map((corner) => ({ lat: Math.max(-90, Math.min(90, corner.lat)), lng: corner.lng })),
      )
      // A shape clipped at the pole may touch itself there, which is not allowed.
      .filter((ring) => ringProblem(ring) === null);
    await fc.assert(
      fc.asyncProperty(drawn, async (ring) => {
        // Each position on the drawn map, including copies one world to the west and east; the antimeridian has two longitudes.
        const turns = (lng: number) => (Math.abs(lng) === 180 ? [-540, -180, 180, 540] : [lng - 360, lng, lng + 360]);
        const nudged = (lat: number) => (lat === 90 ? 90 - 1e-9 : lat === -90 ? -90 + 1e-9 : lat);
        const expected = all.filter(({ lat, lng }) => turns(lng).some((turned) => winding({ lat: nudged(lat), lng: turned }, ring) !== 0));
        for (const dataset of [coarse, turned]) {
          const found = await search(dataset, within(splitAtAntimeridian(ring)));
          expect(found.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(expected.map(({ id }) => id).toSorted((a, b) => a - b));
        }
      }),
      { numRuns: 20 },
    );
  });

  it("have longitudes of 180 to 360 in any type, and those on an edge as written", async () => {
    // 201.2 is -158.8, as a text of an area says it.
    const stored = ["double", "float", "decimal(7,2)", "decimal(38,10)"];
    const west = { lat: 20, lng: -158.8 };
    const ring: Ring = [west, { lat: 20, lng: -150 }, { lat: 30, lng: -150 }, { lat: 30, lng: -158.8 }];
    for (const type of stored) {
      await opened.bench.prepare(
        `copy (select row_number() over () as id, 25::double as lat, lng::${type} as lng from (values (201.2), (-158.8), (201.1), (210), (400), (-160.5)) as rows(lng))
         to 'FOLDER/types.parquet' (format parquet)`,
      );
      const found = await search(datasetOver("types.parquet", degrees), within([ring]));
      // A single-precision 201.2 is a little less than that.
      expect(found.map(({ id }) => id)).toEqual(type === "float" ? [] : [1, 2]);
    }
    await opened.bench.prepare(
      `copy (select row_number() over () as id, 25::smallint as lat, lng::smallint as lng from (values (201), (202), (-158), (200), (360), (0)) as rows(lng))
       to 'FOLDER/whole.parquet' (format parquet)`,
    );
    const whole = datasetOver("whole.parquet", { ...degrees, lat: "integer", lng: "integer" });
    expect((await search(whole, within([ring]))).map(({ id }) => id)).toEqual([2, 3]);
  });

  it("are counted where their coordinates are no place", async () => {
    await opened.bench.prepare(
      `copy (select row_number() over () as id, lat::double as lat, lng::double as lng from (values (90, 360), (-90, -180), (90.1, 0), (0, 360.5),
         (0, -180.5), (-91, 400), (null, 400), (100, null), ('nan'::double, 0), (0, 'inf'::double)) as rows(lat, lng))
       to 'FOLDER/beyond.parquet' (format parquet)`,
    );
    const beyond: SearchQuery = { ...everywhere, area: { latitude: "lat", longitude: "lng", rings: "out-of-range" } };
    expect((await search(datasetOver("beyond.parquet", degrees), beyond)).map(({ id }) => id)).toEqual([3, 4, 5, 6]);
  });
});
