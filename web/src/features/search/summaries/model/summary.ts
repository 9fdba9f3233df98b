import type { BreakdownGrouping, BreakdownMeasure } from "@fairway/contract/breakdowns";
import { isNumeric } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { measureText } from "@fairway/contract/measures";
import { type Summary, summary, type SummaryBreakdown } from "@fairway/contract/summaries";
import { z } from "zod";

/** A summary as a search keeps it. */
export const storedSummary = summary.extend({ id: z.string().min(1).max(100) });
export interface StoredSummary extends Summary {
  readonly id: string;
}

/** The part of a summary that its answer depends on. */
export type Asked = SummaryBreakdown;
export type Condition = NonNullable<Asked["having"]>[number];

export const measureId = (measure: BreakdownMeasure): string => measure.id ?? measureText(measure);

/** Grouping by the values of a column: the best ones by the first measure, and the rest. */
export const byValues = (column: string): BreakdownGrouping => ({ kind: "value", column, top: { count: 20, other: true } });

/** Columns whose values can be groups. */
export const groupableColumns = ({ schema }: DatasetDescription) => schema.columns.filter(({ combined }) => combined === null);

/** Columns that sums, averages and percentiles are computed of. */
export const measurableColumns = (description: DatasetDescription) => groupableColumns(description).filter(({ type }) => isNumeric(type));

/** Changes a measure; the order of groups and conditions that refer to it follow. */
export function withMeasure(summary: Asked, index: number, measure: BreakdownMeasure): Asked {
  const old = summary.measures[index];
  if (old === undefined) return summary;
  const [from, to] = [measureId(old), measureId(measure)];
  return renamed({ ...summary, measures: summary.measures.with(index, measure) }, (id) => (id === from ? to : id));
}

/** Without a measure, the conditions on it, and the orders by it. */
export function withoutMeasure(summary: Asked, index: number): Asked {
  const removed = summary.measures[index];
  if (removed === undefined) return summary;
  const id = measureId(removed);
  const rest = {
    ...summary,
    measures: summary.measures.toSpliced(index, 1),
    having: summary.having?.filter(({ measure }) => measure !== id),
  };
  return renamed(rest, (other) => (other === id ? undefined : other));
}

function renamed(summary: Asked, idOf: (id: string) => string | undefined): Asked {
  return {
    ...summary,
    by: summary.by?.map((grouping) => {
      if (grouping.kind !== "value" || grouping.top?.by === undefined) return grouping;
      return { ...grouping, top: { ...grouping.top, by: idOf(grouping.top.by) } };
    }),
    having: summary.having?.map((condition) => ({ ...condition, measure: idOf(condition.measure) ?? condition.measure })),
  };
}

/** Why the gateway would refuse it; one sentence per problem. */
export function summaryProblems({ measures, having = [] }: Asked): string[] {
  const ids = measures.map(measureId);
  const problems: string[] = [];
  if (measures.length === 0) problems.push("A summary needs at least 1 measure.");
  if (new Set(ids).size < ids.length) problems.push("Two measures are the same.");
  if (having.some(({ value }) => !Number.isFinite(value))) problems.push("Every condition needs a number.");
  for (const { aggregation, where = [] } of measures)
    if (aggregation === "rate" && where.some(({ value }) => value === "")) problems.push("A rate needs a value.");
  return problems;
}
