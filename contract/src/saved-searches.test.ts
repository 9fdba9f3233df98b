import { expect, it } from "vitest";
import { z } from "zod";
import { operator } from "./columns.ts";
import type { Filter } from "./filters.ts";
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

/** As the first release reads a filter: any operator as a text, which its web app looks up, and one value. */
const releasedFilter = z.object({
  name: z.string(),
  operator: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
});

it.each<Filter>([
  { name: "a", operator: "in", value: ["x", null] },
  { name: "a", operator: "not in", value: ["x"] },
  { name: "a", operator: "between", value: [1, 2] },
  { name: "a", operator: "not between", value: [1, 2] },
  { name: "a", operator: "contains", value: "x" },
  { name: "a", operator: "not contains", value: "x" },
  { name: "a", operator: "starts with", value: "x" },
  { name: "a", operator: "not starts with", value: "x" },
  { name: "a", operator: "when", value: { part: "dayOfWeek", zone: "UTC", in: [1] } },
  { name: "a", operator: "not when", value: { part: "dayOfWeek", zone: "UTC", in: [1] } },
  { name: "*", operator: "any", value: [[{ name: "a", operator: "=", value: "x" }], [{ name: "b", operator: "=", value: 1 }]] },
])("keeps a filter with $operator, which the web app of the first release refuses", (filter) => {
  expect(parseSavedQuery(JSON.stringify({ filters: [filter] }))).toMatchObject({ query: { filters: [filter] } });
  const read = releasedFilter.safeParse(filter);
  expect(read.success && operator.safeParse(read.data.operator).success).toBe(false);
});
