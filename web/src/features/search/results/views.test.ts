import { describe, expect, it } from "vitest";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { buildColumn, buildDescription } from "#testing/dataset-builders.ts";
import { buildRecord } from "#testing/search-records.ts";
import { blankStateOf, knownTotal, offersMore, viewOf, viewsOf } from "./views.ts";

const record = (overrides: Partial<SearchRecord> = {}): SearchRecord =>
  buildRecord({ datasetDescription: buildDescription({ features: ["PAGINATION"] }) }, { results: [{}], ...overrides });

it("[RESULT-02] offers Raw and Table for every search", () => {
  for (const isSample of [true, false]) expect(viewsOf(record({ isSample }))).toEqual(expect.arrayContaining(["raw", "table"]));
});

describe("Graphs", () => {
  it("[RESULT-04] is offered if the dataset has a numeric column", () => {
    expect(viewsOf(record())).toContain("graphs");
    expect(viewsOf(record({ isSample: true }))).not.toContain("graphs");
    const texts = buildDescription({ columns: [buildColumn("name"), buildColumn("time", { type: "TIMESTAMP_SECONDS" })] });
    expect(viewsOf(record({ datasetDescription: texts }))).not.toContain("graphs");
    expect(viewsOf(record({ datasetDescription: buildDescription({ columns: [buildColumn("price", { type: "decimal" })] }) }))).toContain(
      "graphs",
    );
  });

  it("[RESULT-33] has no paging", () => {
    expect(offersMore(record({ viewMode: "graphs" }))).toBe(false);
  });
});

const mapSupport = { groupItemField: "storm_id", itemLocationField: "position", itemTemporalField: "time" };

it("[RESULT-03] offers Map only for non-sample searches of datasets with map support", () => {
  const datasetDescription = buildDescription({ mapSupport });
  expect(viewsOf(record({ datasetDescription }))).toContain("map");
  expect(viewsOf(record({ datasetDescription, isSample: true }))).not.toContain("map");
  expect(viewsOf(record())).not.toContain("map");
});

it("falls back to the table if the requested view is unavailable", () => {
  expect(viewOf(record({ viewMode: "map", isSample: true }))).toBe("table");
  expect(viewOf(record({ viewMode: "raw" }))).toBe("raw");
});

describe("Load More", () => {
  it("[RESULT-33] is not offered on the map", () => {
    expect(offersMore(record({ datasetDescription: buildDescription({ mapSupport }), viewMode: "map" }))).toBe(false);
  });

  it("[RESULT-30] is offered while a paged dataset has more", () => {
    expect(offersMore(record())).toBe(true);
    expect(offersMore(record({ allLoaded: true }))).toBe(false);
    expect(offersMore(record({ results: null }))).toBe(false);
  });

  it("[RESULT-32] is not offered for a dataset without PAGINATION, nor for a sample", () => {
    expect(offersMore(record({ datasetDescription: buildDescription({ features: ["COUNT"] }) }))).toBe(false);
    expect(offersMore(record({ isSample: true }))).toBe(false);
  });
});

it("knows the total from the count, or once everything is loaded", () => {
  expect(knownTotal(record({ totalResultCount: 7 }))).toBe(7);
  expect(knownTotal(record({ totalResultCount: -1 }))).toBeNull();
  expect(knownTotal(record({ allLoaded: true }))).toBe(1);
  expect(knownTotal(record({ allLoaded: true, truncated: true }))).toBeNull();
});

describe("blank state", () => {
  it.each([
    ["[RESULT-17] is 'no results' for an empty answer", record({ results: [] }), "empty"],
    ["[RESULT-13] is the failure of a search", record({ results: null, searchError: ["No."] }), "failed"],
    ["says that the search was canceled", record({ results: null, isCancelled: true }), "cancelled"],
    ["[RESULT-16] is 'Error Occurred' if there are no rows and none are loading", record({ results: null }), "nothing"],
    ["[RESULT-14] is null while searching", record({ results: null, isSearching: true }), null],
    ["is null if rows are shown and the next page failed", record({ searchError: ["No."] }), null],
    ["is null if rows are shown", record(), null],
  ])("%s", (_, search, state) => {
    expect(blankStateOf(search)).toBe(state);
  });
});
