import type { Column } from "@fairway/contract/columns";
import { columnValues, numberOf } from "./graph-values.ts";
import { columnLabel, distinct, measureOf, unitOf } from "./graph-wording.ts";
import { type Graph, type GraphColumn, type Group, type GraphValue, isDerived } from "./graph.ts";

interface ModelColumn {
  label: string;
  /** Empty where there is none. */
  unit: string;
  /** Columns of one measure are drawn against one axis. */
  measure: string;
  color: string;
  column: GraphColumn;
}

/** A graph with its values, ready to be drawn, listed or saved: the columns by their labels, one line of values per group. */
export interface GraphModel {
  groups: readonly Group[];
  columns: readonly ModelColumn[];
  values: readonly (readonly GraphValue[])[];
}

/** Null until the values came. */
export function modelOf(graph: Graph, columns: readonly Column[]): GraphModel | null {
  if (!graph.data) return null;
  const labels = distinct(graph.columns.map(columnLabel));
  return {
    groups: graph.data.groups,
    columns: graph.columns.map((column, place) => ({
      label: labels[place] ?? "",
      unit: unitOf(column, columns),
      measure: measureOf(column, columns),
      color: column.color,
      column,
    })),
    values: columnValues(graph.data, graph.columns),
  };
}

/** The groups from one place to another, both in it. */
export const partOf = (model: GraphModel, part: { from: number; to: number } | null): GraphModel =>
  part ? { ...model, groups: model.groups.slice(part.from, part.to + 1), values: model.values.slice(part.from, part.to + 1) } : model;

/** What a column's groups come to together; null where adding them up says nothing, as with averages, or where one is below zero. */
export function totalOf({ columns, values }: GraphModel, place: number): number | null {
  const column = columns[place]?.column;
  if (!column || isDerived(column) || (column.aggregation !== "count" && column.aggregation !== "sum")) return null;
  const numbers = values.map((line) => numberOf(line[place] ?? null) ?? 0);
  return numbers.every((number) => number >= 0) ? numbers.reduce((sum, number) => sum + number, 0) : null;
}
