import { type Column, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { mapCellSizes, type MapPalette, type MapScale, type MeasureAggregation } from "@fairway/contract/map-view";

// The words and choices of all rows on a map: the same beside the map, on boards and in the form of a dataset.

export const rowsPerCell = "Rows per cell";
export const rowsPerArea = "Rows per 100 km²";

export const aggregationNames: Readonly<Record<MeasureAggregation, string>> = {
  avg: "Average",
  sum: "Sum",
  min: "Minimum",
  max: "Maximum",
};

/** `Average wind`, `Sum of wind`, `Latest time`. */
export function measureText(aggregation: MeasureAggregation, column: Pick<Column, "type"> | undefined, title: string): string {
  if (column !== undefined && isTimestamp(column.type)) return `${aggregation === "min" ? "Earliest" : "Latest"} ${title}`;
  return `${aggregationNames[aggregation]} ${aggregation === "sum" ? "of " : ""}${title}`;
}

/** Aggregations of a column; times have an order, but no sum. */
export const aggregationsOf = ({ type, combined = null }: Pick<Column, "type"> & Partial<Column>): readonly MeasureAggregation[] =>
  combined !== null ? [] : isNumeric(type) ? ["avg", "sum", "min", "max"] : isTimestamp(type) ? ["min", "max"] : [];

export const cellSizeOptions = mapCellSizes.map((pixels) => ({ value: String(pixels), label: `${pixels} px` }));

export const scaleNames: Readonly<Record<MapScale, string>> = { log: "Log", linear: "Linear", steps: "Steps" };
export const paletteNames: Readonly<Record<MapPalette, string>> = { tide: "Tide", ember: "Ember", balance: "Balance" };

export type RangeMode = "automatic" | "full" | "typed";
export const rangeNames: Readonly<Record<RangeMode, string>> = { automatic: "Automatic", full: "Full", typed: "Typed" };

/** The colored quantity: rows of a cell, rows of a cell by its area, or values of a column. */
export type Quantity = "count" | "density" | "measure";

/** Counts are many small numbers and few large ones. */
export const defaultScale = (quantity: Quantity): MapScale => (quantity === "measure" ? "linear" : "log");
export const defaultPalette = (quantity: Quantity): MapPalette => (quantity === "measure" ? "ember" : "tide");

/** The choices of a record of names, in its order. */
export const optionsOf = <Value extends string>(names: Readonly<Record<Value, string>>): { value: Value; label: string }[] =>
  (Object.keys(names) as Value[]).map((value) => ({ value, label: names[value] }));

/** The number that a text says; null for anything else. */
export function numberOf(text: string): number | null {
  const value = Number(text.replaceAll(",", ""));
  return text.trim() === "" || !Number.isFinite(value) ? null : value;
}

export const plainText = (value: number): string => String(Number(value.toPrecision(12)));
