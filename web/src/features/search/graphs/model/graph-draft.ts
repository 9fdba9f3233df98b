import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { colorAt, freeColor } from "./graph-colors.ts";
import { type Range, suggestedGrouping } from "./graph-groups.ts";
import { conditionColumns, graphableColumns } from "./graph-validity.ts";
import { columnLabel } from "./graph-wording.ts";
import type { AskedColumn, Condition, DerivedColumn, GraphColumn, GraphDefinition, Grouping, GroupingType } from "./graph.ts";

const newId = (): string => crypto.randomUUID();

/** What a new graph begins with: how many rows there are by day or hour; custom groups where there is no range. */
export function newDraft(description: DatasetDescription, range: Range | null): GraphDefinition {
  const groupingType = suggestedGrouping(range);
  const draft: GraphDefinition = {
    title: "",
    type: "bar",
    groupingType,
    groupings: groupingType === "custom" ? [newGrouping(description, [])] : [],
    columns: [newColumn([])],
    stacked: false,
    logAxis: false,
  };
  return { ...draft, title: suggestedTitle(draft) };
}

export const newCondition = (description: DatasetDescription): Condition => {
  const likely = likelyColumn(description)?.name;
  const offered = conditionColumns(description).map(({ name }) => name);
  return { id: newId(), model: offered.find((name) => name === likely) ?? offered[0] ?? "", operator: ">=", value: "" };
};

export const newGrouping = (description: DatasetDescription, others: readonly Grouping[]): Grouping => {
  const before = others.at(-1)?.conditions[0];
  const condition = newCondition(description);
  return {
    id: newId(),
    label: "",
    // Groups mostly differ in the value alone.
    conditions: [before ? { ...condition, model: before.model, operator: before.operator } : condition],
    color: others.length < 8 ? freeColor(others.map(({ color }) => color)) : colorAt(others.length),
  };
};

export const newColumn = (others: readonly GraphColumn[]): AskedColumn => ({
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

/** The column that is most likely measured: one with a unit before numbers that only count or name, and no half of a place. */
export function likelyColumn(description: DatasetDescription): Column | undefined {
  const places = new Set(description.schema.columns.flatMap(({ combined }) => combined?.fields ?? []));
  const graphable = graphableColumns(description);
  return graphable.find(({ name, unit }) => unit !== undefined && !places.has(name)) ?? graphable[0];
}

const byWords: Record<GroupingType, string> = { day: "by day", hour: "by hour", custom: "by group" };

/** `max of wind, avg of wind by day`. */
export const suggestedTitle = ({ columns, groupingType }: GraphDefinition): string =>
  `${columns.map((column) => columnLabel(column) || "…").join(", ")} ${byWords[groupingType]}`;

/** A change of a draft. A title that the person has not written follows. */
export function changedDraft(draft: GraphDefinition, change: Partial<GraphDefinition>): GraphDefinition {
  const next = { ...draft, ...change };
  return change.title === undefined && draft.title === suggestedTitle(draft) ? { ...next, title: suggestedTitle(next) } : next;
}
