import type { CellSet } from "./cell-set.ts";

/** The list is no longer: every cell is reached by zooming. */
export const maxListed = 200;
/** An average of fewer rows would lead the list by chance. */
export const minAverageRows = 5;

/** Cells in the order of the list. */
export interface CellOrder {
  /** Indexes of cells, at most `maxListed`. */
  readonly listed: readonly number[];
  /** Cells with few rows were left out. */
  readonly isRanked: boolean;
}

/**
 * By value from the greatest, then from north to south, which is the order of the set. Least values begin with the least. Averages of few
 * rows are left out, unless all are.
 */
export function orderCells(set: CellSet, inView: ArrayLike<number>, values: Float64Array): CellOrder {
  const ranked = set.measure?.aggregation === "avg" ? ordered(set, inView, values, minAverageRows) : [];
  const isRanked = ranked.length > 0;
  return { listed: (isRanked ? ranked : ordered(set, inView, values, 0)).slice(0, maxListed), isRanked };
}

function ordered(set: CellSet, inView: ArrayLike<number>, values: Float64Array, minRows: number): number[] {
  const direction = set.measure?.aggregation === "min" ? 1 : -1;
  const found: number[] = [];
  for (let at = 0; at < inView.length; at++) {
    const index = inView[at] ?? 0;
    if (Number.isNaN(values[index] ?? Number.NaN)) continue;
    if (minRows > 0 && (set.counted?.[index] ?? 0) < minRows) continue;
    found.push(index);
  }
  return found.sort((a, b) => direction * ((values[a] ?? 0) - (values[b] ?? 0)) || a - b);
}
