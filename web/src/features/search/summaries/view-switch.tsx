import { SegmentedControl } from "@mantine/core";
import { chartOf, isPicture } from "@fairway/contract/charts/chart-kinds";
import type { StoredSummary } from "./model/summary.ts";

/** A picture with its table, or one of them. A ranking and a heatmap are tables, whose picture is in their cells. */
export type SummaryView = "both" | "chart" | "table";

interface Props {
  summary: StoredSummary;
  title: string;
  view: SummaryView;
  onView: (view: SummaryView) => void;
}

/** Chooses between the picture and the table. Nothing where a summary has only one of them. */
export function ViewSwitch({ summary, title, view, onView }: Props) {
  const kind = chartOf(summary.chart, summary.breakdown);
  if (kind === "number" || kind === "table") return null;
  const inCells = kind === "heatmap" ? "Heatmap" : "Bars";
  const choices: { value: SummaryView; label: string }[] = isPicture(kind)
    ? [
        { value: "both", label: "Chart and table" },
        { value: "chart", label: "Chart" },
        { value: "table", label: "Table" },
      ]
    : [
        { value: "both", label: inCells },
        { value: "table", label: kind === "heatmap" ? "Pivot table" : "Table" },
      ];
  const shown = choices.some(({ value }) => value === view) ? view : "both";
  return <SegmentedControl<SummaryView> size="xs" aria-label={`Show ${title} as`} value={shown} onChange={onView} data={choices} />;
}
