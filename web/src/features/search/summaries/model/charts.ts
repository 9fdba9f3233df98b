import type { BreakdownGrouping } from "@fairway/contract/breakdowns";
import type { Summary } from "@fairway/contract/summaries";

/** Pictures of a summary. A ranking and a heatmap are tables themselves. */
export const chartKinds = ["number", "bars", "heatmap", "table"] as const;
export type ChartKind = (typeof chartKinds)[number];

export const chartLabels: Record<ChartKind, string> = { number: "Number", bars: "Bars", heatmap: "Heatmap", table: "Table" };

interface OfferedChart {
  kind: ChartKind;
  /** Why the groupings do not allow it; null if they do. */
  reason: string | null;
}

const needs: Record<ChartKind, { groupings: readonly number[]; reason: string }> = {
  number: { groupings: [0], reason: "A number has no groupings." },
  bars: { groupings: [1], reason: "Bars need one grouping." },
  heatmap: { groupings: [2], reason: "A heatmap needs two groupings." },
  table: { groupings: [0, 1, 2], reason: "A table has at most two groupings." },
};

/** All charts, with the reason for each that the groupings do not allow. */
export const offeredCharts = (by: readonly BreakdownGrouping[]): OfferedChart[] =>
  chartKinds.map((kind) => ({ kind, reason: needs[kind].groupings.includes(by.length) ? null : needs[kind].reason }));

/** The chosen chart if the groupings allow it, else the first that they allow. */
export function chartOf(chosen: Summary["chart"], by: readonly BreakdownGrouping[]): ChartKind {
  const allowed = offeredCharts(by).filter(({ reason }) => reason === null);
  return allowed.find(({ kind }) => kind === chosen)?.kind ?? allowed[0]?.kind ?? "table";
}
