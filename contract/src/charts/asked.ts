import type { BreakdownMeasure } from "../breakdowns.ts";
import { measureText } from "../measures.ts";
import type { SummaryBreakdown } from "../summaries.ts";

/** The part of a summary that its answer depends on. */
export type Asked = SummaryBreakdown;
export type Condition = NonNullable<Asked["having"]>[number];

export const measureId = (measure: BreakdownMeasure): string => measure.id ?? measureText(measure);
