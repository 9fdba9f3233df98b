import type { BreakdownAnswer, BreakdownGrouping, BreakdownMeasure } from "../breakdowns.ts";
import { summaryCharts } from "../summaries.ts";

export type ChartKind = (typeof summaryCharts)[number];

export const chartLabels: Record<ChartKind, string> = {
  number: "Number",
  bars: "Bars",
  lines: "Lines",
  columns: "Columns",
  area: "Stacked area",
  stack: "Stacked columns",
  scatter: "Scatter",
  doughnut: "Doughnut",
  pie: "Pie",
  heatmap: "Heatmap",
  table: "Table",
};

interface OfferedChart {
  kind: ChartKind;
  /** Why the groupings or measures do not allow it; null if they do. */
  reason: string | null;
}

interface Shape {
  by?: readonly BreakdownGrouping[] | undefined;
  measures: readonly BreakdownMeasure[];
}

/** Figures whose parts add up to the whole. */
const isAdditive = (measure: BreakdownMeasure | undefined): boolean =>
  measure?.aggregation === "count" || measure?.aggregation === "sum" || measure?.aggregation === "share";

/** Steps, parts and ranges follow each other; values and groups do not. */
const isOrdered = ({ kind }: BreakdownGrouping): boolean => kind === "time" || kind === "part" || kind === "range";

const additiveReason = "Averages, medians, percentiles, distinct counts and extremes do not add up.";
const linesReason = "Needs a grouping by time, parts of times or ranges, alone or with a second grouping.";

/** Steps of time up to this number are columns if they are counts. */
const mostColumns = 60;

/** The groupings that a picture has along its axis and as its series. */
export function axesOf(by: readonly BreakdownGrouping[]): { along: number; series: number | null } | null {
  const along = by.findIndex(({ kind }) => kind === "time");
  const first = along >= 0 ? along : by.findIndex(isOrdered);
  if (first < 0 || by.length > 2) return null;
  return { along: first, series: by.length === 2 ? 1 - first : null };
}

function reasonOf(kind: ChartKind, { by = [], measures }: Shape): string | null {
  const [first] = measures;
  const axes = axesOf(by);
  switch (kind) {
    case "number":
      return by.length === 0 ? null : "A number has no groupings.";
    case "bars":
      return by.length === 1 ? null : "Bars need one grouping.";
    case "lines":
    case "columns":
      return axes === null ? linesReason : null;
    case "area":
    case "stack":
      if (axes === null || axes.series === null) return "Stacks need a grouping along the axis and a second one.";
      if (by[axes.series]?.kind === "groups") return "Groups of your own may overlap, so they do not add up.";
      return isAdditive(first) ? null : additiveReason;
    case "scatter":
      return by.length === 1 && measures.length > 1 ? null : "A scatter needs one grouping and two measures.";
    case "doughnut":
    case "pie":
      if (by.length !== 1) return "Slices need one grouping.";
      if (by[0]?.kind === "groups") return "Groups of your own may overlap, so they do not add up.";
      return first?.aggregation === "count" || first?.aggregation === "sum" ? null : additiveReason;
    case "heatmap":
      return by.length === 2 ? null : "A heatmap needs two groupings.";
    case "table":
      return null;
    default:
      return kind satisfies never;
  }
}

/** All charts, with the reason for each that the groupings and measures do not allow. */
export const offeredCharts = (shape: Shape): OfferedChart[] => summaryCharts.map((kind) => ({ kind, reason: reasonOf(kind, shape) }));

/** The chosen chart if the summary allows it, else the one that suits its shape. `steps`: the groups along its axis, once known. */
export function chartOf(chosen: ChartKind | null, shape: Shape, steps?: number): ChartKind {
  return chosen !== null && reasonOf(chosen, shape) === null ? chosen : suitable(shape, steps);
}

function suitable({ by = [], measures }: Shape, steps = 0): ChartKind {
  const [first, second] = by;
  if (first === undefined) return "number";
  if (second === undefined) {
    if (first.kind === "time") return measures[0]?.aggregation === "count" && steps > 0 && steps <= mostColumns ? "columns" : "lines";
    return first.kind === "part" || first.kind === "range" ? "columns" : "bars";
  }
  if (by.length > 2) return "table";
  return by.some(({ kind }) => kind === "time") ? "lines" : "heatmap";
}

/** The groups along the axis of a picture. */
export const stepsOf = ({ by }: BreakdownAnswer): number => (by.find(({ kind }) => kind === "time") ?? by[0])?.entries.length ?? 0;

/** Kinds that are drawn above their table. */
export const isPicture = (kind: ChartKind): boolean => !["number", "bars", "heatmap", "table"].includes(kind);
