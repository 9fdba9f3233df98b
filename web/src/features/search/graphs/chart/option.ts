import { formatCount } from "@fairway/contract/counts";
import type { EChartsCoreOption } from "echarts/core";
import { groupAxis, valueAxes, yAxes } from "./axes.ts";
import type { Ink } from "./ink.ts";
import { type GraphModel, totalOf } from "#features/search/graphs/model/graph-model.ts";
import { numberOf } from "#features/search/graphs/model/graph-values.ts";
import { measuredLabel } from "#features/search/graphs/model/graph-wording.ts";
import { type GraphDefinition, isRound } from "#features/search/graphs/model/graph.ts";

export interface ChartLook {
  ink: Ink;
  /** What assistive technology reads in the place of the picture. */
  description: string;
  /** Places of columns that the legend has put out. */
  hidden: ReadonlySet<number>;
  /** The text beside the pointer: of a group for bars and lines, of one slice for round charts. */
  tip?: (group: number, column: number | null) => HTMLElement;
  /** With title, legend and labels: a picture that stands alone. */
  alone?: { title: string };
}

type Looks = Pick<GraphDefinition, "type" | "stacked" | "logAxis">;

/** Bars above this are drawn in bulk, and so are lines. */
const manyGroups = 2_000;

/** ECharts' option for a graph. */
export function chartOption(looks: Looks, model: GraphModel, look: ChartLook): EChartsCoreOption {
  const { ink, alone } = look;
  const shown = model.columns.map((_, place) => place).filter((place) => !look.hidden.has(place));
  const common = {
    animation: false,
    textStyle: { fontFamily: ink.font, fontSize: 11 },
    aria: { enabled: true, label: { description: look.description } },
    ...(alone ? { backgroundColor: ink.ground } : {}),
  };
  const heading = alone
    ? [{ text: alone.title, left: 16, top: 10, textStyle: { color: ink.text, fontSize: 14, fontWeight: 600, fontFamily: ink.font } }]
    : [];
  return isRound(looks)
    ? { ...common, ...roundOption(looks, model, look, shown, heading) }
    : { ...common, title: heading, ...axesOption(looks, model, look, shown) };
}

