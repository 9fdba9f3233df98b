import { describe, expect, it } from "vitest";
import { chartOption, groupOf } from "./option.ts";
import { type GraphModel, partOf, totalOf } from "#features/search/graphs/model/graph-model.ts";

const ink = { text: "#111111", soft: "#222222", line: "#333333", edge: "#444444", ground: "#ffffff", font: "Inter" };
const look = { ink, description: "Winds.", hidden: new Set<number>() };
const group = (label: string, color: string) => ({ id: label, label, color, time: null, conditions: [] });
const model: GraphModel = {
  groups: [group("a", "#099bf1"), group("b", "#e36f17"), group("c", "#306f57")],
  columns: [
    {
      label: "# Occurences",
      unit: "",
      measure: "count",
      color: "#97419d",
      column: { id: "1", model: "*", aggregation: "count", color: "#97419d" },
    },
    {
      label: "max of wind",
      unit: "kt",
      measure: "kt",
      color: "#799d76",
      column: { id: "2", model: "wind", aggregation: "max", color: "#799d76" },
    },
  ],
  values: [
    [2, 64],
    [0, null],
    [3, -5],
  ],
};
const series = (option: object) =>
  (option as { series: { type: string; data: unknown[]; itemStyle: { color?: string }; stack?: string }[] }).series;
const bars = { type: "bar", stacked: false, logAxis: false } as const;

describe("[GRAPH-10] bars and lines", () => {
  it("have a color per column", () => {
    for (const type of ["bar", "line"] as const) {
      const drawn = series(chartOption({ ...bars, type }, model, look));
      expect(drawn.map(({ itemStyle }) => itemStyle.color)).toEqual(["#97419d", "#799d76"]);
      expect(drawn.map((one) => one.type)).toEqual([type, type]);
    }
    expect(series(chartOption(bars, model, look))[0]?.data).toEqual([2, 0, 3]);
  });

  it("leave out columns that the legend has put out, and draw lone points as dots", () => {
    const lines = series(chartOption({ ...bars, type: "line" }, model, { ...look, hidden: new Set([0]) }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ symbol: "circle", showAllSymbol: true, data: [64, null, -5] });
    expect(series(chartOption({ ...bars, type: "line" }, model, look))[0]?.data).toMatchObject([{ value: 2, symbol: "none" }, {}, {}]);
  });

  it("stack, and have no place for zero and below on a logarithmic axis", () => {
    expect(series(chartOption({ ...bars, stacked: true }, model, look)).map(({ stack }) => stack)).toEqual(["axis 0", "axis 1"]);
    const logarithmic = chartOption({ ...bars, stacked: true, logAxis: true }, model, look);
    expect(logarithmic).toMatchObject({ yAxis: [{ type: "log" }, { type: "log" }] });
    expect(series(logarithmic)[0]).toMatchObject({ data: [2, null, 3] });
    expect(series(logarithmic)[0]).not.toHaveProperty("stack");
  });
});

describe("[GRAPH-11] doughnuts and pies", () => {
  it("have a color per group and no slice for nothing", () => {
    for (const type of ["doughnut", "pie"] as const) {
      const [counts, winds] = series(chartOption({ ...bars, type }, model, look));
      expect(counts?.data).toMatchObject([
        { name: "a", value: 2, itemStyle: { color: "#099bf1" } },
        { name: "c", value: 3, itemStyle: { color: "#306f57" } },
      ]);
      expect(winds?.data).toMatchObject([{ name: "a", value: 64 }]);
    }
  });

  it("know the group of a slice, also after one that is not drawn", () => {
    const [counts] = series(chartOption({ ...bars, type: "pie" }, model, look));
    expect(groupOf({ data: counts?.data[1] })).toBe(2);
  });
});

it("moves nothing and describes itself", () => {
  expect(chartOption(bars, model, look)).toMatchObject({ animation: false, aria: { enabled: true, label: { description: "Winds." } } });
  expect(chartOption({ ...bars, type: "pie" }, model, { ...look, alone: { title: "T" } })).toMatchObject({
    backgroundColor: "#ffffff",
    title: [{ text: "T" }, {}, {}],
  });
  expect(chartOption(bars, model, { ...look, alone: { title: "T" } })).toMatchObject({
    legend: { data: ["# Occurences", "max of wind (kt)"], selectedMode: false },
  });
  expect(chartOption(bars, model, look)).not.toHaveProperty("legend");
});

it("adds up counts and sums alone, where nothing is below zero", () => {
  expect(totalOf(model, 0)).toBe(5);
  expect(totalOf(model, 1)).toBeNull();
});

it("shows a part of the groups with their values", () => {
  expect(partOf(model, { from: 1, to: 2 })).toMatchObject({
    groups: [{ id: "b" }, { id: "c" }],
    values: [
      [0, null],
      [3, -5],
    ],
  });
  expect(partOf(model, null)).toBe(model);
});
