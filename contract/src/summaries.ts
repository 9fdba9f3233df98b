import { z } from "zod";
import { breakdownLimits, breakdownRequest } from "./breakdowns.ts";

/** Pictures of a summary. A ranking (`bars`) and a heatmap are tables themselves; `table` has figures only. */
export const summaryCharts = [
  "number",
  "bars",
  "lines",
  "columns",
  "area",
  "stack",
  "scatter",
  "doughnut",
  "pie",
  "heatmap",
  "table",
] as const;

/** A breakdown of whatever search it is shown with. */
export const summaryBreakdown = breakdownRequest.omit({ search: true, totals: true, fresh: true });
export type SummaryBreakdown = z.infer<typeof summaryBreakdown>;

/**
 * A summary without its answer, as addresses, templates, boards and the tab keep it. Strict: a reader that does not know a part of it
 * refuses it, because a summary without that part would be another one.
 */
export const summary = z
  .strictObject({
    /** Null: follows from measures and groupings. */
    title: z.string().max(breakdownLimits.labelCharacters).nullable().default(null),
    /** Null: what suits the groupings. */
    chart: z.enum(summaryCharts).nullable().default(null),
    /** Whether lines are drawn across groups without a value, dashed. Default: true. */
    isBridged: z.boolean().optional(),
    breakdown: summaryBreakdown,
  })
  .meta({ id: "Summary" });
export type Summary = z.infer<typeof summary>;
export type SummaryDraft = z.input<typeof summary>;

/**
 * A summary as the JSON of a template, and as the graph of a board's panel. Graphs by hand stand there without a version, and readers
 * that know only those refuse it.
 */
export const versionedSummary = summary.extend({ version: z.literal(2) });

export const withVersion = ({ title, chart, isBridged, breakdown }: Summary): z.infer<typeof versionedSummary> => ({
  version: 2,
  title,
  chart,
  ...(isBridged === undefined ? {} : { isBridged }),
  breakdown,
});
