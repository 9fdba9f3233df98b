import { type Asked, measureId } from "@fairway/contract/charts/asked";
import type { BreakdownGrouping, BreakdownMeasure } from "@fairway/contract/breakdowns";
import { isNumeric } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { measureText } from "@fairway/contract/measures";
import { type Summary, summary } from "@fairway/contract/summaries";
import { z } from "zod";
import type { RowOrder } from "@fairway/contract/charts/table-rows";

/** A summary as a search keeps it. */
export const storedSummary = summary.extend({ id: z.string().min(1).max(100) });
export interface StoredSummary extends Summary {
  readonly id: string;
}

/** The default ids of groupings, by which conditions refer to them: the column, with the kind where it occurs twice. */
export function groupingIds(by: readonly BreakdownGrouping[]): { id: string; label: string }[] {
  const columns = by.map((grouping) => (grouping.kind === "groups" ? "groups" : (grouping.column ?? "")));
  return by.flatMap((grouping, index) => {
    const column = columns[index] ?? "";
    // The id of the dataset's own time is known only to the gateway.
    if (column === "" || columns.filter((one) => one === column).length > 1) return [];
    return [{ id: grouping.id ?? column, label: grouping.kind === "groups" ? "group" : column }];
  });
}

/** Grouping by the values of a column: the best ones by the first measure, and the rest. */
export const byValues = (column: string, count = 20): BreakdownGrouping => ({ kind: "value", column, top: { count, other: true } });

/** The order in which the answer lists the groups of one grouping; null for that of nature. */
export function orderOf({ by = [], measures }: Asked): RowOrder | null {
  const [grouping] = by;
  if (grouping === undefined || (grouping.kind !== "value" && grouping.sort === undefined)) return null;
  const { sort } = grouping;
  const top = grouping.kind === "value" ? grouping.top : undefined;
  if (sort?.by === "key") return { by: "group", descending: sort.direction === "desc" };
  const id = sort?.by ?? top?.by;
  const place = id === undefined ? 0 : measures.findIndex((measure) => measureId(measure) === id);
  const direction = sort?.direction ?? (sort === undefined ? top?.direction : undefined) ?? "desc";
  return place < 0 ? null : { by: place, of: sort?.of ?? "value", descending: direction === "desc" };
}

/** Columns whose values can be groups. */
export const groupableColumns = ({ schema }: DatasetDescription) => schema.columns.filter(({ combined }) => combined === null);

/** Columns that sums, averages and percentiles are computed of. */
export const measurableColumns = (description: DatasetDescription) => groupableColumns(description).filter(({ type }) => isNumeric(type));

/** The measure with an id of its own where another one has the same text, as counts of different rows do. */
export function withOwnId(measure: BreakdownMeasure, others: readonly BreakdownMeasure[]): BreakdownMeasure {
  const { id: _, ...plain } = measure;
  const text = measureText(plain);
  const taken = new Set(others.map(measureId));
  if (!taken.has(text)) return plain;
  let number = 2;
  while (taken.has(`${text} ${number}`)) number += 1;
  return { ...plain, id: `${text} ${number}` };
}

/** Changes a measure; the order of groups and conditions that refer to it follow. */
export function withMeasure(summary: Asked, index: number, changed: BreakdownMeasure): Asked {
  const old = summary.measures[index];
  if (old === undefined) return summary;
  const measure = withOwnId(changed, summary.measures.toSpliced(index, 1));
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
    // Those that are computed of it have nothing to be computed of.
    measures: summary.measures.filter(({ of }, place) => place !== index && !(typeof of === "object" && of.includes(id))),
    having: summary.having?.filter(({ measure }) => measure !== id),
  };
  return renamed(rest, (other) => (other === id ? undefined : other));
}

function renamed(summary: Asked, idOf: (id: string) => string | undefined): Asked {
  return {
    ...summary,
    measures: summary.measures.map((measure) => {
      if (typeof measure.of !== "object") return measure;
      const [first, second] = measure.of;
      return { ...measure, of: [idOf(first) ?? first, idOf(second) ?? second] };
    }),
    by: summary.by?.map((grouping) => {
      const { sort } = grouping;
      const by = sort === undefined || sort.by === "key" ? sort?.by : idOf(sort.by);
      const sorted = sort === undefined ? grouping : { ...grouping, sort: by === undefined ? undefined : { ...sort, by } };
      if (sorted.kind !== "value" || sorted.top?.by === undefined) return sorted;
      return { ...sorted, top: { ...sorted.top, by: idOf(sorted.top.by) } };
    }),
    having: summary.having?.map((condition) => ({ ...condition, measure: idOf(condition.measure) ?? condition.measure })),
  };
}

/** Why the gateway would refuse it; one sentence per problem. */
export function summaryProblems({ measures, by = [], having = [] }: Asked): string[] {
  const ids = measures.map(measureId);
  const problems: string[] = [];
  if (measures.length === 0) problems.push("A summary needs at least 1 measure.");
  if (new Set(ids).size < ids.length) problems.push("Two measures are the same.");
  if (having.some(({ value }) => !Number.isFinite(value))) problems.push("Every condition needs a number.");
  if (measures.some(({ aggregation, where = [] }) => aggregation === "rate" && where.length === 0))
    problems.push("A rate needs the rows that count in it.");
  for (const grouping of by) {
    if (grouping.kind !== "groups") continue;
    if (grouping.groups.some(({ label }) => label.trim() === "")) problems.push("Every group needs a name.");
    if (new Set(grouping.groups.map(({ label }) => label)).size < grouping.groups.length) problems.push("Two groups have the same name.");
  }
  return problems;
}
