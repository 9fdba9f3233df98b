import { expect, it } from "vitest";
import { areaFilter } from "./area-filter.ts";

const ring = (...points: [number, number][]) => points.map(([lng, lat]) => ({ lat, lng }));

it("[SEARCH-25] an area has polygons with ids and points, and a summary of its extent", () => {
  const gulf = ring([-98, 18], [-80, 18], [-80, 30.96], [-98, 30.96]);
  expect(areaFilter([gulf])).toEqual({ polygons: [{ id: "area-1", points: gulf }], text: "Area 18° N – 31° N, 98° W – 80° W" });
  expect(areaFilter([gulf, ring([-1, -2], [0, -2], [3.25, 0])])).toMatchObject({
    polygons: [{ id: "area-1" }, { id: "area-2" }],
    text: "2 areas 2° S – 31° N, 98° W – 3.3° E",
  });
});

it("no shapes make no filter", () => {
  expect(areaFilter([])).toBeNull();
});
