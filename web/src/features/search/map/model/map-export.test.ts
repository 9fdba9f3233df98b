import { describe, expect, it } from "vitest";
import { buildColumn, buildDescription } from "#testing/dataset-builders.ts";
import { exportText, mapFileName, pathLines } from "./map-export.ts";
import { mapItemsOf } from "./map-items.ts";
import { pathPoints } from "./path-model.ts";

const columns = [
  buildColumn("storm_id"),
  buildColumn("time", { type: "TIMESTAMP_SECONDS" }),
  buildColumn("latitude", { type: "decimal" }),
  buildColumn("longitude", { type: "decimal" }),
  buildColumn("wind", { type: "integer" }),
  buildColumn("position", { combined: { type: "COORDINATES", fields: ["latitude", "longitude"], joinedBy: ", " } }),
];
const description = buildDescription({
  columns,
  mapSupport: { groupItemField: "storm_id", itemLocationField: "position", itemTemporalField: "time" },
});
const at = (time: number, latitude: number | null, longitude: number, wind = 50) => ({
  storm_id: "=A & <B>\u0001",
  time,
  latitude,
  longitude,
  wind,
});
const list = mapItemsOf(description, [at(60, 10, -20), { ...at(60, null, 0), storm_id: "lost" }]);
const item = list?.items[0];
if (!list || !item) throw new Error("Expected an item.");
const points = pathPoints([at(0, 9, 179, 40), at(60, 11, -179)], list.fields, { columns: ["wind"] });
const data = { fields: list.fields, columns, items: list.items, tracks: [{ item, points }] };
const geoJson = async (what: "items" | "paths") => JSON.parse(await exportText(what, "geojson", data)) as { features: unknown[] };

describe("exported items", () => {
  it("writes GeoJSON points with their rows, without items that have no coordinates", async () => {
    expect((await geoJson("items")).features).toEqual([
      {
        type: "Feature",
        id: item.id,
        geometry: { type: "Point", coordinates: [-20, 10] },
        properties: { ...item.row, name: item.name, time: 60 },
      },
    ]);
  });

  it("writes whole days without a clock, and places of longitudes beyond 180 at 360 less", async () => {
    const fields = { ...list.fields, time: { ...list.fields.time, day: true } };
    const [placed] = mapItemsOf(description, [at(86_400, 10, 201.2)])?.items ?? [];
    const dated = { ...data, fields, items: placed ? [placed] : [] };
    const { features } = JSON.parse(await exportText("items", "geojson", dated)) as { features: unknown[] };
    expect(features).toMatchObject([{ geometry: { coordinates: [-158.8, 10] }, properties: { longitude: 201.2 } }]);
    expect(await exportText("items", "kml", dated)).toContain("<when>1970-01-02</when>");
    expect(await exportText("paths", "geojson", dated)).toContain('"times":[["1970-01-01",null],[null,"1970-01-01"]]');
  });

  it("writes KML placemarks with escaped texts", async () => {
    const text = await exportText("items", "kml", data);
    expect(text).toContain("<name>=A &#38; &#60;B&#62;</name><TimeStamp><when>1970-01-01T00:01:00.000Z</when></TimeStamp>");
    expect(text).toContain("<Point><coordinates>-20,10</coordinates></Point>");
    expect(text).toContain('<Data name="wind"><value>50</value></Data>');
    expect(text).not.toContain("lost");
  });

  it("writes CSV rows with every plain column and neutralizes formulas", async () => {
    expect(await exportText("items", "csv", data)).toBe(
      "storm_id,time,latitude,longitude,wind\r\n'=A & <B>\u0001,1970-01-01T00:01:00Z,10,-20,50\r\nlost,1970-01-01T00:01:00Z,,0,50\r\n",
    );
  });
});

describe("exported paths", () => {
  it("writes GeoJSON lines cut at the antimeridian, with times and values", async () => {
    expect((await geoJson("paths")).features).toMatchObject([
      {
        geometry: {
          type: "MultiLineString",
          coordinates: [
            [
              [179, 9],
              [180, 10],
            ],
            [
              [-180, 10],
              [-179, 11],
            ],
          ],
        },
        properties: {
          times: [
            ["1970-01-01T00:00:00.000Z", null],
            [null, "1970-01-01T00:01:00.000Z"],
          ],
          wind: [
            [40, null],
            [null, 50],
          ],
        },
      },
    ]);
  });

  it("writes KML tracks with one time per position", async () => {
    expect(await exportText("paths", "kml", data)).toContain(
      "<gx:Track><when>1970-01-01T00:00:00.000Z</when><when>1970-01-01T00:01:00.000Z</when><gx:coord>179 9 0</gx:coord><gx:coord>-179 11 0</gx:coord></gx:Track>",
    );
  });

  it("writes one CSV row per position", async () => {
    expect(await exportText("paths", "csv", data)).toBe(
      "storm_id,time,latitude,longitude,wind\r\n'=A & <B>\u0001,1970-01-01T00:00:00Z,9,179,40\r\n'=A & <B>\u0001,1970-01-01T00:01:00Z,11,-179,50\r\n",
    );
  });
});

it("does not cut a path that stays on one side of the antimeridian", () => {
  expect(pathLines({ count: 2, lng: Float64Array.of(1, 2), lat: Float64Array.of(3, 4) })).toHaveLength(1);
  expect(pathLines({ count: 0, lng: new Float64Array(), lat: new Float64Array() })).toEqual([]);
});

it("names files after category, dataset and content", () => {
  expect(mapFileName("Tropical weather", "storm-tracks", "paths", "kml")).toBe("Tropical weather_storm-tracks_paths.kml");
});
