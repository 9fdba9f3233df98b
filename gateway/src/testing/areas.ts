import { fileURLToPath } from "node:url";
import type { Point, Ring } from "@fairway/contract/areas";
import { expect } from "vitest";
import type { SearchQuery } from "#query/engine.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "../query/duckdb/test-files.ts";
import { engineCall } from "./engine-call.ts";

const call = engineCall();

const storms = fileURLToPath(new URL("../../../demo/data/storms.parquet", import.meta.url));

export const degrees = { id: "integer", lat: "decimal", lng: "decimal" } as const;

export const real = datasetOver("storms.parquet", degrees);

export const opened = {} as { bench: EngineBench; positions: Promise<Row[]> | undefined };

export async function openPositions(): Promise<void> {
  opened.bench = await engineBench();
  await opened.bench.prepare(
    `copy (select row_number() over () as id, lat, lng from '${storms}') to 'FOLDER/storms.parquet' (format parquet)`,
  );
  // Every whole degree, and rows without a position.
  const places = `select lat::double as lat, lng::double as lng from range(-90, 91) a(lat), range(-180, 181) b(lng)
    union all values (null, null), (0, null), (null, 0), ('nan'::double, 0), ('-inf'::double, 0), (1e300, 0), (0, 'inf'::double)`;
  await opened.bench.prepare(`copy (select row_number() over () as id, * from (${places})) to 'FOLDER/grid.parquet' (format parquet)`);
  // The same places with longitudes of 0 to 360.
  await opened.bench.prepare(
    `copy (select id, lat, case when lng < 0 and isfinite(lng) then lng + 360 else lng end as lng from 'FOLDER/grid.parquet')
     to 'FOLDER/eastward.parquet' (format parquet)`,
  );
  await opened.bench.prepare(
    `copy (select row_number() over () as id, lat::float as lat, lng::decimal(9,3) as lng from (${places}) where lng < 1000 and lat < 100)
     to 'FOLDER/single.parquet' (format parquet)`,
  );
}

export const within = (rings: readonly Ring[]): SearchQuery => ({
  timeRange: null,
  area: { latitude: "lat", longitude: "lng", rings },
  conditions: [],
  sort: [],
  offset: 0,
  limit: 100_000,
});

export const everywhere: SearchQuery = { ...within([]), area: null };

type Row = Point & { readonly id: number };

export const search = async (dataset: typeof real, query: SearchQuery) =>
  (await rowsOf(await opened.bench.engine.search(dataset, query, call))) as unknown as Row[];

export const realPositions = () => (opened.positions ??= search(real, everywhere));

export const count = async (dataset: typeof real, query: SearchQuery) =>
  (await opened.bench.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], query, call))[0]?.[0];

/** The ring's winding number around a point, summed from the angles of its edges. Undefined for points on an edge. */
export function winding({ lat, lng }: Point, ring: Ring): number {
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
export function star(corners: number, seed: number, center: Point, radius: number): Ring {
  let state = seed;
  const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * (index + 0.01)) / corners;
    const reach = radius * (0.25 + 0.75 * random());
    return { lat: center.lat + reach * Math.sin(angle) * 0.6, lng: center.lng + reach * Math.cos(angle) };
  });
}

/** Compares the real positions within a star with those of which its winding number is not 0. */
export async function compareWithWinding(corners: number): Promise<void> {
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
}
