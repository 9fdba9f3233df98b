import { fileURLToPath } from "node:url";
import { splitAtAntimeridian } from "@fairway/contract/antimeridian";
import { type Point, type Ring, ringProblem } from "@fairway/contract/areas";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchQuery } from "#query/engine.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";
import { engineCall } from "#testing/engine-call.ts";

const call = engineCall();
const storms = fileURLToPath(new URL("../../../../demo/data/storms.parquet", import.meta.url));
const degrees = { id: "integer", lat: "decimal", lng: "decimal" } as const;
const real = datasetOver("storms.parquet", degrees);
const grid = datasetOver("grid.parquet", degrees);
const eastward = datasetOver("eastward.parquet", degrees);
const single = datasetOver("single.parquet", degrees);

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(`copy (select row_number() over () as id, lat, lng from '${storms}') to 'FOLDER/storms.parquet' (format parquet)`);
  // Every whole degree, and rows without a position.
  const positions = `select lat::double as lat, lng::double as lng from range(-90, 91) a(lat), range(-180, 181) b(lng)
    union all values (null, null), (0, null), (null, 0), ('nan'::double, 0), ('-inf'::double, 0), (1e300, 0), (0, 'inf'::double)`;
  await bench.prepare(`copy (select row_number() over () as id, * from (${positions})) to 'FOLDER/grid.parquet' (format parquet)`);
  // The same places with longitudes of 0 to 360.
  await bench.prepare(
    `copy (select id, lat, case when lng < 0 and isfinite(lng) then lng + 360 else lng end as lng from 'FOLDER/grid.parquet')
     to 'FOLDER/eastward.parquet' (format parquet)`,
  );
  await bench.prepare(
    `copy (select row_number() over () as id, lat::float as lat, lng::decimal(9,3) as lng from (${positions}) where lng < 1000 and lat < 100)
     to 'FOLDER/single.parquet' (format parquet)`,
  );
});
afterAll(() => bench.close());

const within = (rings: readonly Ring[]): SearchQuery => ({
  timeRange: null,
  area: { latitude: "lat", longitude: "lng", rings },
  conditions: [],
  sort: [],
  offset: 0,
  limit: 100_000,
});
const everywhere: SearchQuery = { ...within([]), area: null };

type Row = Point & { readonly id: number };
const search = async (dataset: typeof real, query: SearchQuery) =>
  (await rowsOf(await bench.engine.search(dataset, query, call))) as unknown as Row[];
let positions: Promise<Row[]> | undefined;
const realPositions = () => (positions ??= search(real, everywhere));
const count = async (dataset: typeof real, query: SearchQuery) =>
  (await bench.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], query, call))[0]?.[0];

/** The ring's winding number around a point, summed from the angles of its edges. Undefined for points on an edge. */
function winding({ lat, lng }: Point, ring: Ring): number {
  const directionOf = (corner: Point) => Math.atan2(corner.lat - lat, corner.lng - lng);
  let turned = 0;
  let from = directionOf(ring.at(-1) as Point);
  for (const corner of ring) {
    const to = directionOf(corner);
    const angle = to - from;
    turned += angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
    from = to;
  }
  return Math.round(turned / (2 * Math.PI));
}

/** A jagged ring with this many corners that does not cross itself; deterministic for a seed. */
function star(corners: number, seed: number, center: Point, radius: number): Ring {
  let state = seed;
  const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * (index + 0.01)) / corners;
    const reach = radius * (0.25 + 0.75 * random());
    return { lat: center.lat + reach * Math.sin(angle) * 0.6, lng: center.lng + reach * Math.cos(angle) };
  });
}

describe("[SEARCH-57] rows within an area", () => {
  it.each([3, 4, 5, 47, 48, 49, 50, 200, 500, 2_000])("match the winding number for %i corners, on real positions", async (corners) => {
    const all = await realPositions();
    expect(all.length).toBeGreaterThan(10_000);
    for (const seed of corners > 100 ? [22] : [1, 22, 333]) {
      const ring = star(corners, seed, { lat: 24.123, lng: -71.457 }, 29.77);
      // Computing winding numbers takes long for many edges, so only some positions are compared then.
      const step = corners < 40 ? 1 : corners < 500 ? 3 : 16;
      const isCompared = ({ id }: Row) => id % step === 0;
      const expected = all.filter((row) => isCompared(row) && winding(row, ring) !== 0).map(({ id }) => id);
      expect(expected.length).toBeGreaterThan(50);
      const found = await search(real, within([ring]));
      const compared = found.filter(isCompared).map(({ id }) => id);
      expect(compared.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
      expect(await count(real, within([ring.toReversed()]))).toBe(found.length);
    }
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
    await bench.prepare(
      `copy (select row_number() over () as id, lat::double as lat, lng::double as lng from range(-90, 91, 5) a(lat), range(-180, 181, 5) b(lng))
       to 'FOLDER/coarse.parquet' (format parquet)`,
    );
    await bench.prepare(
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
      await bench.prepare(
        `copy (select row_number() over () as id, 25::double as lat, lng::${type} as lng from (values (201.2), (-158.8), (201.1), (210), (400), (-160.5)) as rows(lng))
         to 'FOLDER/types.parquet' (format parquet)`,
      );
      const found = await search(datasetOver("types.parquet", degrees), within([ring]));
      // A single-precision 201.2 is a little less than that.
      expect(found.map(({ id }) => id)).toEqual(type === "float" ? [] : [1, 2]);
    }
    await bench.prepare(
      `copy (select row_number() over () as id, 25::smallint as lat, lng::smallint as lng from (values (201), (202), (-158), (200), (360), (0)) as rows(lng))
       to 'FOLDER/whole.parquet' (format parquet)`,
    );
    const whole = datasetOver("whole.parquet", { ...degrees, lat: "integer", lng: "integer" });
    expect((await search(whole, within([ring]))).map(({ id }) => id)).toEqual([2, 3]);
  });

  it("are counted where their coordinates are no place", async () => {
    await bench.prepare(
      `copy (select row_number() over () as id, lat::double as lat, lng::double as lng from (values (90, 360), (-90, -180), (90.1, 0), (0, 360.5),
         (0, -180.5), (-91, 400), (null, 400), (100, null), ('nan'::double, 0), (0, 'inf'::double)) as rows(lat, lng))
       to 'FOLDER/beyond.parquet' (format parquet)`,
    );
    const beyond: SearchQuery = { ...everywhere, area: { latitude: "lat", longitude: "lng", rings: "out-of-range" } };
    expect((await search(datasetOver("beyond.parquet", degrees), beyond)).map(({ id }) => id)).toEqual([3, 4, 5, 6]);
  });
});
