import type { BreakdownAnswer } from "../breakdowns.ts";
import type { Column } from "../columns.ts";
import type { Summary } from "../summaries.ts";
import type { ChartStyle } from "./axes.ts";
import { chartOf, isPicture, stepsOf } from "./chart-kinds.ts";
import { pictureOf, styleOf } from "./chart-model.ts";
import type { ChartTheme } from "./chart-theme.ts";
import type { GraphModel } from "./graph-model.ts";
import type { Group } from "./graph.ts";
import { measureLabel } from "./measure-wording.ts";
import { chartOption, legendGrowth, type Standalone } from "./option.ts";
import { scatterOption } from "./scatter.ts";

/** A chart that stands for itself, as plain data: threads can hand it over. */
export type ChartDrawing =
  | { kind: "graph"; style: ChartStyle; model: GraphModel; hidden: readonly number[] }
  | { kind: "scatter"; answer: BreakdownAnswer; groups: readonly Group[]; labels: readonly string[] };

/** The chart of a summary; null where its figures are a table. `note`: what is left to the table. */
export function drawingOf(
  summary: Pick<Summary, "chart" | "isBridged" | "breakdown">,
  answer: BreakdownAnswer,
  columns: readonly Column[],
): { drawing: ChartDrawing; note: string | null } | null {
  const { breakdown } = summary;
  const kind = chartOf(summary.chart, breakdown, stepsOf(answer));
  const picture = isPicture(kind) ? pictureOf(breakdown, answer, columns, kind) : null;
  if (picture === null) return null;
  const { model, hidden, note } = picture;
  const drawing: ChartDrawing =
    kind === "scatter"
      ? { kind, answer, groups: model.groups, labels: breakdown.measures.map(measureLabel) }
      : { kind: "graph", style: styleOf(summary, kind), model, hidden };
  return { drawing, note };
}

/** The height that such a chart needs, if this is enough with a legend of one line. */
export const drawingHeight = (drawing: ChartDrawing, widthPx: number, heightPx: number): number =>
  drawing.kind === "graph" ? heightPx + legendGrowth(drawing.style, drawing.model, new Set(drawing.hidden), widthPx) : heightPx;

/** The ECharts option of such a chart. */
export function drawingOption(
  drawing: ChartDrawing,
  { theme, description, standalone }: { theme: ChartTheme; description: string; standalone: Standalone },
) {
  if (drawing.kind === "graph") {
    const { style, model, hidden } = drawing;
    return chartOption(style, model, { theme, description, hidden: new Set(hidden), standalone });
  }
  const { answer, groups, labels } = drawing;
  return scatterOption({ answer, groups, labels, theme, description, standalone });
}
