import type { ChartTheme } from "./chart-theme.ts";
import type { GraphModel } from "./graph-model.ts";
import { numberOf } from "./graph-values.ts";
import { type GraphDefinition, type GraphValue, type Group, isDerived } from "./graph.ts";

export type ChartStyle = Pick<GraphDefinition, "type" | "stacked" | "logAxis" | "bridged">;

/** A value axis and the indexes of the columns drawn against it. */
interface ValueAxis {
  /** The axis title; empty if a single axis suffices and its values have no unit. */
  name: string;
  columnIndexes: readonly number[];
}

/**
 * Columns of different measures get separate axes, the first column's on the left: average minutes would be invisible
 * beside a sum of miles. With more than two measures, those closest in size share an axis.
 */
export function valueAxes({ columns, values }: GraphModel, shown: readonly number[]): ValueAxis[] {
  const byMeasure = new Map<string, number[]>();
  for (const columnIndex of shown) {
    const { measure = "" } = columns[columnIndex] ?? {};
    byMeasure.set(measure, [...(byMeasure.get(measure) ?? []), columnIndex]);
  }
  if (byMeasure.size < 2) return [{ name: columns[shown[0] ?? -1]?.unit ?? "", columnIndexes: shown }];
  const sizes = [...byMeasure.values()]
    .map((columnIndexes) => ({ columnIndexes, size: largest(values, columnIndexes) }))
    .toSorted((a, b) => a.size - b.size);
  const ratios = sizes.slice(1).map(({ size }, index) => size / (sizes[index]?.size ?? size));
  const split = ratios.indexOf(Math.max(...ratios)) + 1;
  const axisColumns = [sizes.slice(0, split), sizes.slice(split)].map((side) => side.flatMap(({ columnIndexes }) => columnIndexes));
  return axisColumns
    .toSorted((a, b) => Math.min(...a) - Math.min(...b))
    .map((columnIndexes) => ({
      name: [...new Set(columnIndexes.map((columnIndex) => columns[columnIndex]?.measure ?? ""))].join(", "),
      columnIndexes,
    }));
}

/** At least Number.MIN_VALUE, so that it can be a divisor. */
const largest = (values: GraphModel["values"], columnIndexes: readonly number[]): number =>
  Math.max(
    Number.MIN_VALUE,
    ...columnIndexes.map((columnIndex) => values.reduce((max, line) => Math.max(max, Math.abs(valueAt(line, columnIndex))), 0)),
  );

const valueAt = (line: readonly GraphValue[], columnIndex: number): number => numberOf(line[columnIndex] ?? null) ?? 0;

/** Number of axis steps above zero. */
const stepsAboveZero = 5;

/** The range and grid lines of an axis of bars. */
interface Scale {
  min: number;
  max: number;
  lines: readonly number[];
}

/** Bar axes with their zeros aligned, since bars start there. */
export function barScales({ values }: GraphModel, axes: readonly ValueAxis[], isStacked: boolean): Scale[] {
  const extents = axes.map(({ columnIndexes }) => extentOf(values, columnIndexes, isStacked));
  const intervals = extents.map(({ up, down }, side) =>
    roundUp(Math.max(up, down) / stepsAboveZero, isWhole(values, axes[side]?.columnIndexes ?? [])),
  );
  const maxSteps = (direction: "up" | "down") => Math.max(...extents.map((extent, index) => extent[direction] / (intervals[index] ?? 1)));
  // Values below zero are usually small, so the axis need not end at a grid line.
  const stepsBelow = maxSteps("down") * 1.02;
  const stepsAbove = Math.max(stepsBelow === 0 ? 1 : 0, Math.ceil(maxSteps("up")));
  return intervals.map((interval) => ({
    min: stepsBelow === 0 ? 0 : -stepsBelow * interval,
    max: stepsAbove * interval,
    lines: Array.from({ length: Math.floor(stepsBelow) + stepsAbove + 1 }, (_, index) => (index - Math.floor(stepsBelow)) * interval),
  }));
}

function extentOf(values: GraphModel["values"], columnIndexes: readonly number[], isStacked: boolean): { up: number; down: number } {
  let [up, down] = [0, 0];
  for (const line of values) {
    const numbers = columnIndexes.map((columnIndex) => valueAt(line, columnIndex));
    const sum = (sign: 1 | -1) => numbers.reduce((total, number) => total + Math.max(0, sign * number), 0);
    up = Math.max(up, isStacked ? sum(1) : Math.max(0, ...numbers));
    down = Math.max(down, isStacked ? sum(-1) : Math.max(0, ...numbers.map((number) => -number)));
  }
  return { up, down };
}

