import { describe, expect, it } from "vitest";
import { withinCell } from "./cell-filter.ts";
import { lastRangeOf, timeRangeOf } from "./time-range.ts";
import { buildColumn, buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { countDataOfAddress, definitionOf, fixedAddress, parseSearchAddress, searchAddress } from "./search-address.ts";
import { searchDataOf } from "./search-data.ts";
import type { SearchDefinition } from "./search-record.ts";

const description = buildDescription({
  category: { id: "météo & co", description: "" },
  filterSupport: {
    supportsAdvancedFiltering: true,
    staticFilters: [buildFilter("storm_id", { required: true })],
    preFilledFilters: [buildFilter("basin", { value: "AL", preFilled: true })],
  },
});

const definition: SearchDefinition = {
  id: "1f0c",
  timestamp: 1,
  datasetDescription: description,
  isSample: false,
  filters: {
    geospatial: null,
    timeRange: timeRangeOf(Date.UTC(1851, 5, 25), Date.UTC(2020, 11, 31, 23, 59, 59)),
    dynamic: [
      buildFilter("storm_id", { value: "AL#1/ü?", required: true }),
      buildFilter("basin", { value: "AL", preFilled: true }),
      buildFilter("wind", { id: "wind#1", type: "integer", value: 64, operator: ">=" }),
      buildFilter("wind", { id: "wind#2", type: "integer", value: "9007199254740993", operator: "<>" }),
    ],
  },
  sort: [{ column: "wind", direction: "desc" }],
  visibleColumns: ["wind", "storm_id"],
  viewMode: "raw",
  slices: {},
};

const hashOf = (record: SearchDefinition): string => new URL(searchAddress(record), "https://fairway.example").hash;
const fragmentOf = (value: unknown): string =>
  `#1.${btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;

describe("search address", () => {
  it("is /search/{id} followed by the whole definition", () => {
    const url = new URL(searchAddress(definition), "https://fairway.example");
    expect(url.pathname).toBe("/search/1f0c");
    const addressed = parseSearchAddress("1f0c", url.hash);
    expect(addressed && definitionOf(addressed, description, 1)).toStrictEqual(definition);
  });

  it("holds the cell of the map that a search is narrowed to, if its dataset has a location", () => {
    const position = buildColumn("position", {
      combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " },
    });
    const placed = { ...description, assists: ["GRID" as const], schema: { columns: [...description.schema.columns, position] } };
    const cell = { ...definition, datasetDescription: placed, filters: withinCell(definition.filters, [-88.6, 27.1, -87.2, 28.3]) };
    const addressed = parseSearchAddress("1f0c", hashOf(cell));
    const restored = addressed && definitionOf(addressed, placed, 1);
    expect(restored).toStrictEqual(cell);
    expect(restored && searchDataOf(restored)).toMatchObject({ within: [-88.6, 27.1, -87.2, 28.3] });
    expect(addressed && countDataOfAddress(addressed, 1)).toMatchObject({ within: [-88.6, 27.1, -87.2, 28.3] });
    // As of an external dataset.
    expect(addressed && definitionOf(addressed, description, 1).filters).toStrictEqual(definition.filters);
    const invalid = parseSearchAddress("1f0c", fragmentOf({ c: "a", d: "b", w: [0, 20, 10, 10] }));
    expect(invalid && Object.keys(invalid)).not.toContain("within");
  });

  it("holds the columns that a search adds, and its calls send them", () => {
    const added = { computed: [{ name: "strong", expression: "wind >= 64" }] };
    const addressed = parseSearchAddress("1f0c", hashOf({ ...definition, added }));
    const restored = addressed && definitionOf(addressed, description, 1);
    expect(restored).toStrictEqual({ ...definition, added });
    expect(restored && searchDataOf(restored)).toMatchObject(added);
    expect(addressed && countDataOfAddress(addressed, 1)).toMatchObject(added);
  });

  it.each([
    [Date.UTC(2024, 4, 6), null],
    [null, Date.UTC(2024, 4, 6)],
  ])("keeps the open end of a range from %s to %s", (startMs, endMs) => {
    const open = { ...definition, filters: { ...definition.filters, timeRange: timeRangeOf(startMs, endMs) } };
    const addressed = parseSearchAddress("1f0c", new URL(searchAddress(open), "https://fairway.example").hash);
    expect(addressed && definitionOf(addressed, description, 1)).toStrictEqual(open);
  });

  it("keeps the last millisecond of steps that were played", () => {
    const [startMs, endMs] = [Date.UTC(2004, 6), Date.UTC(2004, 9) - 1];
    const timeRange = { ...timeRangeOf(startMs, endMs), endMs };
    const addressed = parseSearchAddress("1f0c", hashOf({ ...definition, filters: { ...definition.filters, timeRange } }));
    expect(addressed && definitionOf(addressed, description, 1).filters.timeRange).toStrictEqual(timeRange);
  });

  it("keeps a relative range relative, and fixes it in fixedAddress", () => {
    const timeRange = lastRangeOf({ amount: 24, unit: "hours" }, Date.UTC(2024, 4, 6));
    const relative = { ...definition, filters: { ...definition.filters, timeRange } };
    const later = Date.UTC(2024, 4, 9);
    const opened = (address: string) => {
      const addressed = parseSearchAddress("1f0c", new URL(address, "https://fairway.example").hash);
      return addressed && definitionOf(addressed, description, later).filters.timeRange;
    };
    expect(opened(searchAddress(relative))).toStrictEqual(lastRangeOf({ amount: 24, unit: "hours" }, later));
    expect(opened(fixedAddress(relative))).toStrictEqual(timeRangeOf(timeRange.startMs, timeRange.endMs));
    expect(fixedAddress(relative)).not.toContain(relative.id);
    // The address of a relative range does not depend on the time.
    expect(
      searchAddress({ ...relative, filters: { ...relative.filters, timeRange: lastRangeOf({ amount: 24, unit: "hours" }, later) } }),
    ).toBe(searchAddress(relative));
  });

  it("takes locked filters from the dataset, never from the address", () => {
    const addressed = parseSearchAddress("x", fragmentOf({ c: "a", d: "b", f: [["basin", "=", "EP"]] }));
    const restored = addressed && definitionOf(addressed, description, 1);
    expect(restored?.filters.dynamic.filter((filter) => filter.preFilled)).toStrictEqual([
      buildFilter("basin", { value: "AL", preFilled: true }),
    ]);
    // The address's own filter is AND-ed with it and can only narrow.
    expect(restored?.filters.dynamic.find((filter) => filter.name === "basin" && !filter.preFilled)?.value).toBe("EP");
  });

  it("keeps a filter on a column that no longer exists, so the server can report it", () => {
    const addressed = parseSearchAddress("x", fragmentOf({ c: "a", d: "b", f: [["gone", "=", 1]] }));
    const restored = addressed && definitionOf(addressed, buildDescription({ columns: [buildColumn("a")] }), 1);
    expect(restored?.filters.dynamic).toMatchObject([{ name: "gone", value: 1 }]);
  });

  it("is short for a plain search", () => {
    const plain = {
      ...definition,
      filters: { geospatial: null, timeRange: null, dynamic: [] },
      sort: [],
      visibleColumns: null,
      viewMode: "table" as const,
    };
    expect(hashOf(plain).length).toBeLessThan(80);
  });

  it.each([
    [""],
    ["#"],
    ["#1."],
    ["#2.e30"],
    ["#1.%%%"],
    ["#1.gICA"],
    [`#1.${"A".repeat(300_000)}`],
    [fragmentOf(null)],
    [fragmentOf([])],
    [fragmentOf({ c: "a" })],
    [fragmentOf({ c: "a", d: "b", extra: 1 })],
    [fragmentOf({ c: "a", d: "b", t: [2, 1] })],
    [fragmentOf({ c: "a", d: "b", t: [0, 1e300] })],
    [fragmentOf({ c: "a", d: "b", l: "0h" })],
    [fragmentOf({ c: "a", d: "b", l: 24 })],
    [fragmentOf({ c: "a", d: "b", f: [["x", "like", 1]] })],
    [fragmentOf({ c: "a", d: "b", f: [["x", "=", { $ne: 1 }]] })],
    [fragmentOf({ c: "a", d: "b", o: [["x", "sideways"]] })],
    [fragmentOf({ c: "a", d: "b", m: "<script>" })],
    [fragmentOf({ c: "a", d: "b", f: Array.from({ length: 101 }, () => ["x", "=", 1]) })],
  ])("refuses %s", (hash) => {
    expect(parseSearchAddress("x", hash)).toBeNull();
  });
});

it("keeps milliseconds of a time range", () => {
  const timeRange = timeRangeOf(Date.UTC(2024, 0, 1, 12, 0, 0, 250), Date.UTC(2024, 0, 1, 23, 59, 59, 999));
  const addressed = parseSearchAddress("1f0c", hashOf({ ...definition, filters: { ...definition.filters, timeRange } }));
  expect(addressed && definitionOf(addressed, description, 1).filters.timeRange).toEqual(timeRange);
});
