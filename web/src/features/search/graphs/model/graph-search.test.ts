import { describe, expect, it } from "vitest";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import { buildColumn, buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { groupsOf } from "@fairway/contract/charts/graph-groups";
import { filtersOfGroup, rangeOfGroups } from "./graph-search.ts";
import type { Group } from "@fairway/contract/charts/graph";

const range = timeRangeOf(Date.UTC(2005, 7, 28, 12), Date.UTC(2005, 7, 30, 6));
const days = groupsOf({ groupingType: "day", groupings: [] }, range);
const createDescription = (type: "TIMESTAMP_SECONDS" | "TIMESTAMP_MILLS", supportsAdvancedFiltering = true) =>
  buildDescription({
    columns: [buildColumn("time", { type }), buildColumn("wind", { type: "integer" })],
    temporalField: "time",
    filterSupport: {
      supportsAdvancedFiltering,
      staticFilters: supportsAdvancedFiltering ? [] : [buildFilter("wind", { type: "integer" })],
    },
  });
const filters = { geospatial: null, timeRange: range, dynamic: [buildFilter("name", { value: "Katrina" })] };
const dayAt = (index: number): Group => {
  const day = days[index];
  if (!day) throw new Error("no such day");
  return day;
};

describe("the rows behind a temporal group", () => {
  it("are searched with its range if rows have whole seconds", () => {
    expect(filtersOfGroup(createDescription("TIMESTAMP_SECONDS"), filters, dayAt(0))).toEqual({
      ...filters,
      timeRange: timeRangeOf(Date.UTC(2005, 7, 28, 12), Date.UTC(2005, 7, 28, 23, 59, 59)),
    });
  });

  it("include those of its last second if rows have milliseconds", () => {
    const { timeRange, dynamic } = filtersOfGroup(createDescription("TIMESTAMP_MILLS"), filters, dayAt(1));
    expect(timeRange).toEqual(timeRangeOf(Date.UTC(2005, 7, 29), Date.UTC(2005, 7, 30)));
    expect(dynamic.at(-1)).toMatchObject({ name: "time", operator: "<", value: "2005-08-30T00:00:00.000Z" });
  });

  it("end with the range for the last group", () => {
    const { timeRange, dynamic } = filtersOfGroup(createDescription("TIMESTAMP_MILLS"), filters, dayAt(2));
    expect(timeRange).toEqual(timeRangeOf(Date.UTC(2005, 7, 30), Date.UTC(2005, 7, 30, 6)));
    expect(dynamic).toBe(filters.dynamic);
  });

  it("range from the first group to the last", () => {
    expect(rangeOfGroups(days.slice(1))).toEqual({ startMs: Date.UTC(2005, 7, 29), endMs: Date.UTC(2005, 7, 30, 6) });
    expect(rangeOfGroups([])).toBeNull();
  });
});

describe("the rows behind a custom group", () => {
  const strong: Group = {
    id: "1",
    label: "Strong",
    color: "#099bf1",
    time: null,
    conditions: [
      { id: "a", model: "wind", operator: ">=", value: 64 },
      { id: "b", model: "wind", operator: "<", value: 96 },
    ],
  };

  it("are searched with its conditions in addition to the search's filters", () => {
    const { timeRange, dynamic } = filtersOfGroup(createDescription("TIMESTAMP_SECONDS"), filters, strong);
    expect(timeRange).toBe(range);
    expect(dynamic.map(({ name, operator, value }) => [name, operator, value])).toEqual([
      ["name", "=", "Katrina"],
      ["wind", ">=", 64],
      ["wind", "<", 96],
    ]);
    expect(new Set(dynamic.map(({ id }) => id)).size).toBe(3);
  });

  it("use the dataset's own filters without advanced filtering", () => {
    const { dynamic } = filtersOfGroup(createDescription("TIMESTAMP_SECONDS", false), { ...filters, dynamic: [] }, strong);
    expect(dynamic.map(({ name, operator, value }) => [name, operator, value])).toEqual([
      ["wind", ">=", 64],
      ["wind", "<", 96],
    ]);
  });
});
