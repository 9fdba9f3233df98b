import type { GridCells, GridMeasure } from "@fairway/contract/grid";
import { type Box, cellBox, cellsAcross } from "@fairway/contract/grid-cells";
import type { CellValue } from "@fairway/contract/search";
import type { CellRef } from "#features/search/map/canvas/rows-canvas.ts";
import { isInView, type ShownView } from "./grid-view.ts";

/** Counted cells of one level, in parallel arrays by row, then column. */
export interface CellSet {
  readonly level: number;
  readonly size: number;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly rows: Float64Array;
  /** Rows with a value of the measure; null without one. */
  readonly counted: Float64Array | null;
  /** Values of the measure as they arrived, which may be texts of large numbers, or as numbers, NaN without a value; null without a measure. */
  readonly values: readonly CellValue[] | Float64Array | null;
  readonly measure: GridMeasure | null;
}

export function cellSetOf({ level, cells }: GridCells, measure: GridMeasure | null): CellSet {
  return {
    level,
    size: cells.x.length,
    x: Int32Array.from(cells.x),
    y: Int32Array.from(cells.y),
    rows: Float64Array.from(cells.rows),
    counted: cells.counted ? Float64Array.from(cells.counted) : null,
    values: cells.value ?? null,
    measure,
  };
}

/** The index of a cell; -1 if it has no rows. */
export function indexOfCell(set: CellSet, { level, x, y }: CellRef): number {
  if (level !== set.level) return -1;
  let [from, to] = [0, set.size];
  while (from < to) {
    const middle = (from + to) >> 1;
    const difference = (set.y[middle] ?? 0) - y || (set.x[middle] ?? 0) - x;
    if (difference === 0) return middle;
    if (difference < 0) from = middle + 1;
    else to = middle;
  }
  return -1;
}

export const cellAt = ({ level, x, y }: CellSet, index: number): CellRef => ({ level, x: x[index] ?? 0, y: y[index] ?? 0 });

/** The value of a cell's measure; null without one. */
export function valueAt({ values }: CellSet, index: number): CellValue {
  const value = values?.[index] ?? null;
  return Number.isNaN(value) ? null : value;
}

export const boxOfCell = ({ level, x, y }: CellRef): Box => cellBox({ left: x, top: y, columns: 1, rows: 1 }, level);

/** Indexes of the cells that reach into the view. */
export function cellsInView(set: CellSet, view: ShownView): Int32Array {
  const found = new Int32Array(set.size);
  let count = 0;
  for (let index = 0; index < set.size; index++) {
    if (isInView(set.x[index] ?? 0, set.y[index] ?? 0, set.level, view)) found[count++] = index;
  }
  return found.subarray(0, count);
}

/** Mean radius of the Earth. */
const earthKm = 6_371.0088;

/** The area of a cell of a row on the ground. */
export function cellAreaKm2(level: number, y: number): number {
  const [, south, , north] = boxOfCell({ level, x: 0, y });
  const radians = Math.PI / 180;
  return ((2 * Math.PI) / cellsAcross(level)) * earthKm ** 2 * (Math.sin(north * radians) - Math.sin(south * radians));
}

/** The smallest box around all cells, over the antimeridian if that is smaller; null without cells. */
export function extentOfCells(set: CellSet): Box | null {
  if (set.size === 0) return null;
  const count = cellsAcross(set.level);
  const filled = [...new Set(set.x)].sort((a, b) => a - b);
  // The extent leaves out the widest gap.
  let [left, right, widest] = [filled[0] ?? 0, filled.at(-1) ?? 0, -1];
  for (const [index, column] of filled.entries()) {
    const next = filled[index + 1] ?? (filled[0] ?? 0) + count;
    if (next - column <= widest) continue;
    widest = next - column;
    [left, right] = [next % count, column];
  }
  const columns = right >= left ? right - left + 1 : right - left + 1 + count;
  const [top, bottom] = [set.y[0] ?? 0, set.y[set.size - 1] ?? 0];
  return cellBox({ left, top, columns, rows: bottom - top + 1 }, set.level);
}
