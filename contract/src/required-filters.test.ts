import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FieldFilter, FilterSupport } from "./datasets.ts";
import { missingFilterHint, requiresAField } from "./required-filters.ts";

const filter = (name: string, more: Partial<FieldFilter> = {}): FieldFilter => ({
  id: name,
  name,
  display: name.toUpperCase(),
  description: "",
  required: false,
  type: "STRING",
  value: "",
  operator: "=",
  preFilled: false,
  ...more,
});
const support = (more: Partial<FilterSupport>): FilterSupport => ({
  supportsTimeRange: true,
  supportsGeospatial: true,
  supportsAdvancedFiltering: true,
  requiredOrFields: null,
  staticFilters: [],
  preFilledFilters: [],
  additionalFilters: [],
  ...more,
});
const nothing = { filters: [], timeRange: false, area: false };

describe("one of several", () => {
  const either = support({
    requiredOrFields: ["origin", "tail"],
    staticFilters: [filter("origin", { required: true }), filter("day", { required: true })],
  });
  const hint = "To perform a search, you must add one of the following filters: Time range, Area, ORIGIN, tail";

  it("names the range, the area and the fields as they are displayed", () => {
    expect(missingFilterHint(either, nothing)).toBe(hint);
    expect(missingFilterHint(support({ requiredOrFields: ["tail"], supportsTimeRange: false, supportsGeospatial: false }), nothing)).toBe(
      "To perform a search, you must add one of the following filters: tail",
    );
  });

  it.each([
    { ...nothing, timeRange: true },
    { ...nothing, area: true },
    { ...nothing, filters: [{ name: "tail", value: "N1" }] },
    { ...nothing, filters: [{ name: "origin", value: false }] },
  ])("is met by %j, and required static filters do not count", (by) => {
    expect(missingFilterHint(either, by)).toBeNull();
  });

  it.each([
    { ...nothing, filters: [{ name: "tail", value: " " }] },
    { ...nothing, filters: [{ name: "other", value: "x" }] },
  ])("is not met by %j", (by) => {
    expect(missingFilterHint(either, by)).toBe(hint);
  });

  it("is not met by a range or area that the dataset does not support", () => {
    const plain = support({ requiredOrFields: ["tail"], supportsTimeRange: false, supportsGeospatial: false });
    expect(missingFilterHint(plain, { filters: [], timeRange: true, area: true })).not.toBeNull();
  });
});

describe("required static filters", () => {
  const both = support({ staticFilters: [filter("a", { required: true }), filter("b", { required: true }), filter("c")] });

  it("each need a value", () => {
    expect(missingFilterHint(both, { ...nothing, timeRange: true, filters: [{ name: "a", value: 0 }] })).toBe(
      "To perform a search, you must fill in the following filters: B",
    );
    const full = [
      { name: "a", value: 0 },
      { name: "b", value: "x" },
    ];
    expect(missingFilterHint(both, { ...nothing, filters: full })).toBeNull();
  });

  it("a pre-filled one has its value already", () => {
    expect(
      missingFilterHint(
        support({ staticFilters: [filter("a", { required: true })], preFilledFilters: [filter("a", { value: "x" })] }),
        nothing,
      ),
    ).toBeNull();
  });
});

it("an empty list of fields requires nothing, with and without time range and area", () => {
  for (const supports of [true, false]) {
    const empty = support({ requiredOrFields: [], supportsTimeRange: supports, supportsGeospatial: supports });
    expect([missingFilterHint(empty, nothing), requiresAField(empty)]).toEqual([null, false]);
  }
  // Required static filters then count, as they do without a list.
  const both = support({ requiredOrFields: [], staticFilters: [filter("a", { required: true })] });
  expect(missingFilterHint(both, nothing)).toBe("To perform a search, you must fill in the following filters: A");
});

it("a search without anything lacks a filter exactly where the dataset requires a field", () => {
  const names = fc.constantFrom("a", "b", "c");
  const filters = fc.array(fc.record({ name: names, required: fc.boolean() }), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.option(fc.array(names, { maxLength: 3 })),
      filters,
      fc.boolean(),
      fc.boolean(),
      fc.record({
        filters: fc.array(fc.record({ name: names, value: fc.constantFrom("", " ", "x", 0) })),
        timeRange: fc.boolean(),
        area: fc.boolean(),
      }),
      (requiredOrFields, statics, supportsTimeRange, supportsGeospatial, by) => {
        const staticFilters = statics.map(({ name, required }) => filter(name, { required }));
        const made = support({ requiredOrFields, staticFilters, supportsTimeRange, supportsGeospatial });
        expect(missingFilterHint(made, nothing) !== null).toBe(requiresAField(made));
        const hint = missingFilterHint(made, by);
        expect(hint === null || (requiresAField(made) && !hint.endsWith(": "))).toBe(true);
      },
    ),
  );
});

it("without requirements nothing is missing", () => {
  expect(missingFilterHint(support({}), nothing)).toBeNull();
});
