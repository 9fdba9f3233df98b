import { describe, expect, it } from "vitest";
import { buildDescription } from "#testing/dataset-builders.ts";
import { filtersOfSaved, savedTextOf } from "./saved-filters.ts";

const description = buildDescription();
const nowMs = Date.UTC(2026, 0, 8, 12);
const load = (query: unknown) => filtersOfSaved(description, JSON.stringify(query), nowMs);

describe("saved filters", () => {
  it("[SAVED-04] come back as they were saved: time range, polygons, and filters of name, value and operator", () => {
    const query = {
      timeRange: { start: "2005-08-01T00:00:00.000Z", end: "2005-09-01T00:00:00.000Z" },
      geospatial: { polygons: ["0 0, 10 0, 10 10, 0 0"], antimeridianPolygons: false },
      filters: [{ name: "name", value: "Katrina", operator: "=" }],
    };
    const filters = load(query);
    expect(filters?.dynamic).toContainEqual(expect.objectContaining({ name: "name", value: "Katrina", operator: "=" }));
    expect(filters && JSON.parse(savedTextOf(description, filters))).toEqual(query);
  });

  it.each([
    ["30m", "2026-01-08T11:30:00.000Z"],
    ["24h", "2026-01-07T12:00:00.000Z"],
    ["7d", "2026-01-01T12:00:00.000Z"],
    ["1w", "2026-01-01T12:00:00.000Z"],
  ])("of the last %s end with the moment they are loaded", (last, start) => {
    expect(load({ timeRange: { last } })?.timeRange).toMatchObject({ startMs: Date.parse(start), endMs: nowMs });
  });

  it.each([[[]], [{ filters: [{ name: "name", value: 1, operator: "resembles" }] }], [{ timeRange: { last: "soon" } }]])(
    "that cannot be read are not loaded in part: %j",
    (query) => {
      expect(load(query)).toBeNull();
    },
  );
});
