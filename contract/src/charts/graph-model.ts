import type { Column } from "../columns.ts";
import { columnValues, numberOf } from "./graph-values.ts";
import { columnLabel, uniqueLabels, measureOf, unitOf } from "./graph-wording.ts";
import { type Graph, type GraphColumn, type Group, type GraphValue, isDerived } from "./graph.ts";

interface ModelColumn {
  label: string;
  /** Empty if there is none. */
  unit: string;
  /** Columns with the same measure share an axis. */
  measure: string;
  color: string;
  /** Its line is dashed, as that of another period. */
  isDashed?: boolean;
  column: GraphColumn;
}

/** A graph with its values, ready to be drawn, listed or exported: labeled columns and one row of values per group. */
export interface GraphModel {
  groups: readonly Group[];
  columns: readonly ModelColumn[];
  values: readonly (readonly GraphValue[])[];
}

/** Null until the values are loaded. */
export function modelOf(graph: Pick<Graph, "data" | "columns">, columns: readonly Column[]): GraphModel | null {
  if (!graph.data) return null;
  const labels = uniqueLabels(graph.columns.map((column) => columnLabel(column, columns)));
  return {
    groups: graph.data.groups,
    columns: graph.columns.map((column, index) => ({
      label: labels[index] ?? "",
      unit: unitOf(column, columns),
      measure: measureOf(column, columns),
      color: column.color,
      column,
    })),
    values: columnValues(graph.data, graph.columns),
  };
}

/** The groups of an inclusive index range. */
export const sliceModel = (model: GraphModel, range: { from: number; to: number } | null): GraphModel =>
  range ? { ...model, groups: model.groups.slice(range.from, range.to + 1), values: model.values.slice(range.from, range.to + 1) } : model;

/** Sum of a column over its groups; null if that is meaningless, as for averages. */
export function sumOf({ columns, values }: GraphModel, index: number): number | null {
  const column = columns[index]?.column;
  if (!column || isDerived(column) || (column.aggregation !== "count" && column.aggregation !== "sum")) return null;
  return values.reduce((sum, line) => sum + (numberOf(line[index] ?? null) ?? 0), 0);
}

/** The whole that shares of a column refer to: its sum; null also if a value is negative. */
export function totalOf(model: GraphModel, index: number): number | null {
  return model.values.some((line) => (numberOf(line[index] ?? null) ?? 0) < 0) ? null : sumOf(model, index);
}

/** The model without hidden groups, by their ids. */
export function withoutGroups(model: GraphModel, hidden: ReadonlySet<string>): GraphModel {
  if (hidden.size === 0) return model;
  const shown = [...model.groups.keys()].filter((index) => !hidden.has(model.groups[index]?.id ?? ""));
  return {
    ...model,
    groups: shown.flatMap((index) => model.groups[index] ?? []),
    values: shown.flatMap((index) => (model.values[index] ? [model.values[index]] : [])),
  };
}
