import { formatCount, pluralize } from "../counts.ts";
import { type Column, columnTitleIn } from "../columns.ts";
import type { AggregationType } from "../search.ts";
import {
  type Aggregate,
  type DerivedType,
  type GraphColumn,
  type GraphType,
  type GraphValue,
  type GroupingType,
  isDerived,
} from "./graph.ts";

export const typeLabels: Record<GraphType, string> = { bar: "Bar", line: "Line", doughnut: "Doughnut", pie: "Pie" };

export const groupingLabels: Record<GroupingType, string> = { day: "Temporal (Day)", hour: "Temporal (Hour)", custom: "Custom" };

export const aggregationLabels: Record<AggregationType, string> = {
  count: "# Occurences",
  avg: "avg",
  min: "min",
  max: "max",
  sum: "sum",
};

export const derivedLabels: Record<DerivedType, string> = {
  ratio: "ratio",
  "ratio-percent": "ratio as percent",
  product: "product",
  sum: "sum",
  delta: "delta",
};

export const largeGroupingWarning = "This graph has a lot a lot of groupings and may be slow or fail to render.";

/** `# Occurences`, `max of wind`. */
const aggregateLabel = ({ model, aggregation }: Aggregate, columns: readonly Column[]): string =>
  model === "*" ? aggregationLabels.count : `${aggregationLabels[aggregation]} of ${columnTitleIn(columns, model)}`;

export const columnLabel = (column: GraphColumn, columns: readonly Column[]): string =>
  isDerived(column) ? column.label.trim() : aggregateLabel(column, columns);

/** Makes labels unique: duplicates become `max of wind (2)`, `(3)` and so on. */
export function uniqueLabels(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; used.has(unique); number += 1) unique = `${name} (${number})`;
    used.add(unique);
    return unique;
  });
}

/** The unit of a column's values, or `%`. */
export function unitOf(column: GraphColumn, columns: readonly Column[]): string {
  if (!isDerived(column)) return unitOfAggregate(column, columns);
  if (column.type === "ratio-percent") return "%";
  if (column.type !== "sum" && column.type !== "delta") return "";
  const units = [column.column1, column.column2].map((aggregate) => unitOfAggregate(aggregate, columns));
  return units[0] === units[1] ? (units[0] ?? "") : "";
}

const unitOfAggregate = ({ model, aggregation }: Aggregate, columns: readonly Column[]): string =>
  aggregation === "count" ? "" : (columns.find(({ name }) => name === model)?.unit ?? "");

/** The measure of a column: its unit, or a term for values without one. */
export function measureOf(column: GraphColumn, columns: readonly Column[]): string {
  const unit = unitOf(column, columns);
  if (unit !== "") return unit;
  if (!isDerived(column)) return column.aggregation === "count" ? "count" : columnTitleIn(columns, column.model);
  const isOfCounts = column.column1.aggregation === "count" && column.column2.aggregation === "count";
  return isOfCounts && (column.type === "sum" || column.type === "delta") ? "count" : column.type;
}

/** A column's label with its unit: `max of wind (kt)`. */
export const labelWithUnit = ({ label, unit }: { label: string; unit: string }): string => (unit === "" ? label : `${label} (${unit})`);

const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 });
const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const small = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4, useGrouping: false });

/** Formats a value; empty if there is none. */
export function valueText(value: GraphValue): string {
  if (value === null) return "";
  if (typeof value === "string") return grouped.format(BigInt(value));
  return value !== 0 && Math.abs(value) < 0.001 ? small.format(value) : plain.format(value);
}

/** `180 groups × 2 values: 360 values`. */
export function workloadText(groups: number, values: number): string {
  return values === 1
    ? pluralize(groups, "group")
    : `${pluralize(groups, "group")} × ${values} values: ${formatCount(groups * values)} values`;
}
