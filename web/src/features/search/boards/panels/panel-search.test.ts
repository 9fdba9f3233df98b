import { describe, expect, it } from "vitest";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { areaFilter } from "#parts/search-model/area-filter.ts";
import { lastRangeOf, timeRangeOf } from "#parts/search-model/time-range.ts";
import { buildDescription } from "#testing/dataset-builders.ts";
import { panelSearch, type SearchPanel } from "./panel-search.ts";
import type { Narrowing } from "#parts/search-model/search-address.ts";

const nowMs = Date.UTC(2026, 10, 26, 12);
const day = (date: number, end = false) => Date.UTC(2005, 7, date) + (end ? 86_399_000 : 0);

const description = (supportsTimeRange = true, supportsGeospatial = true): DatasetDescription =>
  buildDescription({
    category: { id: "nature", description: "" },
    datasetId: "storms",
    columns: [],
    filterSupport: { supportsTimeRange, supportsGeospatial, supportsAdvancedFiltering: true },
  });

const panel = (query: SearchPanel["query"]): SearchPanel => ({
  kind: "table",
  id: "p",
  title: "Storms",
  dataset: { datasetCategory: "nature", datasetId: "storms" },
  query,
  place: { x: 0, y: 0, w: 6, h: 4 },
});
const none: Narrowing = { timeRange: null, geospatial: null };
const august = { timeRange: { start: "2005-08-01T00:00:00Z", end: "2005-08-31T23:59:59Z" }, filters: [] };
const triangle = areaFilter([
  [
    { lat: 0, lng: 0 },
    { lat: 10, lng: 0 },
    { lat: 10, lng: 10 },
    { lat: 0, lng: 0 },
  ],
]);
const rangeOf = (query: SearchPanel["query"], shared: Narrowing) =>
  panelSearch(panel(query), description(), shared, nowMs)?.record.filters.timeRange;

describe("the search of a panel", () => {
  it("has the range of its board, its own, or what they have in common", () => {
    const boardRange = timeRangeOf(day(20), day(40, true));
    expect(rangeOf({ filters: [] }, { ...none, timeRange: boardRange })).toMatchObject({ startMs: day(20), endMs: day(40, true) });
    expect(rangeOf(august, none)).toMatchObject({ startMs: day(1), endMs: day(31, true) });
    expect(rangeOf(august, { ...none, timeRange: boardRange })).toMatchObject({ startMs: day(20), endMs: day(31, true) });
    expect(rangeOf(august, { ...none, timeRange: timeRangeOf(day(20), null) })).toMatchObject({ startMs: day(20), endMs: day(31, true) });
  });

  it("stays relative where its board's range does not narrow it, as of the load", () => {
    const lastDay = { amount: 24, unit: "hours" } as const;
    const shared = { ...none, timeRange: lastRangeOf(lastDay, nowMs - 3_600_000) };
    expect(rangeOf({ filters: [] }, shared)).toMatchObject({ text: "Last 24 hours", last: lastDay, endMs: nowMs });
    expect(rangeOf({ timeRange: { last: "7d" }, filters: [] }, shared)).toMatchObject({ text: "Last 24 hours" });
  });

  it("has nothing to search outside of its own range", () => {
    const shared = { ...none, timeRange: timeRangeOf(day(40), day(50)) };
    expect(panelSearch(panel(august), description(), shared, nowMs)).toMatchObject({ isOutside: true });
    expect(panelSearch(panel(august), description(), none, nowMs)).toMatchObject({ isOutside: false });
  });

  it("has the area of its board unless it has its own", () => {
    const shared = { ...none, geospatial: triangle };
    expect(panelSearch(panel({ filters: [] }), description(), shared, nowMs)?.record.filters.geospatial).toEqual(triangle);
    const own = panelSearch(panel({ geospatial: { polygons: ["20 0, 30 0, 30 10, 20 0"] }, filters: [] }), description(), shared, nowMs);
    expect(own?.record.filters.geospatial?.polygons[0]?.points[0]).toEqual({ lat: 0, lng: 20 });
    expect(own?.notes).toEqual(["has its own area"]);
  });

  it("says what of the board its dataset does not support", () => {
    const shared = { timeRange: timeRangeOf(day(1), day(2)), geospatial: triangle };
    const search = panelSearch(panel({ filters: [] }), description(false, false), shared, nowMs);
    expect(search?.notes).toEqual(["time range doesn’t apply", "area doesn’t apply"]);
    expect(search?.record.filters).toMatchObject({ timeRange: null, geospatial: null });
  });

  it("is none if one of its operators is unknown", () => {
    expect(panelSearch(panel({ filters: [{ name: "wind", value: 1, operator: "~" }] }), description(), none, nowMs)).toBeNull();
  });
});
