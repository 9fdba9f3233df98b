import { searchData } from "@fairway/contract/search";
import { describe, expect, it } from "vitest";
import { timeRangeOf } from "./time-range.ts";
import { buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { countDataOf, searchDataOf } from "./search-data.ts";

const noFilters = { geospatial: null, timeRange: null, dynamic: [] };
const page = { offset: 50, max: 25 };

describe("searchDataOf", () => {
  it("[SEARCH-55] sends paging only for datasets with PAGINATION", () => {
    const request = { filters: noFilters, sort: [] };
    expect(searchDataOf({ ...request, datasetDescription: buildDescription({ features: ["PAGINATION"] }) }, page)).toStrictEqual({
      paging: { offset: 50, max: 25 },
      filters: [],
    });
    expect(searchDataOf({ ...request, datasetDescription: buildDescription({ features: ["COUNT", "SAMPLE"] }) }, page)).toStrictEqual({
      filters: [],
    });
  });

  it("[SEARCH-56] sends the time range as ISO 8601 in UTC when one is set", () => {
    const filters = { ...noFilters, timeRange: timeRangeOf(Date.UTC(2004, 8, 2), Date.UTC(2004, 9, 9, 23, 59, 59)) };
    expect(searchDataOf({ datasetDescription: buildDescription(), filters, sort: [] })).toStrictEqual({
      timeRange: { start: "2004-09-02T00:00:00.000Z", end: "2004-10-09T23:59:59.000Z" },
      filters: [],
    });
  });

  it("[SEARCH-57] sends an area as 'lng lat' points with antimeridianPolygons false", () => {
    const points = [
      { lat: 18, lng: -98 },
      { lat: 18, lng: -80.5 },
      { lat: 31, lng: -80 },
    ];
    const filters = { ...noFilters, geospatial: { polygons: [{ id: "area-1", points }], text: "Area" } };
    expect(searchDataOf({ datasetDescription: buildDescription(), filters, sort: [] })).toStrictEqual({
      geospatial: { polygons: ["-98 18, -80.5 18, -80 31, -98 18"], antimeridianPolygons: false },
      filters: [],
    });
  });

  it("[SEARCH-58] sends name, value and operator of each filter, without pre-filled and empty ones", () => {
    const dynamic = [
      buildFilter("storm_id", { value: "AL132025" }),
      buildFilter("wind", { type: "integer", value: 0, operator: ">=" }),
      buildFilter("landfall", { type: "BOOLEAN", value: false, operator: "<>" }),
      buildFilter("basin", { value: "AL", preFilled: true }),
      buildFilter("name", { value: "" }),
      buildFilter("status", { value: "   " }),
    ];
    expect(searchDataOf({ datasetDescription: buildDescription(), filters: { ...noFilters, dynamic }, sort: [] })).toStrictEqual({
      filters: [
        { name: "storm_id", value: "AL132025", operator: "=" },
        { name: "wind", value: 0, operator: ">=" },
        { name: "landfall", value: false, operator: "<>" },
      ],
    });
  });

  it("[SEARCH-59] sends no columns, and the order only when there is one", () => {
    const request = { datasetDescription: buildDescription(), filters: noFilters };
    const body = searchDataOf({ ...request, sort: [{ column: "wind", direction: "desc" }] }, page);
    expect(body).toStrictEqual({ paging: page, filters: [], sort: [{ column: "wind", direction: "desc" }] });
    expect(searchData.parse(body)).toStrictEqual(body);
  });

  it("sends neither paging nor order for a count", () => {
    const request = { datasetDescription: buildDescription(), filters: noFilters, sort: [{ column: "wind", direction: "desc" as const }] };
    expect(countDataOf(request)).toStrictEqual({ filters: [] });
  });
});
