import { describe, expect, it } from "vitest";
import type { FieldFilter, FilterSupport } from "./datasets.ts";
import { missingFilterHint } from "./required-filters.ts";

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

it("without requirements nothing is missing", () => {
  expect(missingFilterHint(support({}), nothing)).toBeNull();
});
