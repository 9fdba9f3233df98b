import type { FieldFilter, FilterSupport } from "@fairway/contract/datasets";
import type { MissingFilter } from "@fairway/contract/required-filters";
import { describe, expect, it } from "vitest";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { canSearch } from "#parts/search-model/filter-list.ts";
import { timeRangeOf } from "#parts/search-model/time-range.ts";

const timeRange = timeRangeOf(0, 1_000);
const geospatial = { polygons: [{ id: "a", points: [] }], text: "1 area" };

function check(filterSupport: Partial<FilterSupport>, filters: Partial<SearchFilters>) {
  return canSearch(buildDescription({ filterSupport }), { geospatial: null, timeRange: null, dynamic: [], ...filters });
}

const orFields = {
  requiredOrFields: ["storm_id", "name"],
  supportsTimeRange: true,
  supportsGeospatial: true,
  staticFilters: [buildFilter("storm_id", { display: "Storm" }), buildFilter("name")],
};
const filled = (name: string, value: FieldFilter["value"]): Partial<SearchFilters> => ({ dynamic: [buildFilter(name, { value })] });

const partNames = { timeRange: "Time range", area: "Area" } as const;
const namesOf = (missing: readonly MissingFilter[]) =>
  missing.map((part) => (part.kind === "field" ? part.display : partNames[part.kind])).join(", ");

describe("with requiredOrFields", () => {
  it.each<[string, Partial<FilterSupport>, Partial<SearchFilters>, boolean]>([
    ["nothing", {}, {}, false],
    ["a time range", {}, { timeRange }, true],
    ["an area", {}, { geospatial }, true],
    ["a named field", {}, filled("name", "Melissa"), true],
    ["a named field with 0", {}, filled("name", 0), true],
    ["a named field with false", {}, filled("name", false), true],
    ["a blank named field", {}, filled("name", "  "), false],
    ["another field", {}, filled("wind", 64), false],
    ["a time range that the dataset does not support", { supportsTimeRange: false }, { timeRange }, false],
    ["an area that the dataset does not support", { supportsGeospatial: false }, { geospatial }, false],
    [
      "one named field though another is required",
      { staticFilters: [buildFilter("wind", { required: true })] },
      filled("name", "Ida"),
      true,
    ],
  ])("[SEARCH-40] enables or disables Search with %s", (_, support, filters, enabled) => {
    expect(check({ ...orFields, ...support }, filters).enabled).toBe(enabled);
  });

  it.each<[Partial<FilterSupport>, string]>([
    [{}, "Time range, Area, Storm, name"],
    [{ supportsGeospatial: false }, "Time range, Storm, name"],
    [{ supportsTimeRange: false, supportsGeospatial: false }, "Storm, name"],
    [{ requiredOrFields: ["wind"], supportsTimeRange: false }, "Area, wind"],
  ])("[SEARCH-43] names the filters that would satisfy the rule: %j", (support, names) => {
    const { enabled, hint, missing } = check({ ...orFields, ...support }, {});
    expect([enabled, hint]).toEqual([false, `To perform a search, you must add one of the following filters: ${names}`]);
    expect(namesOf(missing)).toBe(names);
  });
});

describe("without requiredOrFields", () => {
  const staticFilters = [
    buildFilter("iso3", { required: true, display: "Country" }),
    buildFilter("year", { required: true }),
    buildFilter("note"),
  ];

  it.each<[string, FieldFilter[], string | null]>([
    ["nothing", [], "Country, year"],
    ["one of two", [buildFilter("iso3", { value: "NOR" })], "year"],
    ["one of two blank", [buildFilter("iso3", { value: "NOR" }), buildFilter("year", { value: "  " })], "year"],
    ["both", [buildFilter("iso3", { value: "NOR" }), buildFilter("year", { value: 0 })], null],
  ])("[SEARCH-41] every required static field needs a value: %s", (_, dynamic, missing) => {
    const found = check({ requiredOrFields: null, staticFilters }, { dynamic, timeRange });
    expect([found.enabled, found.hint]).toEqual([
      missing === null,
      missing && `To perform a search, you must fill in the following filters: ${missing}`,
    ]);
    expect(namesOf(found.missing)).toBe(missing ?? "");
  });

  it("[SEARCH-42] Search is enabled when nothing is required", () => {
    expect(check({ requiredOrFields: null, staticFilters: [buildFilter("note")] }, {}).enabled).toBe(true);
    expect(check({}, {})).toStrictEqual({ enabled: true, hint: null, missing: [] });
  });
});
