import { expect, it } from "vitest";
import { buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { combinedExtent, withoutShared, withShared } from "./group-form.ts";

const timeRange = { startMs: 0, endMs: 1_000, text: "Any second" };
const geospatial = { polygons: [], text: "Somewhere" };
const dynamic = [buildFilter("storm_id", { value: "2005-06" })];

it("[SEARCH-63] searches each dataset by its own fields and the shared filters it supports", () => {
  const supporting = (supportsTimeRange: boolean, supportsGeospatial: boolean) =>
    withShared(buildDescription({ filterSupport: { supportsTimeRange, supportsGeospatial } }), { timeRange, geospatial }, { dynamic });
  expect(supporting(true, false)).toStrictEqual({ timeRange, geospatial: null, dynamic });
  expect(supporting(false, true)).toStrictEqual({ timeRange: null, geospatial, dynamic });
  expect(supporting(false, false)).toStrictEqual({ timeRange: null, geospatial: null, dynamic });
});

it("offers neither time range nor area in a dataset's own section", () => {
  const { filterSupport } = withoutShared(buildDescription({ filterSupport: { supportsTimeRange: true, supportsGeospatial: true } }));
  expect(filterSupport).toMatchObject({ supportsTimeRange: false, supportsGeospatial: false });
});

it("combines the time extents of all datasets", () => {
  const spanning = (startMs: number, endMs: number) => buildDescription({ timeExtent: { startMs, endMs } });
  expect(combinedExtent([spanning(5, 9), buildDescription(), spanning(2, 7)])).toStrictEqual({ startMs: 2, endMs: 9 });
  expect(combinedExtent([buildDescription()])).toBeNull();
});
