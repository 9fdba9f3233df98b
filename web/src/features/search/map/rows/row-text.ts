import type { DatasetDescription } from "@fairway/contract/datasets";
import type { GridMeasure } from "@fairway/contract/grid";
import type { Point } from "@fairway/contract/areas";
import type { ResultRow } from "@fairway/contract/search";
import { cellText, coordinatesOf } from "#lib/text/cell-text.ts";

type Described = Pick<DatasetDescription, "schema" | "titleField" | "subtitleField" | "mapSupport">;

/** The column that names a row: its title, or else its item's name; undefined if there is neither. */
export function nameColumn({ schema, titleField, mapSupport }: Described) {
  const named = (name: string | null | undefined) => schema.columns.find((column) => column.name === name && column.combined === null);
  return named(titleField) ?? named(mapSupport?.groupItemField);
}

/** Columns that rows on the map need besides position and time. */
export function valueColumns(description: Described, measure: GridMeasure | null): string[] {
  const name = nameColumn(description);
  return [...new Set([...(name ? [name.name] : []), ...(measure === null ? [] : [measure.column])])];
}

/** The name of a row; undefined without one. */
export function rowName(description: Described, row: ResultRow): string | undefined {
  const column = nameColumn(description);
  return column === undefined ? undefined : (cellText(column, row) ?? undefined);
}

/** Where a row is. Of several locations, that which the answer has. */
export function rowPoint({ schema }: Pick<Described, "schema">, row: ResultRow): Point | null {
  for (const column of schema.columns) {
    const point = coordinatesOf(column, row);
    if (point !== null) return point;
  }
  return null;
}
