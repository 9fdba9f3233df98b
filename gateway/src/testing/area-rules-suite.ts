import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { type Point, type Ring, ringText } from "@fairway/contract/areas";
import { pointOf } from "@fairway/contract/positions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partOf } from "#capabilities/datasets/reader-part.ts";
import { datasetOver, rowsOf } from "#query/duckdb/test-files.ts";
import type { QueryEngine } from "#query/engine.ts";
import { buildColumn, buildDataset } from "#testing/dataset-app.ts";
import { engineCall } from "#testing/engine-call.ts";
import { someUser } from "#testing/some-user.ts";
import type { SqlEngineUnderTest } from "#testing/sql-engine-suite.ts";

interface Row {
  readonly id: number;
  readonly lat: number | null;
  readonly lng: number | null;
}

/** The same numbers at each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const next = numbers(23);
const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));

/** The poles, the antimeridian from both sides, longitudes that go on eastward to 360, and what is no position. */
const edges = {
  lat: [90, -90, 89.9, -89.9, 0, 45, -45, null, Number.NaN, 91, Number.POSITIVE_INFINITY],
  lng: [180, -180, 179.9, -179.9, 0, 90, -90, 180.1, 270, 359.9, 360, null, Number.NaN, 361, -181],
};
const corners = edges.lat.flatMap((lat) => edges.lng.map((lng) => ({ lat, lng })));
const scattered = Array.from({ length: 235 }, () => ({
  lat: between(-900, 900) / 10,
  lng: between(-1_800, next() < 0.3 ? 3_600 : 1_800) / 10,
}));
const rows: readonly Row[] = [...corners, ...scattered].map(({ lat, lng }, id) => ({ id, lat, lng }));

const select = (): string => {
  const value = (degrees: number | null): string => `cast(${degrees === null ? "null" : `'${degrees}'`} as double)`;
  return `select * from (values ${rows.map(({ id, lat, lng }) => `(${id}, ${value(lat)}, ${value(lng)})`).join(", ")}) as places(id, lat, lng)`;
};

const box = (west: number, south: number, east: number, north: number): Ring => [
  { lng: west, lat: south },
  { lng: east, lat: south },
  { lng: east, lat: north },
  { lng: west, lat: north },
];

/** A ring whose corners lie between the tenths of degrees where rows are, besides those at the edges of the world. */
const between10ths = (degrees: number): number => degrees + 0.037;

/** Shapes that one grant names: a box, two boxes or triangles that meet at the antimeridian, the cap of a pole, or any triangle. */
const shapes: readonly (() => Ring[])[] = [
  () => {
    const [west, south] = [between(-180, 170), between(-90, 80)];
    return [box(west, south, between(west + 1, 180), between(south + 1, 90))];
  },
  () => {
    const [south, north] = [between(-90, 0), between(1, 90)];
    return [box(between(0, 179), south, 180, north), box(-180, south, between(-179, 0), north)];
  },
  () => {
    const tip = between10ths(between(-60, 60));
    const [south, north] = [between10ths(between(-89, -62)), between10ths(between(62, 88))];
    const half = (side: number): Ring => [
      { lng: side, lat: south },
      { lng: side, lat: north },
      { lng: side * (between10ths(between(60, 170)) / 180), lat: tip },
    ];
    return [half(180), half(-180)];
  },
  () => [pick([box(-180, between(30, 89), 180, 90), box(-180, -90, 180, between(-89, -30)), box(-180, -90, 180, 90)])],
  () => {
    const pole = pick([90, -90]);
    const west = between10ths(between(-179, 100));
    return [
      [
        { lng: west, lat: pole },
        { lng: between10ths(between(Math.floor(west) + 1, 178)), lat: pole },
        { lng: between10ths(between(-179, 178)), lat: between10ths(between(-60, 60)) },
      ],
    ];
  },
];

