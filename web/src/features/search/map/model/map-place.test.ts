import { expect, it } from "vitest";
import { codeOfPlace, type MapPlace, placeCode, placeOfCode, startPlace } from "./map-place.ts";

const place: MapPlace = {
  view: { lng: -70.123456789, lat: 25, zoom: 4.5 },
  selected: "2005-12",
  paths: ["2005-12", "2005-13"],
  gapMs: 7_200_000,
  clock: [1_125_187_200_000, 3_600_000, null],
  filter: "katr",
  layers: {
    "2005-12": [
      { id: "1", colour: "path", isActive: true, condition: null },
      { id: "2", colour: "c4", isActive: false, condition: { column: "wind", operator: "~", value: "96" } },
    ],
  },
};

it("a place on the map comes back from its code, with layers whose operator nobody knows", () => {
  const code = placeCode.parse(JSON.parse(JSON.stringify(codeOfPlace(place))));
  expect(placeOfCode(code)).toEqual({ ...place, view: { lng: -70.12346, lat: 25, zoom: 4.5 } });
});

it("the place where a map starts says nothing", () => {
  expect(codeOfPlace(startPlace)).toBeUndefined();
});

it("a filter that is longer than an address should be is not said", () => {
  expect(codeOfPlace({ ...startPlace, filter: "x".repeat(200) })).toEqual({ f: "x".repeat(200) });
  expect(codeOfPlace({ ...startPlace, filter: "x".repeat(201) })).toBeUndefined();
});

it("layers of paths that are not shown are not said", () => {
  expect(codeOfPlace({ ...place, paths: [] })).not.toHaveProperty("l");
});

it.each([
  { v: [200, 0, 1] },
  { v: [0, 91, 1] },
  { g: 0 },
  { p: [1] },
  { x: 1 },
  { t: [1.5, null, null] },
  { t: [null, 0, null] },
  { t: [null, null, 0] },
  { l: { a: [] } },
])("%j is no place", (code) => {
  expect(placeCode.safeParse(code).success).toBe(false);
});
