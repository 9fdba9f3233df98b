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

it("an area over the antimeridian is summarized from its western to its eastern end, and described as such", () => {
  const west = ring([165, 5], [180, 5], [180, 25], [165, 25]);
  const east = ring([-180, 5], [-165, 5], [-165, 25], [-180, 25]);
  expect(areaFilter([west, east])?.text).toBe("Area 5° N – 25° N, 165° E – 165° W, crosses the antimeridian");
  expect(areaFilter([ring([-180, -90], [180, -90], [180, 90], [-180, 90])])?.text).toBe("Area 90° S – 90° N, 180° W – 180° E");
});

it("no shapes make no filter", () => {
  expect(areaFilter([])).toBeNull();
});