/** In plain code: rows on an edge of the world are within a ring that reaches it, from whichever side. */
function isWithin({ lat, lng }: Row, ring: Ring): boolean {
  if (lat === null || lng === null) return false;
  const point = pointOf(lat, lng);
  if (point === null) return false;
  const reaches = (degrees: number) => ring.some((corner) => corner.lng === degrees);
  const north = Math.max(...ring.map((corner) => corner.lat));
  const inside = { ...point, lat: point.lat === 90 && north === 90 ? 90 - 1e-9 : point.lat };
  if (Math.abs(point.lng) !== 180) return isOdd(inside, ring);
  return (reaches(-180) && isOdd({ ...inside, lng: -180 + 1e-9 }, ring)) || (reaches(180) && isOdd({ ...inside, lng: 180 - 1e-9 }, ring));
}

/** South and west edges belong to a ring. */
const isOdd = ({ lat, lng }: Point, ring: Ring): boolean =>
  ring.filter((from, index) => {
    const to = ring[(index + 1) % ring.length] as Point;
    if (from.lat <= lat === to.lat <= lat) return false;
    return from.lng + ((lat - from.lat) * (to.lng - from.lng)) / (to.lat - from.lat) <= lng;
  }).length %
    2 ===
  1;

/** Rules of one or two aspects, each with areas as an administrator writes them. */
const cases = Array.from({ length: 30 }, () =>
  Array.from({ length: between(1, 2) }, () => Array.from({ length: between(1, 3) }, () => pick(shapes)())),
);

const accessOf = (rules: (typeof cases)[number]): DatasetAccess => ({
  rules: rules.map((grants, index) => ({
    name: `Area ${index}`,
    grants: grants.map((rings) => ({
      roles: ["*"],
      rows: { geospatial: { polygons: rings.map(ringText), antimeridianPolygons: false } },
    })),
  })),
  // Columns that a rule names are read as stored, also where nobody has them.
  columns: [{ names: ["lat", "lng"], roles: ["ranger"], others: pick(["withheld", "empty", { step: 5 }] as const) }],
});

const place = buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } });
const columns = { id: "integer", lat: "decimal", lng: "decimal" } as const;

type Subject = Pick<SqlEngineUnderTest, "store" | "close"> & { readonly engine: QueryEngine };

/** Rules of areas for every SQL engine, against plain code. */
export function describeAreaRules(name: string, open: () => Promise<Subject>): void {
  describe(`rules of areas of ${name}`, { timeout: 300_000 }, () => {
    let subject: Subject;
    let source: Awaited<ReturnType<Subject["store"]>>;
    beforeAll(async () => {
      subject = await open();
      source = await subject.store("places", select());
    }, 180_000);
    afterAll(() => subject.close());

    it("show the rows that plain code shows, at the antimeridian and the poles as well", async () => {
      let shown = 0;
      for (const rules of cases) {
        const access = accessOf(rules);
        const schema = { columns: [...Object.entries(columns).map(([one, type]) => buildColumn(one, type)), place] };
        const dataset = { ...buildDataset({ schema, locationField: "place", access }), parameters: null, revision: "1", own: null };
        const part = partOf(dataset, someUser(), (text) => text);
        if (part === null) throw new Error("the dataset has rules");
        const isShown = ({ name: one }: { readonly name: string }) => !part.withheld.has(one);
        const whole = datasetOver("", columns);
        const seen = { ...whole, source, scope: part.scope, columns: whole.columns.filter(isShown), orderBy: [] };
        const query = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000 };
        const found = (await rowsOf(await subject.engine.search(seen, query, engineCall()))).map(({ id }) => Number(id));
        const expected = rows.filter((row) => rules.every((grants) => grants.some((rings) => rings.some((ring) => isWithin(row, ring)))));
        expect([access, found.toSorted((one, other) => one - other)]).toEqual([access, expected.map(({ id }) => id)]);
        shown += found.length;
      }
      expect(shown).toBeGreaterThan(1_000);
    });
  });
}