function axesOption(looks: Looks, model: GraphModel, look: ChartLook, shown: readonly number[]) {
  const { type, stacked, logAxis } = looks;
  const { groups, columns, values } = model;
  const { ink, alone, tip } = look;
  const isMany = groups.length > manyGroups;
  const axes = valueAxes(model, shown);
  const isNamed = axes.some(({ name }) => name !== "");
  const keys = shown.flatMap((place) => (columns[place] ? [measuredLabel(columns[place])] : []));
  return {
    ...(alone ? { legend: { type: "plain", selectedMode: false, data: keys, top: 36, left: 16, textStyle: { color: ink.soft } } } : {}),
    grid: {
      left: alone ? 16 : 4,
      right: alone || axes.length === 1 ? 16 : 4,
      top: (alone ? 72 : 12) + (isNamed ? 18 : 0),
      bottom: alone ? 16 : 4,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    tooltip: {
      trigger: "axis",
      confine: true,
      className: "fairway-chart-tip",
      transitionDuration: 0,
      axisPointer: {
        type: type === "bar" ? "shadow" : "line",
        lineStyle: { color: ink.edge, type: "dashed" },
        shadowStyle: { color: ink.line, opacity: 0.5 },
      },
      ...(tip ? { formatter: (at: unknown) => tip(indexOf(at), null) } : {}),
    },
    xAxis: groupAxis(groups, ink),
    yAxis: yAxes(looks, model, axes, ink),
    series: shown.map((place) => {
      const column = columns[place];
      const { color = ink.soft } = column ?? {};
      const side = axes.findIndex(({ places }) => places.includes(place));
      const isStacked = stacked && !logAxis;
      const numbers = values.map((line) => drawable(numberOf(line[place] ?? null), logAxis));
      return {
        type: type === "line" ? "line" : "bar",
        name: column ? measuredLabel(column) : "",
        yAxisIndex: side,
        ...(isStacked ? { stack: `axis ${side}` } : {}),
        itemStyle: { color },
        ...(type === "line"
          ? {
              lineStyle: { color, width: 2 },
              ...(isStacked ? { areaStyle: { color, opacity: 0.2 } } : {}),
              symbol: "circle",
              symbolSize: 5,
              ...(isMany ? { sampling: "lttb", showSymbol: false } : { showAllSymbol: true }),
            }
          : { barMaxWidth: 48, barGap: "10%", ...(isMany && !stacked ? { large: true } : {}) }),
        data: type === "line" && !isMany ? withLonePoints(numbers) : numbers,
      };
    }),
  };
}

/** On a logarithmic axis there is no place for zero and what is below it. */
const drawable = (number: number | null, logAxis: boolean): number | null => (number !== null && logAxis && number <= 0 ? null : number);

/** A point without neighbours is no line: it alone is drawn as a dot. */
function withLonePoints(numbers: readonly (number | null)[]) {
  return numbers.map((value, index) =>
    value !== null && ((numbers[index - 1] ?? null) !== null || (numbers[index + 1] ?? null) !== null) ? { value, symbol: "none" } : value,
  );
}

function roundOption({ type }: Looks, model: GraphModel, look: ChartLook, shown: readonly number[], heading: readonly object[]) {
  const { ink, alone, tip } = look;
  const { groups, columns, values } = model;
  const width = 100 / Math.max(1, shown.length);
  const centreOf = (index: number): string => `${width * (index + 0.5)}%`;
  const middle = alone ? "58%" : "50%";
  const [outer, inner] = alone ? ["58%", "36%"] : shown.length > 1 ? ["72%", "45%"] : ["94%", "59%"];
  const titles = shown.flatMap((place, index): object[] => {
    const label = columns[place]?.label ?? "";
    const total = type === "doughnut" ? totalOf(model, place) : null;
    const at = { left: centreOf(index), textAlign: "center", padding: 0 } as const;
    const small = { color: ink.soft, fontSize: 12, fontWeight: 400, fontFamily: ink.font };
    if (total !== null && total > 0)
      return [
        {
          ...at,
          top: middle,
          textVerticalAlign: "middle",
          itemGap: 2,
          text: formatCount(total),
          subtext: label,
          textStyle: { color: ink.text, fontSize: 20, fontWeight: 600, fontFamily: ink.font },
          subtextStyle: small,
        },
      ];
    return shown.length > 1 ? [{ ...at, bottom: 0, text: label, textStyle: small }] : [];
  });
  return {
    title: [...heading, ...titles],
    tooltip: {
      trigger: "item",
      confine: true,
      className: "fairway-chart-tip",
      transitionDuration: 0,
      ...(tip ? { formatter: (at: unknown) => tip(groupOf(at), columnOf(at, shown)) } : {}),
    },
    series: shown.map((place, index) => ({
      type: "pie",
      name: columns[place]?.label ?? "",
      // In a box of its own, so that neighbours keep apart however narrow the chart is.
      left: `${width * index}%`,
      width: `${width}%`,
      center: ["50%", middle],
      radius: [type === "doughnut" ? inner : 0, outer],
      label: { show: alone !== undefined, color: ink.text, formatter: "{b}: {d} %" },
      labelLine: { show: alone !== undefined },
      emphasis: { scale: false, itemStyle: { opacity: 0.85 } },
      itemStyle: { borderColor: ink.ground, borderWidth: groups.length > 200 ? 0 : 1.5 },
      data: groups.flatMap(({ label, color }, group) => {
        const value = numberOf(values[group]?.[place] ?? null);
        return value !== null && value > 0 ? [{ name: label, value, group, itemStyle: { color } }] : [];
      }),
    })),
  };
}

function indexOf(at: unknown): number {
  const [first] = Array.isArray(at) ? (at as { dataIndex?: number }[]) : [];
  return first?.dataIndex ?? 0;
}

/** The group of a slice: slices of nothing are not drawn, so that places do not tell. */
export const groupOf = (at: unknown): number => (at as { data?: { group?: number } }).data?.group ?? 0;

const columnOf = (at: unknown, shown: readonly number[]): number => shown[(at as { seriesIndex?: number }).seriesIndex ?? 0] ?? 0;
