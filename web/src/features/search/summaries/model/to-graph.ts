import type { BreakdownGrouping, BreakdownMeasure } from "@fairway/contract/breakdowns";
import { operator } from "@fairway/contract/columns";
import { filterValue } from "@fairway/contract/datasets";
import { aggregationType, type SearchFilter } from "@fairway/contract/search";
import { colorAt } from "@fairway/contract/charts/graph-colors";
import { type Condition, type GraphColumn, type GraphDefinition, type Grouping, graphTypes } from "@fairway/contract/charts/graph";
import { chartOf } from "@fairway/contract/charts/chart-kinds";
import { titleOf } from "@fairway/contract/charts/measure-wording";
import type { StoredSummary } from "./summary.ts";

/** The summary as a graph of groups by hand, or the sentence why it cannot be one. `temporalField`: the dataset's own time. */
export function graphOfSummary(
  { title, chart, isBridged, breakdown }: StoredSummary,
  temporalField: string | null,
): GraphDefinition | string {
  const { measures, by = [], having = [], compare } = breakdown;
  const [grouping, ...more] = by;
  if (grouping === undefined || more.length > 0) return "Groups by hand need one grouping.";
  if (having.length > 0) return "Groups by hand have no conditions on groups.";
  if (compare !== undefined) return "Groups by hand are not compared.";
  const grouped = groupedBy(grouping, temporalField);
  if (grouped === null) return "By hand there are days and hours in UTC, and groups of one's own.";
  const columns = measures.flatMap((measure, index) => columnOf(measure, index) ?? []);
  if (columns.length < measures.length) return "By hand there are counts, sums, averages, minima and maxima of all rows of a group.";
  const kind = chartOf(chart, breakdown);
  return {
    title: title ?? titleOf(breakdown),
    type: graphTypes.find((type) => type === kind) ?? (kind === "lines" ? "line" : "bar"),
    ...grouped,
    columns,
    stacked: false,
    logAxis: false,
    ...(isBridged === false ? { bridged: false } : {}),
  };
}

function groupedBy(
  grouping: BreakdownGrouping,
  temporalField: string | null,
): Pick<GraphDefinition, "groupingType" | "groupings" | "days"> | null {
  if (grouping.sort !== undefined) return null;
  if (grouping.kind === "time") {
    const { unit, size = 1, zone = "UTC", column = temporalField } = grouping;
    if (zone !== "UTC" || column !== temporalField) return null;
    if (unit === "hour") return size === 1 ? { groupingType: "hour", groupings: [] } : null;
    return unit === "day" ? { groupingType: "day", groupings: [], ...(size === 1 ? {} : { days: size }) } : null;
  }
  if (grouping.kind !== "groups" || grouping.match === "first") return null;
  const own = grouping.groups.map(({ label, filters }, index): Grouping | null => {
    const conditions = filters.flatMap((one) => conditionOf(one) ?? []);
    return conditions.length < filters.length ? null : { id: crypto.randomUUID(), label, conditions, color: colorAt(index) };
  });
  const groupings = own.filter((one) => one !== null);
  if (groupings.length < own.length) return null;
  const rest: Grouping = { id: crypto.randomUUID(), label: "Other", conditions: [], color: colorAt(own.length), isRest: true };
  return { groupingType: "custom", groupings: grouping.other === true ? [...groupings, rest] : groupings };
}

function conditionOf({ name, operator: sign, value }: SearchFilter): Condition | null {
  const [known, read] = [operator.safeParse(sign), filterValue.nullable().safeParse(value)];
  return known.success && read.success ? { id: crypto.randomUUID(), model: name, operator: known.data, value: read.data } : null;
}

function columnOf({ aggregation, column = "*", where = [], of }: BreakdownMeasure, index: number): GraphColumn | null {
  const known = aggregationType.safeParse(aggregation);
  if (!known.success || where.length > 0 || of !== undefined) return null;
  return { id: crypto.randomUUID(), model: column, aggregation: known.data, color: colorAt(index) };
}
