import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FieldFilter, FilterSupport } from "./datasets.ts";
import type { SearchFilter } from "./search.ts";
import { missingFilterHint, requiresAField } from "./required-filters.ts";

const filter = (name: string, overrides: Partial<FieldFilter> = {}): FieldFilter => ({
  id: name,
  name,
  display: name.toUpperCase(),
  description: "",
  required: false,
  type: "STRING",
  value: "",
  operator: "=",
  preFilled: false,
  ...overrides,
});
const support = (overrides: Partial<FilterSupport>): FilterSupport => ({
  supportsTimeRange: true,
  supportsGeospatial: true,
  supportsAdvancedFiltering: true,
  requiredOrFields: null,
  staticFilters: [],
  preFilledFilters: [],
  additionalFilters: [],
  ...overrides,
});
const nothing = { filters: [], timeRange: false, area: false };

describe("requiredOrFields", () => {
  const either = support({
    requiredOrFields: ["origin", "tail"],
    staticFilters: [filter("origin", { required: true }), filter("day", { required: true })],
  });
  const hint = "To perform a search, you must add one of the following filters: Time range, Area, ORIGIN, tail";

  it("produce a hint with the time range, the area and the display names of the fields", () => {
    expect(missingFilterHint(either, nothing)).toBe(hint);
    expect(missingFilterHint(support({ requiredOrFields: ["tail"], supportsTimeRange: false, supportsGeospatial: false }), nothing)).toBe(
      "To perform a search, you must add one of the following filters: tail",
    );
  });

  it.each([
    { ...nothing, timeRange: true },
    { ...nothing, area: true },
    { ...nothing, filters: [{ name: "tail", operator: "=", value: "N1" }] },
    { ...nothing, filters: [{ name: "origin", operator: "=", value: false }] },
  ])("are satisfied by %j, regardless of required static filters", (criteria) => {
    expect(missingFilterHint(either, criteria)).toBeNull();
  });

  it.each([
    { ...nothing, filters: [{ name: "tail", operator: "=", value: " " }] },
    { ...nothing, filters: [{ name: "other", operator: "=", value: "x" }] },
  ])("are not satisfied by %j", (criteria) => {
    expect(missingFilterHint(either, criteria)).toBe(hint);
  });

  it("are not satisfied by a range or area that the dataset does not support", () => {
    const plain = support({ requiredOrFields: ["tail"], supportsTimeRange: false, supportsGeospatial: false });
    expect(missingFilterHint(plain, { filters: [], timeRange: true, area: true })).not.toBeNull();
  });
});

it.each<[string, SearchFilter["value"], boolean]>([
  ["in", ["N1"], true],
  ["in", [null, " "], false],
  ["in", [null, "N1"], true],
  ["not in", ["N1"], false],
  ["between", ["N1", "N2"], true],
  ["between", ["", " "], false],
  ["not between", ["N1", "N2"], false],
  ["contains", "N", true],
  ["contains", " ", false],
  ["not contains", "N", false],
  ["starts with", "N", true],
  ["not starts with", "N", false],
  ["when", { part: "dayOfWeek", zone: "UTC", in: [1] }, false],
])("a required field is filled by '%s' with %j: %s", (operator, value, fills) => {
  const required = support({ requiredOrFields: ["tail"] });
  expect(missingFilterHint(required, { ...nothing, filters: [{ name: "tail", operator, value }] }) === null).toBe(fills);
});

it.each<[string, SearchFilter["value"], boolean, boolean]>([
  ["each with the field", [[{ name: "a", operator: "=", value: 1 }], [{ name: "a", operator: "in", value: [2] }]], true, true],
  ["one without it", [[{ name: "a", operator: "=", value: 1 }], [{ name: "c", operator: "=", value: 2 }]], false, false],
  ["with one of several fields each", [[{ name: "a", operator: "=", value: 1 }], [{ name: "b", operator: "=", value: 2 }]], false, true],
  ["none", [], false, false],
])("alternatives fill required fields only where each list does: %s", (_, value, fillsField, fillsOne) => {
  const criteria = { ...nothing, filters: [{ name: "*", operator: "any", value }] };
  expect(missingFilterHint(support({ staticFilters: [filter("a", { required: true })] }), criteria) === null).toBe(fillsField);
  expect(missingFilterHint(support({ requiredOrFields: ["a", "b"] }), criteria) === null).toBe(fillsOne);
});

describe("required static filters", () => {
  const both = support({ staticFilters: [filter("a", { required: true }), filter("b", { required: true }), filter("c")] });

  it("each need a value", () => {
    expect(missingFilterHint(both, { ...nothing, timeRange: true, filters: [{ name: "a", operator: "=", value: 0 }] })).toBe(
      "To perform a search, you must fill in the following filters: B",
    );
    const full = [
      { name: "a", operator: "=", value: 0 },
      { name: "b", operator: "=", value: "x" },
    ];
    expect(missingFilterHint(both, { ...nothing, filters: full })).toBeNull();
  });

  it("are satisfied by pre-filled filters", () => {
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
  // Required static filters then apply, as without a list.
  const both = support({ requiredOrFields: [], staticFilters: [filter("a", { required: true })] });
  expect(missingFilterHint(both, nothing)).toBe("To perform a search, you must fill in the following filters: A");
});

it("an empty search is missing a filter exactly if the dataset requires a field", () => {
  const names = fc.constantFrom("a", "b", "c");
  const filters = fc.array(fc.record({ name: names, required: fc.boolean() }), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.option(fc.array(names, { maxLength: 3 })),
      filters,
      fc.boolean(),
      fc.boolean(),
      fc.record({
        filters: fc.array(fc.record({ name: names, operator: fc.constantFrom("=", "<>", "in"), value: fc.constantFrom("", " ", "x", 0) })),
        timeRange: fc.boolean(),
        area: fc.boolean(),
      }),
      (requiredOrFields, statics, supportsTimeRange, supportsGeospatial, criteria) => {
        const staticFilters = statics.map(({ name, required }) => filter(name, { required }));
        const generated = support({ requiredOrFields, staticFilters, supportsTimeRange, supportsGeospatial });
        expect(missingFilterHint(generated, nothing) !== null).toBe(requiresAField(generated));
        const hint = missingFilterHint(generated, criteria);
        expect(hint === null || (requiresAField(generated) && !hint.endsWith(": "))).toBe(true);
      },
    ),
  );
});

it("nothing is missing without requirements", () => {
  expect(missingFilterHint(support({}), nothing)).toBeNull();
});
