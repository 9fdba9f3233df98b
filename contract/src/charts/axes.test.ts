import { expect, it } from "vitest";
import { barScales, groupAxis, valueAxes, yAxes } from "./axes.ts";
import type { GraphModel } from "./graph-model.ts";

const theme = { text: "#111111", mutedText: "#222222", line: "#333333", strongLine: "#444444", background: "#ffffff", font: "Inter" };
const group = (label: string) => ({ id: label, label, color: "#099bf1", time: null, conditions: [] });

/** Columns with these measures, and a row of values per group. */
const modelOf = (measures: readonly string[], values: GraphModel["values"], aggregation: "avg" | "count" = "avg"): GraphModel => ({
  groups: values.map((_, index) => group(String(index))),
  columns: measures.map((measure, index) => ({
    label: measure,
    unit: measure,
    measure,
    color: "#099bf1",
    column: { id: String(index), model: measure, aggregation, color: "#099bf1" },
  })),
  values,
});
const allAxes = (model: GraphModel) => valueAxes(model, [...model.columns.keys()]);

it("creates one axis per measure, the first column's on the left", () => {
  expect(allAxes(modelOf(["kt", "kt"], [[1, 900]]))).toEqual([{ name: "kt", columnIndexes: [0, 1] }]);
  expect(allAxes(modelOf(["min", "mi", "min"], [[12, 800_000, 90]]))).toEqual([
    { name: "min", columnIndexes: [0, 2] },
    { name: "mi", columnIndexes: [1] },
  ]);
  const both = modelOf(["min", "mi"], [[12, 800_000]]);
  expect(valueAxes(both, [1])).toEqual([{ name: "mi", columnIndexes: [1] }]);
  expect(valueAxes(both, [])).toEqual([{ name: "", columnIndexes: [] }]);
});

it("shares an axis between measures closest in size", () => {
  expect(allAxes(modelOf(["kt", "count", "mbar"], [[150, 6, 968]]))).toEqual([
    { name: "kt, mbar", columnIndexes: [0, 2] },
    { name: "count", columnIndexes: [1] },
  ]);
  expect(allAxes(modelOf(["a", "b"], [[null, null]]))).toHaveLength(2);
});

it("aligns the zeros of two bar axes and fits every value", () => {
  const model = modelOf(
    ["min", "mi"],
    [
      [-1.5, 800_000],
      [1191, 0],
    ],
  );
  const [left, right] = barScales(model, allAxes(model), false);
  expect(left).toMatchObject({ max: 1250, lines: [0, 250, 500, 750, 1000, 1250] });
  expect(right).toMatchObject({ max: 1_000_000, lines: [0, 200_000, 400_000, 600_000, 800_000, 1_000_000] });
  expect(left?.min).toBeLessThan(-1.5);
  expect((left?.min ?? 0) / 250).toBeCloseTo((right?.min ?? 0) / 200_000, 10);
});

it("has whole grid lines for whole values", () => {
  const linesOf = (...values: number[]) => {
    const model = modelOf(
      ["count"],
      values.map((value) => [value]),
      "count",
    );
    return barScales(model, allAxes(model), false)[0]?.lines;
  };
  expect(linesOf(12, 3)).toEqual([0, 5, 10, 15]);
  expect(linesOf(1, 0)).toEqual([0, 1]);
  expect(linesOf(125, 3)).toEqual([0, 25, 50, 75, 100, 125]);
  expect(linesOf(12.5, 3)).toEqual([0, 2.5, 5, 7.5, 10, 12.5]);
  const line = { type: "line", stacked: false, logAxis: false } as const;
  const minIntervals = (value: number) => {
    const model = modelOf(["count"], [[value]], "count");
    return yAxes(line, model, allAxes(model), theme).map((axis) => (axis as { minInterval?: number }).minInterval);
  };
  expect([minIntervals(3), minIntervals(3.5)]).toEqual([[1], [undefined]]);
});

it("sums stacked values", () => {
  const model = modelOf(["kt", "kt"], [[3, 4]]);
  expect(barScales(model, allAxes(model), false)).toMatchObject([{ min: 0, max: 4 }]);
  expect(barScales(model, allAxes(model), true)).toMatchObject([{ min: 0, max: 8 }]);
  expect(barScales(modelOf(["kt", "kt"], [[-3, -4]]), allAxes(model), true)[0]?.lines).toEqual([-6, -4, -2, 0]);
  expect(barScales(modelOf(["kt"], [[0], [null]]), [{ name: "kt", columnIndexes: [0] }], false)).toMatchObject([{ min: 0, max: 1 }]);
});

it("starts lines of counts at zero, but not those of averages", () => {
  const line = { type: "line", stacked: false, logAxis: false } as const;
  const axesOf = (model: GraphModel, style = {}) => yAxes({ ...line, ...style }, model, allAxes(model), theme);
  expect(axesOf(modelOf(["mbar"], [[968], [1004]]))).toMatchObject([{ scale: true }]);
  expect(axesOf(modelOf(["count"], [[968], [1004]], "count"))[0]).not.toHaveProperty("scale");
  expect(axesOf(modelOf(["mbar"], [[968], [1004]]), { type: "bar" })).toMatchObject([{ min: 0 }]);
  expect(axesOf(modelOf(["mbar"], [[968], [1004]]), { logAxis: true })).toMatchObject([{ type: "log" }]);
});

it("labels hours by day if there are many", () => {
  const hours = Array.from({ length: 72 }, (_, hour) => ({
    ...group(`01/0${Math.floor(hour / 24) + 1}/2001, ${hour % 24}`),
    time: { startMs: Date.UTC(2001, 0, 1, hour), endMs: Date.UTC(2001, 0, 1, hour + 1) - 1 },
  }));
  const { axisLabel } = groupAxis(hours, theme) as {
    axisLabel: { interval: (index: number) => boolean; formatter: (label: string) => string };
  };
  expect([...hours.keys()].filter((index) => axisLabel.interval(index))).toEqual([0, 24, 48]);
  expect(axisLabel.formatter("01/02/2001, 0")).toBe("01/02/2001");
  expect(groupAxis(hours.slice(0, 24), theme)).not.toHaveProperty("axisLabel.interval");
});
