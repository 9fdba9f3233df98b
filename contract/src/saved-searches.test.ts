import { expect, it } from "vitest";
import { parseSavedQuery } from "./saved-searches.ts";

it("limits the shapes of a saved search to 10,000 corners in total, before parsing any of them", () => {
  const polygons = ["0 0,1 1,", "unreadable,"].map((corner) => corner.repeat(3_000));
  expect(parseSavedQuery(JSON.stringify({ geospatial: { polygons: polygons.slice(1) } }))).toMatchObject({
    problems: [{ path: "geospatial.polygons.0", message: expect.stringContaining("at its corner 1") }],
  });
  expect(parseSavedQuery(JSON.stringify({ geospatial: { polygons: [...polygons, ...polygons] } }))).toEqual({
    problems: [{ path: "geospatial.polygons", message: "has 18004 corners, more than 10000" }],
  });
});
