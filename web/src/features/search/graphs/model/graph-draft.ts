import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { colorAt, freeColor } from "@fairway/contract/charts/graph-colors";
import { groupedRange, suggestedDays, suggestedGrouping } from "@fairway/contract/charts/graph-groups";
import { conditionColumns, graphableColumns } from "./graph-validity.ts";
import { columnLabel } from "@fairway/contract/charts/graph-wording";
import type { AggregateColumn, Condition, DerivedColumn, GraphColumn, GraphDefinition, Grouping } from "@fairway/contract/charts/graph";

const newId = (): string => crypto.randomUUID();

/** A new graph of at most `maxGroups` groups: number of rows by time, or custom groups without a time range. */
export function newDraft(description: DatasetDescription, filters: Pick<SearchFilters, "timeRange">, maxGroups: number): GraphDefinition {
  const range = groupedRange(filters, description);
  const groupingType = suggestedGrouping(range, maxGroups);
  const days = range && groupingType === "day" ? suggestedDays(range, maxGroups) : 1;
  const draft: GraphDefinition = {
    title: "",
    type: "bar",
    groupingType,
    ...(days > 1 ? { days } : {}),
    groupings: groupingType === "custom" ? [newGrouping(description, [])] : [],
    columns: [newColumn([])],
    stacked: false,
    logAxis: false,
  };
  return { ...draft, title: suggestedTitle(draft) };
}

export const newCondition = (description: DatasetDescription): Condition => {
  const likely = likelyColumn(description)?.name;
  const available = conditionColumns(description).map(({ name }) => name);
  return { id: newId(), model: available.find((name) => name === likely) ?? available[0] ?? "", operator: ">=", value: "" };
};

export const newGrouping = (description: DatasetDescription, others: readonly Grouping[]): Grouping => {
  const previous = others.at(-1)?.conditions[0];
  const condition = newCondition(description);
  return {
    id: newId(),
    label: "",
    // Groups usually differ only in the value.
    conditions: [previous ? { ...condition, model: previous.model, operator: previous.operator } : condition],
    color: others.length < 8 ? freeColor(others.map(({ color }) => color)) : colorAt(others.length),
  };
};

export const newColumn = (others: readonly GraphColumn[]): AggregateColumn => ({
  id: newId(),
  model: "*",
  aggregation: "count",
  color: freeColor(others.map(({ color }) => color)),
});

export const newDerived = (description: DatasetDescription, others: readonly GraphColumn[]): DerivedColumn => {
  const model = likelyColumn(description)?.name ?? "*";
  return {
    id: newId(),
    label: "",
    type: "ratio",
    column1: { model, aggregation: "sum" },
    column2: { model: "*", aggregation: "count" },
    color: freeColor(others.map(({ color }) => color)),
  };
};

/** The column most likely to be measured: prefers columns with a unit, and skips coordinates. */
export function likelyColumn(description: DatasetDescription): Column | undefined {
  const combinedFields = new Set(description.schema.columns.flatMap(({ combined }) => combined?.fields ?? []));
  const graphable = graphableColumns(description);
  return graphable.find(({ name, unit }) => unit !== undefined && !combinedFields.has(name)) ?? graphable[0];
}

/** `max of wind, avg of wind by day`. */
export const suggestedTitle = (graph: GraphDefinition): string =>
  `${graph.columns.map((column) => columnLabel(column, []) || "…").join(", ")} by ${groupedBy(graph)}`;

/** `day`, `7 days`, `hour`, the one column that all conditions of custom groups use, or `group`. */
function groupedBy({ groupingType, days = 1, groupings }: GraphDefinition): string {
  if (groupingType === "hour") return "hour";
  if (groupingType === "day") return days > 1 ? `${days} days` : "day";
  const models = new Set(groupings.flatMap(({ conditions }) => conditions.map(({ model }) => model)));
  return models.size === 1 ? ([...models][0] ?? "group") : "group";
}

/** Changes a draft. A suggested title follows the change, a title set by the user does not. */
export function updateDraft(draft: GraphDefinition, change: Partial<GraphDefinition>): GraphDefinition {
  const next = { ...draft, ...change };
  return change.title === undefined && draft.title === suggestedTitle(draft) ? { ...next, title: suggestedTitle(next) } : next;
}