/** Whether all values are whole numbers, such as counts: the axis has no fractions then. */
const isWhole = (values: GraphModel["values"], columnIndexes: readonly number[]): boolean =>
  values.every((line) => columnIndexes.every((columnIndex) => Number.isInteger(valueAt(line, columnIndex))));

/** Rounds up to 1, 2, 2.5 or 5 times a power of ten; `isWhole` allows only whole numbers. */
function roundUp(size: number, isWhole: boolean): number {
  if (size <= 0 || (isWhole && size <= 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  const factors = isWhole && power < 10 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10];
  return (factors.find((factor) => factor * power >= size * (1 - 1e-9)) ?? 10) * power;
}

/** ECharts value axes. Additive values start at zero; averages and extremes use the range of the data. */
export function yAxes(style: ChartStyle, model: GraphModel, axes: readonly ValueAxis[], theme: ChartTheme): object[] {
  const scales = style.type === "bar" && !style.logAxis ? barScales(model, axes, style.stacked) : [];
  return axes.map(({ name, columnIndexes }, side) => {
    const scale = scales[side];
    return {
      type: style.logAxis ? "log" : "value",
      name,
      // Above the chart, where there is space.
      nameTextStyle: { color: theme.mutedText, align: side === 0 ? "left" : "right" },
      axisLabel: {
        color: theme.mutedText,
        ...(style.logAxis ? {} : { formatter: tickText }),
        ...(scale ? { customValues: scale.lines } : {}),
      },
      ...(!scale && !style.logAxis && isWhole(model.values, columnIndexes) ? { minInterval: 1 } : {}),
      splitLine: { show: side === 0, lineStyle: { color: scale ? lineColors(scale, theme) : theme.line } },
      ...(scale ? { min: scale.min, max: scale.max, axisTick: { show: false, customValues: scale.lines } } : {}),
      ...(scale || style.logAxis || style.stacked || columnIndexes.some((columnIndex) => isAdditive(model, columnIndex))
        ? {}
        : { scale: true }),
    };
  });
}

/** Highlights the zero line if bars go both ways. */
const lineColors = ({ min, lines }: Scale, theme: ChartTheme): string | string[] =>
  min === 0 ? theme.line : lines.map((line) => (line === 0 ? theme.strongLine : theme.line));

function isAdditive({ columns }: GraphModel, columnIndex: number): boolean {
  const column = columns[columnIndex]?.column;
  return column !== undefined && !isDerived(column) && (column.aggregation === "count" || column.aggregation === "sum");
}

const tick = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 6 });
const tickText = (value: number): string => tick.format(value);

const dayMs = 86_400_000;
/** Above this number, hours are labeled by day only. */
const maxLabeledHours = 48;

/** Up to this number of groups, a step is about as wide as its label. */
const maxWideSteps = 12;
const pxOfCharacter = 6.4;

/** Room to the right of the axis for the half of the last label that is wider than its step, in pixels. */
export function endRoom(groups: readonly Group[]): number {
  const label = groups.at(-1)?.label.split(/ – |,/, 1).join() ?? "";
  return groups.length <= maxWideSteps
    ? leastEndRoom
    : Math.min(mostEndRoom, Math.max(leastEndRoom, Math.ceil((label.length * pxOfCharacter) / 2)));
}

const [leastEndRoom, mostEndRoom] = [16, 40] as const;

/** ECharts category axis of the groups. */
export function groupAxis(groups: readonly Group[], theme: ChartTheme): object {
  // Groups of several days are labeled by their first one.
  const isOfDays = groups.some(({ time, label }) => time !== null && label.includes(" – "));
  const isHourly = groups.length > maxLabeledHours && groups.every(({ time, label }) => time !== null && label.includes(","));
  return {
    type: "category",
    data: groups.map(({ label }) => label),
    axisLabel: {
      color: theme.mutedText,
      hideOverlap: true,
      ...(isOfDays ? { formatter: (label: string) => label.split(" – ", 1).join() } : {}),
      ...(isHourly
        ? {
            interval: (index: number) => startsDay(groups[index]?.time?.startMs ?? 1),
            formatter: (label: string) => label.split(",", 1).join(),
          }
        : {}),
    },
    axisTick: { show: false },
    axisLine: { lineStyle: { color: theme.strongLine }, onZero: false },
  };
}

const startsDay = (epochMs: number): boolean => epochMs % dayMs === 0;
