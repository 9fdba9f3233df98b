import { describe, expect, it } from "vitest";
import { parseShapes } from "./area-input.ts";

const triangle = [
  { lng: -98, lat: 18 },
  { lng: -80, lat: 18 },
  { lng: -80, lat: 31.5 },
];
const coordinates = [
  [-98, 18],
  [-80, 18],
  [-80, 31.5, 12],
  [-98, 18],
];

describe("parseShapes", () => {
  it.each([
    ["a line of corners", "-98 18, -80 18, -80 31.5"],
    ["a closed line", " -98 18,-80 18, -80 31.5, -98 18 "],
    ["a geometry", JSON.stringify({ type: "Polygon", coordinates: [coordinates] })],
    ["a feature", JSON.stringify({ type: "Feature", properties: null, geometry: { type: "Polygon", coordinates: [coordinates] } })],
    [
      "a collection with other things",
      JSON.stringify({
        type: "FeatureCollection",
        features: [
          { type: "Feature", geometry: { type: "Point", coordinates: [1, 2] } },
          { type: "Feature", geometry: { type: "MultiPolygon", coordinates: [[coordinates]] } },
        ],
      }),
    ],
  ])("reads %s as one shape", (_title, text) => {
    expect(parseShapes(text)).toEqual({ rings: [triangle] });
  });

  it("reads each line as a shape, which may cross the antimeridian", () => {
    expect(parseShapes("-98 18, -80 18, -80 31.5\n170 0, 190 0, 190 10")).toEqual({
      rings: [
        triangle,
        [
          { lng: 170, lat: 0 },
          { lng: 190, lat: 0 },
          { lng: 190, lat: 10 },
        ],
      ],
    });
  });

  it.each([
    ["  ", "Type the corners of a shape, or paste GeoJSON or KML."],
    ["-98 18, -80", "Corner 2 isn't 'longitude latitude', such as -80.5 25."],
    ["-98 18, -80 18, 12 -120", "Corner 3 isn't a place on Earth. Longitude comes first, then latitude."],
    ["-98 18, -80 18", "The shape needs at least three different corners."],
    ["0 0, 9 9, 9 0, 0 9", "The shape crosses itself."],
    ["0 0, 9 9, 9 0\n0 0, 9 9, 9 0, 0 9", "Shape 2: The shape crosses itself."],
    ['{"type":', "This looks like GeoJSON, but it isn't valid JSON."],
    ['{"type":"Point","coordinates":[1,2]}', "There is no polygon in this GeoJSON."],
    [JSON.stringify({ type: "Polygon", coordinates: [coordinates, coordinates] }), "A polygon has a hole. A search area can't have holes."],
  ])("refuses %j with a reason", (text, problem) => {
    expect(parseShapes(text)).toEqual({ problem });
  });
});
