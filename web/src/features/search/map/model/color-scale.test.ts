import { describe, expect, it } from "vitest";
import {
  areWhole,
  automaticRange,
  beyondOf,
  canBeBalanced,
  canBeLog,
  colorNumbers,
  colorScaleOf,
  type ColorScaleOptions,
  fullRange,
  keepsRange,
  needsRescale,
  scaleOfView,
  stepOf,
} from "./color-scale.ts";
import { cellWidthM, distanceText, numberText, scaleSteps, shortNumberText, stepText } from "./scale-text.ts";

const limits = (low: number, high: number, options: Partial<ColorScaleOptions> = {}, values: ArrayLike<number> = []): readonly number[] =>
  colorScaleOf(values, { scale: "log", palette: "tide", range: { low, high }, kind: "whole", ...options }).limits;
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("a logarithmic scale", () => {
  it("has round limits in about the same ratio", () => {
    expect(limits(1, 38)).toEqual([2, 3, 5, 8, 15, 25]);
    expect(limits(1, 2_000_000)).toEqual([8, 60, 500, 4_000, 30_000, 250_000]);
    expect(limits(0.001, 10, { kind: "decimal" })).toEqual([0.004, 0.015, 0.05, 0.2, 0.8, 3]);
  });

  it("has whole and ascending limits for whole numbers, and one step for each of few", () => {
    expect(limits(1, 8)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(limits(1, 3)).toEqual([2, 3]);
    for (const high of [9, 12, 17, 40, 99, 1_000, 123_457, 5e9]) {
      const all = limits(1, high);
      expect(all).toHaveLength(6);
      expect(all.every((limit, index) => Number.isInteger(limit) && limit > (all[index - 1] ?? 1) && limit <= high)).toBe(true);
    }
  });

  it("is linear where values are not above 0", () => {
    expect(canBeLog({ low: 0, high: 7 })).toBe(false);
    expect(colorScaleOf([], { scale: "log", palette: "ember", range: { low: -7, high: 7 }, kind: "decimal" })).toMatchObject({
      scale: "linear",
      limits: [-5, -3, -1, 1, 3, 5],
    });
  });
});

describe("a linear scale", () => {
  it("has steps of the same width with short limits", () => {
    expect(limits(0, 0.7, { scale: "linear", kind: "decimal" })).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
    expect(limits(0, 99, { scale: "linear" })).toEqual([14, 29, 43, 57, 71, 86]);
    expect(limits(24.3, 98.7, { scale: "linear", kind: "decimal" })).toEqual([35, 46, 56, 67, 77, 88]);
  });

  it("has times as limits at which a year, month, day or hour begins where one is near", () => {
    const days = limits(Date.UTC(2020, 0), Date.UTC(2020, 0, 29), { scale: "linear", kind: { unitMs: 1 } });
    expect(days.map((timeMs) => new Date(timeMs).toISOString().slice(0, 10))).toEqual([
      "2020-01-05",
      "2020-01-09",
      "2020-01-13",
      "2020-01-17",
      "2020-01-21",
      "2020-01-25",
    ]);
    const years = limits(Date.UTC(1975, 5) / 1_000, Date.UTC(2020, 3) / 1_000, { scale: "linear", kind: { unitMs: 1_000 } });
    expect(years.map((second) => new Date(second * 1_000).toISOString().slice(0, 10))).toEqual([
      "1982-01-01",
      "1988-01-01",
      "1994-08-01",
      "2001-01-01",
      "2007-06-01",
      "2014-01-01",
    ]);
  });
});

describe("steps of equal numbers", () => {
  it("hold the same number of cells", () => {
    const values = Float64Array.from(numbers(1, 700), (value) => value ** 2 / 7);
    const scale = colorScaleOf(values, { scale: "steps", palette: "tide", range: { low: 1 / 7, high: 70_000 }, kind: "decimal" });
    const held = new Map<number, number>();
    for (const number of colorNumbers(values, scale)) held.set(number, (held.get(number) ?? 0) + 1);
    expect([...held.values()]).toEqual([100, 100, 100, 100, 100, 100, 100]);
    // Any number between two values parts them, so that the limits can be short.
    expect(scale.limits).toEqual([1_450, 5_750, 12_920, 22_950, 35_800, 51_600]);
  });

  it("hold equal values together, one for each value if there are few", () => {
    const many = [...Array.from({ length: 60 }, () => 1), ...numbers(1, 40)];
    expect(limits(1, 40, { scale: "steps" }, many)).toEqual([12, 27]);
    expect(limits(1, 900, { scale: "steps" }, [1, 1, 30, 900])).toEqual([30, 900]);
  });

  it("count values by their weights", () => {
    const values = numbers(1, 70);
    const even = limits(1, 70, { scale: "steps" }, values);
    const weighted = limits(1, 70, { scale: "steps", weights: values.map((value) => (value > 35 ? 100 : 1)) }, values);
    expect(even).toEqual([11, 21, 31, 41, 51, 61]);
    expect(weighted.every((limit) => limit > 35)).toBe(true);
  });
});

describe("a palette around a middle", () => {
  const balanced = (low: number, high: number) =>
    colorScaleOf([], { scale: "linear", palette: "balance", range: { low, high }, kind: "decimal" });

  it("has its middle color around 0, as far on both sides", () => {
    expect(balanced(-7, 7)).toMatchObject({ limits: [-5, -3, -1, 1, 3, 5], colors: [1, 2, 3, 4, 5, 6, 7] });
    // Colors that are not reached have no step.
    expect(balanced(-2, 7)).toMatchObject({ limits: [-1, 1, 3, 5], colors: [3, 4, 5, 6, 7] });
    expect(balanced(-7, 0.5)).toMatchObject({ limits: [-5, -3, -1], colors: [1, 2, 3, 4] });
    expect([...colorNumbers([-7, -1.5, 0, 0.9, 1], balanced(-7, 7))]).toEqual([1, 3, 4, 4, 5]);
  });

  it("needs values on both sides of 0", () => {
    expect([canBeBalanced({ low: -1, high: 1 }), canBeBalanced({ low: 0, high: 1 })]).toEqual([true, false]);
    expect(balanced(1, 7.5).colors).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe("the range", () => {
  it("of counts is 1 to the most, of measures the middle 98%, and all of fewer than 20 cells", () => {
    expect(automaticRange([3, 38, 5], "count")).toEqual({ low: 1, high: 38 });
    expect(automaticRange([3, 38, 5], "density")).toEqual({ low: 3, high: 38 });
    expect(automaticRange([...numbers(1, 199), 9_000], "measure")).toEqual({ low: 3, high: 198 });
    expect(automaticRange([1, 2, 9_000], "measure")).toEqual({ low: 1, high: 9_000 });
    expect(automaticRange([Number.NaN, Infinity], "count")).toBeNull();
    expect(fullRange(Float64Array.from([4, Number.NaN, -2, Infinity]))).toEqual({ low: -2, high: 4 });
  });

  it("of equal values is one step with the strongest color", () => {
    const scale = scaleOfView({}, [30, 30, 30], "count");
    expect(scale).toMatchObject({ range: { low: 30, high: 30 }, limits: [], colors: [7] });
    expect(scale && stepText(scale, 0, numberText)).toBe("30");
    // Both would read 30.
    expect(scaleOfView({}, [30.000_001, 30.000_002], "measure")?.limits).toEqual([]);
    expect(scaleOfView({}, [1_234_567, 1_234_568], "measure")?.limits).toEqual([1_234_568]);
  });

  it("of a view comes before a computed one", () => {
    const view = { scale: "linear", range: { low: 10, high: 17 }, palette: "ember" } as const;
    expect(scaleOfView(view, [1, 99.5], "measure")).toMatchObject({ range: { low: 10, high: 17 }, limits: [11, 12, 13, 14, 15, 16] });
    expect(scaleOfView({}, [], "count")).toBeNull();
    expect(scaleOfView({}, numbers(1, 38), "count")).toMatchObject({ scale: "log", palette: "tide", kind: "whole" });
    expect(scaleOfView({}, [1, 2.5], "measure")).toMatchObject({ scale: "linear", palette: "ember", kind: "decimal" });
  });

  it("leaves values beyond it to the colors of its ends, and is worth another look when they are more than 1% at one of them", () => {
    const values = [-5, ...numbers(1, 98), 900, Number.NaN];
    const beyond = beyondOf(values, { low: 1, high: 98 });
    expect(beyond).toEqual({ below: 1, above: 1, count: 100 });
    expect(needsRescale(beyond)).toBe(false);
    expect(needsRescale({ below: 0, above: 2, count: 100 })).toBe(true);
    const scale = scaleOfView({ range: { low: 1, high: 98 } }, values, "measure");
    expect(scale && [...colorNumbers(Float64Array.of(-5, 900, Number.NaN), scale)]).toEqual([1, 7, 0]);
    // The values that the automatic range itself leaves out are no reason to compute it again.
    for (const count of [20, 60, 99, 150, 1_000]) {
      const all = Array.from({ length: count }, (_, index) => (index * 7_919) % 1_009);
      expect(needsRescale(beyondOf(all, automaticRange(all, "measure") ?? { low: 0, high: 0 }))).toBe(false);
    }
  });

  it("stays while the map is panned, and on another level for what does not grow with the cell", () => {
    const before = { search: "a", measure: "rows", growsWithCell: true, level: 8 };
    expect(keepsRange(before, { ...before })).toBe(true);
    expect(keepsRange(before, { ...before, level: 9 })).toBe(false);
    expect(keepsRange(before, { ...before, search: "b" })).toBe(false);
    const average = { ...before, measure: "avg wind", growsWithCell: false };
    expect(keepsRange(average, { ...average, level: 9 })).toBe(true);
    expect(keepsRange(before, average)).toBe(false);
  });
});

it("a value belongs to the step that begins at or before it", () => {
  expect([0, 9.9, 10, 19, 20, 99].map((value) => stepOf(value, [10, 20]))).toEqual([0, 0, 1, 1, 2, 2]);
  expect([areWhole([1, Number.NaN, 2]), areWhole([1.5])]).toEqual([true, false]);
});

it("a legend names steps, numbers and widths in few characters", () => {
  const scale = scaleOfView({}, numbers(1, 38), "count");
  if (scale === null) throw new Error("There is a scale.");
  expect(scaleSteps(scale).map((_, step) => stepText(scale, step, numberText))).toEqual([
    "1",
    "2",
    "3 – 4",
    "5 – 7",
    "8 – 14",
    "15 – 24",
    "25 – 38",
  ]);
  expect([1, 0.123_456_7, 9_999, 250_000, 1_234_567].map(shortNumberText)).toEqual(["1", "0.12346", "9,999", "250K", "1.23M"]);
  expect([cellWidthM(8, 28.3), cellWidthM(15, 0), cellWidthM(20, 60)].map(distanceText)).toEqual(["138 km", "1.22 km", "19.1 m"]);
});
