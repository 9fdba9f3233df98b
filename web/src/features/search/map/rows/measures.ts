import { type Column, columnTitle } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { MapRowsView } from "@fairway/contract/map-view";
import { withUnit } from "#lib/text/column-text.ts";
import { aggregationsOf, measureText, rowsPerArea, rowsPerCell } from "#parts/map-look/rows-look.ts";

/** The figure that colors the cells. */
export interface ColorBy {
  readonly measure: NonNullable<MapRowsView["measure"]> | null;
  readonly perArea: boolean;
}

/** The columns that can color cells: numbers and times, without the parts of positions. */
export function measureColumns({ schema }: Pick<DatasetDescription, "schema">): readonly Column[] {
  const places = new Set(schema.columns.flatMap(({ combined }) => (combined?.type === "COORDINATES" ? combined.fields : [])));
  return schema.columns.filter((column) => aggregationsOf(column).length > 0 && !places.has(column.name));
}

export const columnOfMeasure = (columns: readonly Column[], { measure }: Pick<ColorBy, "measure">): Column | undefined =>
  measure === null ? undefined : columns.find(({ name }) => name === measure.column);

/** The figure that a view asks for, without a measure that the dataset does not have. */
export function colorByOf({ measure, perArea }: Pick<MapRowsView, "measure" | "perArea">, columns: readonly Column[]): ColorBy {
  const column = columns.find(({ name }) => name === measure?.column);
  const isKnown = measure !== undefined && column !== undefined && aggregationsOf(column).includes(measure.aggregation);
  return isKnown ? { measure, perArea: false } : { measure: null, perArea: perArea === true };
}

/** `Rows per cell`, `Average wind`. */
export function colorByText({ measure, perArea }: ColorBy, columns: readonly Column[]): string {
  if (measure === null) return perArea ? rowsPerArea : rowsPerCell;
  const column = columns.find(({ name }) => name === measure.column);
  return measureText(measure.aggregation, column, column ? columnTitle(column) : measure.column);
}

/** The same with the unit: `Average wind (kt)`. */
export function colorByTitle(colorBy: ColorBy, columns: readonly Column[]): string {
  return withUnit(colorByText(colorBy, columns), columnOfMeasure(columns, colorBy) ?? {});
}
