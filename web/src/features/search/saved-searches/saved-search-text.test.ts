import { describe, expect, it } from "vitest";
import { lastRangeOf, timeRangeOf } from "#parts/search-model/time-range.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { buildColumn, buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { loadSavedSearch, serializeSearch } from "./saved-search-text.ts";

const description = buildDescription({
  columns: [buildColumn("name"), buildColumn("time", { type: "TIMESTAMP_SECONDS" }), buildColumn("wind", { type: "integer" })],
  filterSupport: { supportsGeospatial: true, supportsAdvancedFiltering: true },
});
const nowMs = Date.UTC(2026, 0, 8, 12);
const load = (query: unknown, dataset = description) => loadSavedSearch(dataset, JSON.stringify(query), nowMs);
const search = (filters: Partial<SearchFilters> = {}) => ({
  datasetDescription: description,
  filters: { geospatial: null, timeRange: null, dynamic: [], ...filters },
  sort: [{ column: "wind", direction: "desc" as const }],
  visibleColumns: ["wind", "name"],
  viewMode: "raw" as const,
});

describe("saved filters", () => {
  it("[SAVED-04] round-trip time range, polygons, and filters with name, value and operator", () => {
    const query = {
      timeRange: { start: "2005-08-01T00:00:00.000Z", end: "2005-09-01T00:00:00.000Z" },
      geospatial: { polygons: ["0 0, 10 0, 10 10, 0 0"], antimeridianPolygons: false },
      filters: [{ name: "name", value: "Katrina", operator: "=" }],
    };
    const loaded = load(query);
    expect(loaded?.filters.dynamic).toContainEqual(expect.objectContaining({ name: "name", value: "Katrina", operator: "=" }));
    expect(loaded?.view).toStrictEqual({ columns: null, sort: [], mode: null, leftOut: [] });
    expect(loaded && JSON.parse(serializeSearch(search(loaded.filters)))).toEqual(query);
  });

  it.each([
    ["30m", "2026-01-08T11:30:00.000Z"],
    ["24h", "2026-01-07T12:00:00.000Z"],
    ["7d", "2026-01-01T12:00:00.000Z"],
    ["1w", "2026-01-01T12:00:00.000Z"],
    ["1mo", "2025-12-08T12:00:00.000Z"],
  ])("of the last %s end at the moment they are loaded", (last, start) => {
    expect(load({ timeRange: { last } })?.filters.timeRange).toMatchObject({ startMs: Date.parse(start), endMs: nowMs });
  });

  it("[SAVED-04] keep a relative range, along with its absolute start and end", () => {
    const saved = JSON.parse(
      serializeSearch(search({ timeRange: lastRangeOf({ amount: 24, unit: "hours" }, nowMs - 86_400_000) })),
    ) as object;
    expect(saved).toEqual({
      timeRange: { start: "2026-01-06T12:00:00.000Z", end: "2026-01-07T12:00:00.000Z", last: "24h" },
      filters: [],
    });
    expect(load(saved)?.filters.timeRange).toStrictEqual(lastRangeOf({ amount: 24, unit: "hours" }, nowMs));
  });

  it("include columns, order and view only on request", () => {
    const filters = { timeRange: timeRangeOf(0, 1_000), dynamic: [buildFilter("name", { value: "Rita" })] };
    expect(Object.keys(JSON.parse(serializeSearch(search(filters))) as object)).toStrictEqual(["timeRange", "filters"]);
    const whole: unknown = JSON.parse(serializeSearch(search(filters), new Set(["columns", "sort", "view"])));
    expect(whole).toMatchObject({ columns: ["wind", "name"], sort: [{ column: "wind", direction: "desc" }], view: "raw" });
    expect(load(whole)?.view).toStrictEqual({
      columns: ["wind", "name"],
      sort: [{ column: "wind", direction: "desc" }],
      mode: "raw",
      leftOut: [],
    });
    // Default columns and order are omitted.
    const plain = { ...search(filters), sort: [], visibleColumns: null };
    expect(Object.keys(JSON.parse(serializeSearch(plain, new Set(["columns", "sort"]))) as object)).toStrictEqual(["timeRange", "filters"]);
  });

  it("name what the dataset no longer has instead of dropping it silently", () => {
    const loaded = load(
      {
        timeRange: { last: "24h" },
        geospatial: { polygons: ["0 0, 10 0, 10 10, 0 0"] },
        filters: [
          { name: "gone", value: 7, operator: ">=" },
          { name: "name", value: "Rita", operator: "=" },
        ],
        columns: ["wind", "gone"],
        sort: [{ column: "gone", direction: "asc" }],
      },
      buildDescription({ columns: description.schema.columns, filterSupport: { supportsTimeRange: false } }),
    );
    expect(loaded?.view).toMatchObject({
      columns: ["wind"],
      sort: [],
      leftOut: ["the time range", "the area", "gone >= 7", "the column gone", "the order by gone"],
    });
    expect(loaded?.filters).toMatchObject({ timeRange: null, geospatial: null, dynamic: [{ name: "name", value: "Rita" }] });
  });

  it.each([[[]], [{ filters: [{ name: "name", value: 1, operator: "resembles" }] }], [{ timeRange: { last: "soon" } }]])(
    "are not loaded in part if unreadable: %j",
    (query) => {
      expect(load(query)).toBeNull();
    },
  );
});

it("keeps the columns that a search adds, and filters that name them", () => {
  const added = { computed: [{ name: "strong", expression: "wind >= 64" }] };
  const text = JSON.stringify({ ...added, filters: [{ name: "strong", operator: "=", value: true }] });
  const loaded = loadSavedSearch(description, text, nowMs);
  expect(loaded?.view).toMatchObject({ added, leftOut: [] });
  expect(loaded?.filters.dynamic).toMatchObject([{ name: "strong", value: true }]);
});
