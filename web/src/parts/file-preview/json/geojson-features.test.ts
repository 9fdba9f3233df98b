import { expect, it } from "vitest";
import { geoDataOf } from "./geojson-features.ts";

const feature = (geometry: unknown, properties: unknown = {}) => ({ type: "Feature", geometry, properties });
const collection = (...features: unknown[]) => ({ type: "FeatureCollection", features });
const point = (...coordinates: unknown[]) => ({ type: "Point", coordinates });

it("reads features with their properties as texts, and bounds that fit what is drawn", () => {
  const track = {
    type: "LineString",
    coordinates: [
      [-75.1, 23.1, 5],
      [-89.6, 29.5],
    ],
  };
  const parts = {
    type: "GeometryCollection",
    geometries: [point(10, 89.9), { type: "GeometryCollection", geometries: [point(-20, -10)] }],
  };
  const data = geoDataOf(
    collection(feature(track, { name: "Katrina", wind: 150, tags: ["a"], none: null }), feature(parts), feature(null, { name: "nowhere" })),
  );
  expect(data.features.map(({ title }) => title)).toEqual(["Katrina", "Feature 2", "nowhere"]);
  expect({ ...data.features[0]?.properties }).toEqual({ name: "Katrina", wind: "150", tags: '["a"]', none: "" });
  expect(data.names).toEqual(["name", "wind", "tags", "none"]);
  expect(data.drawn.map(({ properties }) => properties.index)).toEqual([0, 1, 1]);
  expect(data.bounds).toEqual([-89.6, -10, 10, 85]);
});

it.each([
  ["a single feature", feature(point(1, 2)), 1],
  ["a bare geometry", point(1, 2), 1],
  ["a collection of geometries", { type: "GeometryCollection", geometries: [point(1, 2), point(3, 4)] }, 2],
  ["no features", collection(), 0],
])("reads %s", (_what, root, drawn) => {
  expect(geoDataOf(root).drawn).toHaveLength(drawn);
});

it.each([
  null,
  [],
  1,
  {},
  { type: "Topology" },
  { type: "FeatureCollection" },
  collection({ type: "Point" }),
  collection(null),
  { type: "toString" },
])("refuses what is not GeoJSON: %j", (root) => {
  expect(() => geoDataOf(root)).toThrow("The file is not GeoJSON");
});

it.each([
  ["no numbers", point("1", 2)],
  ["beyond the poles", point(0, 91)],
  ["far beyond the date line", point(1e308, 0)],
  ["no position", point()],
  ["too few levels", { type: "Polygon", coordinates: [[0, 0]] }],
  ["too many levels", { type: "Point", coordinates: [[[0, 0]]] }],
  ["an empty list", { type: "LineString", coordinates: [] }],
  [
    "one bad position of many",
    {
      type: "MultiPoint",
      coordinates: [
        [0, 0],
        [0, null],
      ],
    },
  ],
  ["an unknown type", { type: "Circle", coordinates: [0, 0] }],
])("keeps a feature with %s, and does not draw it", (_what, geometry) => {
  const data = geoDataOf(collection(feature(geometry, { __proto__: null, name: "bad" })));
  expect(data.features).toHaveLength(1);
  expect(data.drawn).toEqual([]);
  expect(data.bounds).toBeNull();
});
