import { expect, it } from "vitest";
import { barScales, groupAxis, valueAxes, yAxes } from "./axes.ts";
import type { GraphModel } from "#features/search/graphs/model/graph-model.ts";

const ink = { text: "#111111", soft: "#222222", line: "#333333", edge: "#444444", ground: "#ffffff", font: "Inter" };
const group = (label: string) => ({ id: label, label, color: "#099bf1", time: null, conditions: [] });

/** Columns by their measures, and a line of values per group. */
const modelOf = (measures: readonly string[], values: GraphModel["values"], aggregation: "avg" | "count" = "avg"): GraphModel => ({
  groups: values.map((_, index) => group(String(index))),
  columns: measures.map((measure, place) => ({
    label: measure,
    unit: measure,
    measure,
    color: "#099bf1",
    column: { id: String(place), model: measure, aggregation, color: "#099bf1" },
  })),
  values,
});
const all = (model: GraphModel) => valueAxes(model, [...model.columns.keys()]);

it("gives two measures an axis each, the first column's at the left, and one measure one", () => {
  expect(all(modelOf(["kt", "kt"], [[1, 900]]))).toEqual([{ name: "kt", places: [0, 1] }]);
  expect(all(modelOf(["min", "mi", "min"], [[12, 800_000, 90]]))).toEqual([
    { name: "min", places: [0, 2] },
    { name: "mi", places: [1] },
  ]);
  const both = modelOf(["min", "mi"], [[12, 800_000]]);
  expect(valueAxes(both, [1])).toEqual([{ name: "mi", places: [1] }]);
  expect(valueAxes(both, [])).toEqual([{ name: "", places: [] }]);
});

it("lets those of several measures share an axis that are nearest in size", () => {
  expect(all(modelOf(["kt", "count", "mbar"], [[150, 6, 968]]))).toEqual([
    { name: "kt, mbar", places: [0, 2] },
    { name: "count", places: [1] },
  ]);
  expect(all(modelOf(["a", "b"], [[null, null]]))).toHaveLength(2);
});

it("puts the zeros of two axes of bars at one height, and holds every value", () => {
  const model = modelOf(
    ["min", "mi"],
    [
      [-1.5, 800_000],
      [1191, 0],
    ],
  );
  const [left, right] = barScales(model, all(model), false);
  expect(left).toMatchObject({ max: 1250, lines: [0, 250, 500, 750, 1000, 1250] });
  expect(right).toMatchObject({ max: 1_000_000, lines: [0, 200_000, 400_000, 600_000, 800_000, 1_000_000] });
  expect(left?.min).toBeLessThan(-1.5);
  expect((left?.min ?? 0) / 250).toBeCloseTo((right?.min ?? 0) / 200_000, 10);
});

it("adds up what is stacked", () => {
  const model = modelOf(["kt", "kt"], [[3, 4]]);
  expect(barScales(model, all(model), false)).toMatchObject([{ min: 0, max: 4 }]);
  expect(barScales(model, all(model), true)).toMatchObject([{ min: 0, max: 8 }]);
  expect(barScales(modelOf(["kt", "kt"], [[-3, -4]]), all(model), true)[0]?.lines).toEqual([-6, -4, -2, 0]);
  expect(barScales(modelOf(["kt"], [[0], [null]]), [{ name: "kt", places: [0] }], false)).toMatchObject([{ min: 0, max: 1 }]);
});

it("begins lines of counts at zero, and lets lines of means show where they differ", () => {
  const line = { type: "line", stacked: false, logAxis: false } as const;
  const axesOf = (model: GraphModel, looks = {}) => yAxes({ ...line, ...looks }, model, all(model), ink);
  expect(axesOf(modelOf(["mbar"], [[968], [1004]]))).toMatchObject([{ scale: true }]);
  expect(axesOf(modelOf(["count"], [[968], [1004]], "count"))[0]).not.toHaveProperty("scale");
  expect(axesOf(modelOf(["mbar"], [[968], [1004]]), { type: "bar" })).toMatchObject([{ min: 0 }]);
  expect(axesOf(modelOf(["mbar"], [[968], [1004]]), { logAxis: true })).toMatchObject([{ type: "log" }]);
});

it("names hours of many days by their days", () => {
  const hours = Array.from({ length: 72 }, (_, hour) => ({
    ...group(`01/0${Math.floor(hour / 24) + 1}/2001, ${hour % 24}`),
    time: { startMs: Date.UTC(2001, 0, 1, hour), endMs: Date.UTC(2001, 0, 1, hour + 1) - 1 },
  }));
  const { axisLabel } = groupAxis(hours, ink) as {
    axisLabel: { interval: (index: number) => boolean; formatter: (label: string) => string };
  };
  expect([...hours.keys()].filter((index) => axisLabel.interval(index))).toEqual([0, 24, 48]);
  expect(axisLabel.formatter("01/02/2001, 0")).toBe("01/02/2001");
  expect(groupAxis(hours.slice(0, 24), ink)).not.toHaveProperty("axisLabel.interval");
});
