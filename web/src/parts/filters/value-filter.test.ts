import { describe, expect, it } from "vitest";
import { buildColumn, buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { canFilterByValue, withValueFilter } from "./value-filter.ts";

const advanced = buildDescription({ filterSupport: { supportsAdvancedFiltering: true } });
const wind = buildColumn("wind", { type: "integer" });
const summarize = (filters: ReturnType<typeof withValueFilter>) => filters?.map(({ name, operator, value }) => [name, operator, value]);

describe("withValueFilter", () => {
  it("adds a filter next to others on the column", () => {
    const first = withValueFilter(advanced, [], { column: wind, operator: "<>", value: 30 }) ?? [];
    const both = withValueFilter(advanced, first, { column: wind, operator: "<>", value: 40 });
    expect(summarize(both)).toStrictEqual([
      ["wind", "<>", 30],
      ["wind", "<>", 40],
    ]);
    expect(new Set(both?.map(({ id }) => id)).size).toBe(2);
  });

  it("flips an opposite filter and leaves other operators alone", () => {
    const filters = withValueFilter(advanced, [], { column: wind, operator: "=", value: 30 }) ?? [];
    expect(summarize(withValueFilter(advanced, filters, { column: wind, operator: "<>", value: 30 }))).toStrictEqual([["wind", "<>", 30]]);
    const atLeast = [buildFilter("wind", { type: "integer", operator: ">=", value: 30 })];
    expect(summarize(withValueFilter(advanced, atLeast, { column: wind, operator: "=", value: 30 }))).toStrictEqual([
      ["wind", ">=", 30],
      ["wind", "=", 30],
    ]);
  });

  it("formats times as ISO 8601, whatever the column's unit", () => {
    const column = buildColumn("time", { type: "TIMESTAMP_SECONDS" });
    expect(summarize(withValueFilter(advanced, [], { column, operator: "=", value: 60 }))).toStrictEqual([
      ["time", "=", "1970-01-01T00:01:00.000Z"],
    ]);
  });

  it("sends a whole day without a clock", () => {
    const column = buildColumn("day", { type: "TIMESTAMP_SECONDS", day: true });
    expect(summarize(withValueFilter(advanced, [], { column, operator: "=", value: 1_704_067_200 }))).toStrictEqual([
      ["day", "=", "2024-01-01"],
    ]);
  });

  it("uses the dataset's own filter when there is no advanced filtering", () => {
    const description = buildDescription({
      filterSupport: { staticFilters: [buildFilter("storm_id")], additionalFilters: [buildFilter("wind", { type: "integer" })] },
    });
    const column = buildColumn("storm_id");
    const start = [buildFilter("storm_id"), buildFilter("basin", { preFilled: true, value: "AL" })];
    const once = withValueFilter(description, start, { column, operator: "=", value: "AL01" }) ?? [];
    expect(summarize(once)).toStrictEqual([
      ["storm_id", "=", "AL01"],
      ["basin", "=", "AL"],
    ]);
    expect(summarize(withValueFilter(description, once, { column, operator: "=", value: "AL02" }))?.[0]).toStrictEqual([
      "storm_id",
      "=",
      "AL02",
    ]);
    expect(summarize(withValueFilter(description, start, { column: wind, operator: "<>", value: 5 }))?.at(-1)).toStrictEqual([
      "wind",
      "<>",
      5,
    ]);
  });

  it("never changes pre-filled filters", () => {
    const description = buildDescription({ filterSupport: { staticFilters: [] } });
    const preFilled = [buildFilter("wind", { type: "integer", preFilled: true, value: 30 })];
    expect(withValueFilter(description, preFilled, { column: wind, operator: "<>", value: 30 })).toBeNull();
  });

  it("requires a value that a filter can hold", () => {
    expect(["a", 0, false].map(canFilterByValue)).toStrictEqual([true, true, true]);
    expect([null, undefined, "", " "].map(canFilterByValue)).toStrictEqual([false, false, false, false]);
  });
});
