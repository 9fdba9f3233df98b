import type { GridMeasure } from "@fairway/contract/grid";
import type { ResultRow } from "@fairway/contract/search";
import { cellAreaKm2, type CellSet } from "./cell-set.ts";

/** By which density is given. */
const areaKm2 = 100;

/** The values that color cells: of the measure, or rows, or rows per 100 km². NaN without a value. */
export function valuesOfCells(set: CellSet, perArea: boolean): Float64Array {
  const { values, rows, y, level, size } = set;
  if (values instanceof Float64Array) return values;
  if (values !== null) return Float64Array.from(values, numberOfCell);
  if (!perArea) return rows;
  const found = new Float64Array(size);
  // Cells come by row, and those of a row have the same area.
  let [row, area] = [-1, 0];
  for (let index = 0; index < size; index++) {
    if (y[index] !== row) {
      row = y[index] ?? 0;
      area = cellAreaKm2(level, row);
    }
    found[index] = ((rows[index] ?? 0) / area) * areaKm2;
  }
  return found;
}

/** The values that color rows one by one: those of the measure's column. All NaN without one. */
export const valuesOfRows = (rows: readonly ResultRow[], measure: GridMeasure | null): Float64Array =>
  Float64Array.from(rows, (row) => (measure === null ? Number.NaN : numberOfCell(row[measure.column] ?? null)));

/** Sums beyond 2^53 are texts. */
export const numberOfCell = (value: unknown): number => (value === null || value === "" ? Number.NaN : Number(value));
