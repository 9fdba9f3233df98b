import { expect, it } from "vitest";
import { isCompared } from "#parts/search-model/form-filter.ts";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import { buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { restoreForm } from "./form-store.ts";

const description = buildDescription({
  filterSupport: {
    staticFilters: [buildFilter("storm_id"), buildFilter("wind", { type: "integer", operator: ">=" })],
    preFilledFilters: [buildFilter("basin", { value: "AL" })],
    additionalFilters: [buildFilter("status")],
  },
});
const timeRange = timeRangeOf(0, 1_000);

it("[SEARCH-08] starts with the dataset's own filters", () => {
  expect(restoreForm(description, undefined)).toMatchObject({
    timeRange: null,
    dynamic: [{ id: "storm_id" }, { id: "wind", operator: ">=" }, { id: "basin", value: "AL", preFilled: true }],
  });
});

it("restores a stored form without fields that the dataset no longer has", () => {
  const form = restoreForm(description, {
    geospatial: null,
    timeRange,
    dynamic: [
      buildFilter("storm_id", { value: "AL01", operator: "<>" }),
      // Its type was text when stored.
      buildFilter("wind", { value: "strong" }),
      buildFilter("basin", { value: "EP", preFilled: true }),
      buildFilter("status", { value: "HU" }),
      buildFilter("gone", { id: "gone#1", value: 1 }),
    ],
  });
  expect(form.timeRange).toStrictEqual(timeRange);
  expect(form.dynamic.filter(isCompared).map(({ id, operator, value }) => `${id} ${operator} ${value}`)).toStrictEqual([
    "storm_id <> AL01",
    "wind >= ",
    "basin = AL",
    "status = HU",
  ]);
});

it("[SEARCH-29] drops the time range for a dataset without one", () => {
  const without = buildDescription({ filterSupport: { supportsTimeRange: false } });
  expect(restoreForm(without, { geospatial: null, timeRange, dynamic: [] }).timeRange).toBeNull();
});
