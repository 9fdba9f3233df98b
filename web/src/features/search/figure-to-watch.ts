import type { BreakdownMeasure } from "@fairway/contract/breakdowns";

/** The figure of a new alert, without a limit. */
export interface FigureToWatch {
  measure: BreakdownMeasure;
  /** The column whose values are watched; null for all rows. */
  by: string | null;
  leastRows: number | null;
}
