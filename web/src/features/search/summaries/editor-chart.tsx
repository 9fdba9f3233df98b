import { Checkbox } from "@mantine/core";
import { useId } from "react";
import { type ChartKind, chartLabels, chartOf, offeredCharts } from "@fairway/contract/charts/chart-kinds";
import type { StoredSummary } from "./model/summary.ts";
import classes from "./summaries.module.css";

/** The pictures of a summary, with the reason for each that it cannot have. */
export function ChartChoice({ summary, onChange }: { summary: StoredSummary; onChange: (summary: StoredSummary) => void }) {
  const name = useId();
  const charts = offeredCharts(summary.breakdown);
  const chosen = chartOf(summary.chart, summary.breakdown);
  const others = charts.filter(({ reason }) => reason !== null);
  return (
    <>
      <div role="radiogroup" aria-label="Chart" className={classes["charts"]}>
        {charts.map(({ kind, reason }) => (
          <label key={kind} title={reason ?? undefined} data-disabled={reason !== null || undefined}>
            <input
              type="radio"
              name={name}
              checked={kind === chosen}
              disabled={reason !== null}
              onChange={() => onChange({ ...summary, chart: kind satisfies ChartKind })}
            />
            <span>{chartLabels[kind]}</span>
          </label>
        ))}
      </div>
      {chosen === "lines" && (
        <Checkbox
          label="Draw the line across empty groups"
          checked={summary.isBridged !== false}
          onChange={(event) => onChange({ ...summary, isBridged: event.currentTarget.checked ? undefined : false })}
        />
      )}
      {others.length > 0 && (
        <details className={classes["reasons"]}>
          <summary>Why not the others</summary>
          <ul>
            {others.map(({ kind, reason }) => (
              <li key={kind}>{`${chartLabels[kind]}: ${reason}`}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
