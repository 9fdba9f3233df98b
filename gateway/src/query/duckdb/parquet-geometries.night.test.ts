import { afterAll, beforeAll, expect, it } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
});
afterAll(() => bench.close());

const all = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100 };
const sourceOf = (glob: string) => ({ kind: "files" as const, glob, format: "parquet" as const });
let files = 0;

interface Content {
  /** WKT, or null. */
  readonly geometries: readonly (string | null)[];
  /** Of `geometry`; undefined: the engine's own writer decides. */
  readonly metadata?: object | undefined;
  readonly options?: string;
  readonly others?: string;
}

/** Writes geometries as bytes with the metadata that other writers make. */
async function write({ geometries, metadata, options = "", others = "" }: Content): Promise<string> {
  files += 1;
  const name = `geo-${files}.parquet`;
  const rows = geometries.map((wkt, index) => `(${index + 1}, ${wkt === null ? "null" : `'${wkt}'`})`);
  const value = metadata === undefined ? "wkt::geometry" : "st_aswkb(wkt::geometry)";
  const geo = { version: "1.1.0", primary_column: "geometry", columns: { geometry: metadata } };
  const note = metadata === undefined ? "" : `, kv_metadata {geo: '${JSON.stringify(geo)}'}`;
  await bench.prepare(
    `copy (select id, ${value} as geometry ${others} from (values ${rows.join(", ")}) t(id, wkt)) to 'FOLDER/${name}' (format parquet${note}${options})`,
  );
  return name;
}

async function read(name: string) {
  const [columns, { notes }] = await Promise.all([
    bench.engine.columns(sourceOf(name), engineCall()),
    bench.engine.notes(sourceOf(name), engineCall()),
  ]);
  const dataset = datasetOver(name, Object.fromEntries(columns.map((column) => [column.name, column.type])));
  return { rows: await rowsOf(await bench.engine.search(dataset, all, engineCall())), notes, dataset };
}

const points = ["POINT (10 50)", null, "POINT Z (-0.1 51.30000000000004 7)"];
const pointRows = [
  { id: 1, geometry: "POINT (10 50)", latitude: 50, longitude: 10 },
  { id: 2, geometry: null, latitude: null, longitude: null },
  { id: 3, geometry: "POINT Z (-0.1 51.30000000000004 7)", latitude: 51.300_000_000_000_04, longitude: -0.1 },
];
const madeOfPoints = "'geometry' contains points: 'latitude' and 'longitude' are derived from them.";

it.each<[string, Partial<Content>, string[]]>([
  ["complete metadata", { metadata: { encoding: "WKB", geometry_types: ["Point", "Point Z"] } }, []],
  ["the engine's metadata", {}, []],
  ["Parquet's own type", { options: ", geoparquet_version 'NONE'" }, []],
  ["both", { options: ", geoparquet_version 'BOTH'" }, []],
  ["no types of geometries", { metadata: { encoding: "WKB" } }, ["its geometry types"]],
  ["a coordinate system as text", { metadata: { encoding: "WKB", geometry_types: ["Point"], crs: "EPSG:4326" } }, ["as text"]],
  [
    "a coordinate system as JSON in text",
    { metadata: { geometry_types: [], crs: '{"type":"GeographicCRS","name":"WGS 84"}' } },
    ["types", "as text"],
  ],
  ["a coordinate system of degrees", { metadata: { geometry_types: ["Point"], crs: { type: "GeographicCRS", name: "ETRS89" } } }, []],
])("makes latitude and longitude of points: %s", async (_, content, remarks) => {
  const { rows, notes } = await read(await write({ geometries: points, ...content }));
  expect(rows).toEqual(pointRows);
  expect(notes.at(-1)).toBe(madeOfPoints);
  expect(notes).toHaveLength(remarks.length > 0 ? 2 : 1);
  for (const part of remarks) expect(notes[0]).toContain(part);
});

it.each<[string, Content, string]>([
  [
    "other geometries",
    { geometries: ["POINT (1 2)", "LINESTRING (1 2, 3 4)"], metadata: {} },
    "'geometry' contains geometries other than points, which are kept as text, without a place on the map.",
  ],
  [
    "another coordinate system",
    {
      geometries: ["POINT (565000 5934000)"],
      metadata: { geometry_types: ["Point"], crs: { type: "ProjectedCRS", id: { authority: "EPSG", code: 25_832 } } },
    },
    "The positions of 'geometry' are in another coordinate system (EPSG:25832) and are kept as text, without a place on the map.",
  ],
  [
    "an unknown coordinate system",
    { geometries: ["POINT (1 2)"], metadata: { geometry_types: ["Point"], crs: null } },
    "The positions of 'geometry' are in another coordinate system (an unknown one) and are kept as text, without a place on the map.",
  ],
])("keeps %s as text, and reports it", async (_, content, remarks) => {
  const { rows, notes } = await read(await write(content));
  expect(rows).toEqual(content.geometries.map((geometry, index) => ({ id: index + 1, geometry })));
  expect(notes.at(-1)).toBe(remarks);
});

it("searches a dataset that describes the geometry as text, whatever the metadata lack", async () => {
  for (const metadata of [{ encoding: "WKB" }, { encoding: "WKB", geometry_types: ["Point"], crs: "EPSG:4326" }]) {
    const dataset = datasetOver(await write({ geometries: points, metadata }), { id: "integer", geometry: "STRING" });
    expect(await bench.engine.check(dataset, engineCall())).toEqual([]);
    const query = { ...all, conditions: [{ column: "geometry", type: "STRING", operator: "=", value: "POINT (10 50)" } as const] };
    expect(await rowsOf(await bench.engine.search(dataset, query, engineCall()))).toEqual([{ id: 1, geometry: "POINT (10 50)" }]);
  }
});

it("finds rows by the places made of points, and keeps columns that have their names", async () => {
  const name = await write({ geometries: points, metadata: {}, others: ", 'north' as Latitude" });
  const { rows, dataset } = await read(name);
  expect(rows[0]).toEqual({ id: 1, geometry: "POINT (10 50)", Latitude: "north", geometry_latitude: 50, geometry_longitude: 10 });
  const ring = [
    { lat: 49, lng: 9 },
    { lat: 49, lng: 11 },
    { lat: 51, lng: 11 },
    { lat: 51, lng: 9 },
  ];
  const area = { latitude: "geometry_latitude", longitude: "geometry_longitude", rings: [ring] };
  expect(await rowsOf(await bench.engine.search(dataset, { ...all, area }, engineCall()))).toEqual([rows[0]]);
});

it("reads bytes that are no geometry as empty, and metadata that are no JSON as none", async () => {
  await bench.prepare(
    `copy (select 1 as id, 'abc'::blob as geometry) to 'FOLDER/no-geometry.parquet' (format parquet, kv_metadata {geo: '{"columns":{"geometry":{"encoding":"WKB"}}}'})`,
  );
  expect((await read("no-geometry.parquet")).rows).toEqual([{ id: 1, geometry: null }]);
  await bench.prepare(`copy (select 1 as id, 'abc'::blob as b) to 'FOLDER/no-json.parquet' (format parquet, kv_metadata {geo: 'no JSON'})`);
  expect((await read("no-json.parquet")).rows).toEqual([{ id: 1, b: "abc" }]);
});
