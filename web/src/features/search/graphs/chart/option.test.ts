import { describe, expect, it } from "vitest";
import { renderSvg } from "./engine.ts";
import { chartOption, groupOf } from "@fairway/contract/charts/option";
import { type GraphModel, sliceModel, totalOf } from "@fairway/contract/charts/graph-model";

const theme = { text: "#111111", mutedText: "#222222", line: "#333333", strongLine: "#444444", background: "#ffffff", font: "Inter" };
const context = { theme, description: "Winds.", hidden: new Set<number>() };
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
const barStyle = { type: "bar", stacked: false, logAxis: false } as const;

describe("[GRAPH-10] bars and lines", () => {
  it("have a color per column", () => {
    for (const type of ["bar", "line"] as const) {
      const drawn = series(chartOption({ ...barStyle, type, bridged: false }, model, context));
      expect(drawn.map(({ itemStyle }) => itemStyle.color)).toEqual(["#97419d", "#799d76"]);
      expect(drawn.map((entry) => entry.type)).toEqual([type, type]);
    }
    expect(series(chartOption(barStyle, model, context))[0]?.data).toEqual([2, 0, 3]);
  });

  it("omit hidden columns and draw isolated points as dots", () => {
    const lines = series(chartOption({ ...barStyle, type: "line", bridged: false }, model, { ...context, hidden: new Set([0]) }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ symbol: "circle", showAllSymbol: true, data: [64, null, -5] });
    expect(series(chartOption({ ...barStyle, type: "line" }, model, context))[0]?.data).toMatchObject([
      { value: 2, symbol: "none" },
      {},
      {},
    ]);
  });

  it("draw lines across groups without a value, dashed and below the others, unless the graph says otherwise", () => {
    const [first, , last] = model.values;
    const gaps = { ...model, values: [first ?? [], [0, null], last ?? [], [null, null]] };
    const line = { ...barStyle, type: "line" } as const;
    const drawn = series(chartOption(line, gaps, context));
    expect(drawn).toHaveLength(3);
    expect(drawn[2]).toMatchObject({
      connectNulls: true,
      silent: true,
      yAxisIndex: 1,
      lineStyle: { type: "dashed", color: "#799d76" },
      data: [64, null, -5, null],
    });
    expect(series(chartOption({ ...line, bridged: false }, gaps, context))).toHaveLength(2);
    expect(series(chartOption({ ...line, stacked: true }, gaps, context))).toHaveLength(2);
    expect(series(chartOption(barStyle, gaps, context))).toHaveLength(2);
    // Only before the first and after the last value.
    const ends = {
      ...model,
      values: [
        [1, null],
        [2, 64],
        [3, 65],
        [4, null],
      ],
    };
    expect(series(chartOption(line, ends, context))).toHaveLength(2);
  });

  it("stack, and omit zero and negative values on a logarithmic axis", () => {
    expect(series(chartOption({ ...barStyle, stacked: true }, model, context)).map(({ stack }) => stack)).toEqual(["axis 0", "axis 1"]);
    const logarithmic = chartOption({ ...barStyle, stacked: true, logAxis: true }, model, context);
    expect(logarithmic).toMatchObject({ yAxis: [{ type: "log" }, { type: "log" }] });
    expect(series(logarithmic)[0]).toMatchObject({ data: [2, null, 3] });
    expect(series(logarithmic)[0]).not.toHaveProperty("stack");
  });
});

it("centers every label of the groups below its bar, also the last one", () => {
  const labels = ["01/05/2001", "01/06/2001", "01/07/2001"];
  const days = { ...model, groups: labels.map((label) => group(label, "#099bf1")) };
  const svg = renderSvg(chartOption(barStyle, days, context));
  const anchors = Array.from(svg.matchAll(/<text [^>]*text-anchor="(\w+)"[^>]*>([^<]+)<\/text>/g), ([, anchor, text]) => [text, anchor]);
  expect(anchors.filter(([text]) => labels.includes(text ?? ""))).toEqual(labels.map((label) => [label, "middle"]));
});

describe("[GRAPH-11] doughnuts and pies", () => {
  it("have a color per group and omit empty slices", () => {
    for (const type of ["doughnut", "pie"] as const) {
      const [counts, winds] = series(chartOption({ ...barStyle, type }, model, context));
      expect(counts?.data).toMatchObject([
        { name: "a", value: 2, itemStyle: { color: "#099bf1" } },
        { name: "c", value: 3, itemStyle: { color: "#306f57" } },
      ]);
      expect(winds?.data).toMatchObject([{ name: "a", value: 64 }]);
    }
  });

  it("map slices to groups even if others are omitted", () => {
    const [counts] = series(chartOption({ ...barStyle, type: "pie" }, model, context));
    expect(groupOf({ data: counts?.data[1] })).toBe(2);
  });
});

it("disables animation and sets the accessible description", () => {
  expect(chartOption(barStyle, model, context)).toMatchObject({
    animation: false,
    aria: { enabled: true, label: { description: "Winds." } },
  });
  expect(chartOption({ ...barStyle, type: "pie" }, model, { ...context, standalone: { title: "T", widthPx: 1_200 } })).toMatchObject({
    backgroundColor: "#ffffff",
    title: [{ text: "T" }, {}, {}],
  });
  expect(chartOption(barStyle, model, { ...context, standalone: { title: "T", widthPx: 1_200 } })).toMatchObject({
    legend: { data: ["# Occurences", "max of wind (kt)"], selectedMode: false },
  });
  expect(chartOption(barStyle, model, context)).not.toHaveProperty("legend");
});

it("totals only counts and sums without negative values", () => {
  expect(totalOf(model, 0)).toBe(5);
  expect(totalOf(model, 1)).toBeNull();
});

it("slices groups and values", () => {
  expect(sliceModel(model, { from: 1, to: 2 })).toMatchObject({
    groups: [{ id: "b" }, { id: "c" }],
    values: [
      [0, null],
      [3, -5],
    ],
  });
  expect(sliceModel(model, null)).toBe(model);
});
