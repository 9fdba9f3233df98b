import { expect, it } from "vitest";
import { isRemovable } from "#parts/search-model/filter-list.ts";
import { searchDataOf } from "#parts/search-model/search-data.ts";
import { buildColumn, buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { formValue, type LinkedDataset, linkedFilters, linkSettings, rowValue } from "./link-filters.ts";

const link: LinkedDataset = {
  datasetCategory: "weather",
  datasetId: "storm-tracks",
  display: "Hurricanes of the season",
  filters: [
    { name: "season", operator: "=", fromColumn: "year" },
    { name: "wind", operator: ">=", value: 64 },
  ],
};
const target = buildDescription({
  columns: [buildColumn("season", { type: "integer" }), buildColumn("wind", { type: "integer" }), buildColumn("kind")],
  filterSupport: {
    staticFilters: [buildFilter("season", { type: "integer", display: "Season" }), buildFilter("kind")],
    preFilledFilters: [buildFilter("kind-set", { name: "kind", value: "storm", preFilled: true })],
  },
});
const settings = [
  { name: "season", operator: "=" as const, value: 2005 },
  { name: "wind", operator: ">=" as const, value: 64 },
];

it("takes values from the link itself and from the row it starts at", () => {
  expect(linkSettings(link, rowValue({ year: 2005 }))).toStrictEqual({ settings, missing: [] });
});

it.each<Record<string, string | null>>([{}, { year: null }, { year: "" }])("names the column that has no value in %j", (row) => {
  expect(linkSettings(link, rowValue(row))).toStrictEqual({ settings: settings.slice(1), missing: ["year"] });
});

it("takes from a form only what a column is to equal, and what its field can hold", () => {
  const year = (value: string, operator: "=" | ">=" = "=") =>
    formValue([buildFilter("year", { type: "integer", value, operator })])("year");
  expect(year("2005")).toBe(2005);
  expect(year("2005", ">=")).toBeNull();
  expect(year(" ")).toBeNull();
  expect(year("soon")).toBeNull();
  expect(formValue([])("toString")).toBeNull();
});

it("[SEARCH-62] sends a link's filters, and lets nobody take them away", () => {
  const dynamic = linkedFilters(target, settings);
  const filters = { geospatial: null, timeRange: null, dynamic };
  expect(searchDataOf({ datasetDescription: target, filters, sort: [] }).filters).toStrictEqual([
    { name: "season", value: 2005, operator: "=" },
    { name: "wind", value: 64, operator: ">=" },
  ]);
  expect(dynamic.map(({ display }) => display)).toStrictEqual(["Season", "wind", "kind", "kind-set"]);
  for (const filter of dynamic.slice(0, 2)) expect(isRemovable(target, filter)).toBe(false);
  expect(new Set(dynamic.map(({ id }) => id)).size).toBe(4);
});
