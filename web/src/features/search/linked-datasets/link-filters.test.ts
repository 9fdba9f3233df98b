import { expect, it } from "vitest";
import { isRemovable } from "#parts/search-model/filter-list.ts";
import { searchDataOf } from "#parts/search-model/search-data.ts";
import { buildColumn, buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { formValue, type LinkedDataset, linkedFilters, resolveLink, rowValue } from "./link-filters.ts";

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

it("takes values from the link and from the row", () => {
  expect(resolveLink(link, rowValue({ year: 2005 }))).toStrictEqual({ settings, missing: [] });
});

it.each<Record<string, string | null>>([{}, { year: null }, { year: "" }])("reports the column without a value in %j", (row) => {
  expect(resolveLink(link, rowValue(row))).toStrictEqual({ settings: settings.slice(1), missing: ["year"] });
});

it("takes only valid equality values from a form", () => {
  const year = (value: string, operator: "=" | ">=" = "=") =>
    formValue([buildFilter("year", { type: "integer", value, operator })])("year");
  expect(year("2005")).toBe(2005);
  expect(year("2005", ">=")).toBeNull();
  expect(year(" ")).toBeNull();
  expect(year("soon")).toBeNull();
  expect(formValue([])("toString")).toBeNull();
});

it("[SEARCH-62] sends the filters of a link, which cannot be removed", () => {
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
