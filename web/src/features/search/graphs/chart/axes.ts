import type { Ink } from "./ink.ts";
import type { GraphModel } from "#features/search/graphs/model/graph-model.ts";
import { numberOf } from "#features/search/graphs/model/graph-values.ts";
import { type GraphDefinition, type GraphValue, type Group, isDerived } from "#features/search/graphs/model/graph.ts";

type Looks = Pick<GraphDefinition, "type" | "stacked" | "logAxis">;

/** A value axis and the places of the columns that are drawn against it. */
interface ValueAxis {
  /** What stands above it; empty where one axis is enough and its values have no unit. */
  name: string;
  places: readonly number[];
}

/**
 * Columns that measure different things have an axis each, the first column's at the left: a mean of minutes beside a sum of
 * miles would be a line on the floor. Of more than two things those share an axis that are nearest in size.
 */
export function valueAxes({ columns, values }: GraphModel, shown: readonly number[]): ValueAxis[] {
  const measured = new Map<string, number[]>();
  for (const place of shown) {
    const { measure = "" } = columns[place] ?? {};
    measured.set(measure, [...(measured.get(measure) ?? []), place]);
  }
  if (measured.size < 2) return [{ name: columns[shown[0] ?? -1]?.unit ?? "", places: shown }];
  const sizes = [...measured.values()].map((places) => ({ places, size: largest(values, places) })).toSorted((a, b) => a.size - b.size);
  const jumps = sizes.slice(1).map(({ size }, index) => size / (sizes[index]?.size ?? size));
  const split = jumps.indexOf(Math.max(...jumps)) + 1;
  const sides = [sizes.slice(0, split), sizes.slice(split)].map((side) => side.flatMap(({ places }) => places));
  return sides
    .toSorted((a, b) => Math.min(...a) - Math.min(...b))
    .map((places) => ({ name: [...new Set(places.map((place) => columns[place]?.measure ?? ""))].join(", "), places }));
}

/** Above zero, so that one can divide by it. */
const largest = (values: GraphModel["values"], places: readonly number[]): number =>
  Math.max(Number.MIN_VALUE, ...places.map((place) => values.reduce((most, line) => Math.max(most, Math.abs(drawn(line, place))), 0)));

const drawn = (line: readonly GraphValue[], place: number): number => numberOf(line[place] ?? null) ?? 0;

/** Steps that a value axis has above zero. */
const stepsUp = 5;

/** Where an axis of bars begins and ends, and where its lines are. */
interface Scale {
  min: number;
  max: number;
  lines: readonly number[];
}

/** Axes of bars whose zeros stand at one height, as bars begin there. */
export function barScales({ values }: GraphModel, axes: readonly ValueAxis[], isStacked: boolean): Scale[] {
  const reaches = axes.map(({ places }) => reachOf(values, places, isStacked));
  const intervals = reaches.map(({ up, down }) => roundUp(Math.max(up, down) / stepsUp));
  const most = (of: "up" | "down") => Math.max(...reaches.map((reach, index) => reach[of] / (intervals[index] ?? 1)));
  // What lies below zero need not end at a line: it mostly is little.
  const under = most("down") * 1.02;
  const above = Math.max(under === 0 ? 1 : 0, Math.ceil(most("up")));
  return intervals.map((interval) => ({
    min: under === 0 ? 0 : -under * interval,
    max: above * interval,
    lines: Array.from({ length: Math.floor(under) + above + 1 }, (_, index) => (index - Math.floor(under)) * interval),
  }));
}

function reachOf(values: GraphModel["values"], places: readonly number[], isStacked: boolean): { up: number; down: number } {
  let [up, down] = [0, 0];
  for (const line of values) {
    const numbers = places.map((place) => drawn(line, place));
    const sum = (sign: 1 | -1) => numbers.reduce((total, number) => total + Math.max(0, sign * number), 0);
    up = Math.max(up, isStacked ? sum(1) : Math.max(0, ...numbers));
    down = Math.max(down, isStacked ? sum(-1) : Math.max(0, ...numbers.map((number) => -number)));
  }
  return { up, down };
}

/** The next of 1, 2, 2.5 and 5 times a power of ten. */
function roundUp(size: number): number {
  if (size <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  const nice = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= size * (1 - 1e-9)) ?? 10;
  return nice * power;
}

/** ECharts' value axes. Numbers that add up begin at zero; means and the like show where they differ. */
export function yAxes(looks: Looks, model: GraphModel, axes: readonly ValueAxis[], ink: Ink): object[] {
  const scales = looks.type === "bar" && !looks.logAxis ? barScales(model, axes, looks.stacked) : [];
  return axes.map(({ name, places }, side) => {
    const scale = scales[side];
    return {
      type: looks.logAxis ? "log" : "value",
      name,
      // Over the chart, where there is room for it.
      nameTextStyle: { color: ink.soft, align: side === 0 ? "left" : "right" },
      axisLabel: { color: ink.soft, ...(looks.logAxis ? {} : { formatter: tickText }), ...(scale ? { customValues: scale.lines } : {}) },
      splitLine: { show: side === 0, lineStyle: { color: scale ? lineColors(scale, ink) : ink.line } },
      ...(scale ? { min: scale.min, max: scale.max, axisTick: { show: false, customValues: scale.lines } } : {}),
      ...(scale || looks.logAxis || looks.stacked || places.some((place) => addsUp(model, place)) ? {} : { scale: true }),
    };
  });
}

/** The line of zero stands out where bars go both ways. */
const lineColors = ({ min, lines }: Scale, ink: Ink): string | string[] =>
  min === 0 ? ink.line : lines.map((line) => (line === 0 ? ink.edge : ink.line));

function addsUp({ columns }: GraphModel, place: number): boolean {
  const column = columns[place]?.column;
  return column !== undefined && !isDerived(column) && (column.aggregation === "count" || column.aggregation === "sum");
}

const tick = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 6 });
const tickText = (value: number): string => tick.format(value);

const dayMs = 86_400_000;
/** Hours above this are named by their days alone. */
const mostNamedHours = 48;

/** ECharts' axis of the groups. */
export function groupAxis(groups: readonly Group[], ink: Ink): object {
  const isHourly = groups.length > mostNamedHours && groups.every(({ time, label }) => time !== null && label.includes(","));
  return {
    type: "category",
    data: groups.map(({ label }) => label),
    axisLabel: {
      color: ink.soft,
      hideOverlap: true,
      ...(isHourly
        ? {
            interval: (index: number) => beginsDay(groups[index]?.time?.startMs ?? 1),
            formatter: (label: string) => label.split(",", 1).join(),
          }
        : {}),
    },
    axisTick: { show: false },
    axisLine: { lineStyle: { color: ink.edge }, onZero: false },
  };
}

const beginsDay = (epochMs: number): boolean => epochMs % dayMs === 0;
