import { type CellRange, cellsAcross } from "@fairway/contract/grid-cells";

/** The part of the world on a map, in widths of the world from the antimeridian and the north. `left` may be beyond the world. */
export interface ShownView {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly zoom: number;
}

/** Cells of a level. */
export interface LevelRange extends CellRange {
  readonly level: number;
}

/** Of the view's width and height, on every side. */
const margins = [0.5, 0.25, 0.1, 0] as const;

/**
 * The cells to ask for: those of the view and half of it on every side. Where these are more than one answer holds, the margin shrinks, and
 * then cells grow.
 */
export function rangeToAsk(view: ShownView, level: number, gridCells: number): LevelRange {
  for (let asked = level; asked > 0; asked--) {
    for (const margin of margins) {
      const range = rangeAround(view, asked, margin);
      if (range.columns * range.rows <= gridCells) return range;
    }
  }
  return rangeAround(view, 0, 0);
}

/** The cells of a level that lie in the view and around it. `margin`: of its width and height. */
export function rangeAround({ left, top, width, height }: ShownView, level: number, margin = 0): LevelRange {
  const count = cellsAcross(level);
  const first = Math.floor((left - margin * width) * count);
  const columns = Math.ceil((left + (1 + margin) * width) * count) - first;
  const from = Math.max(0, Math.min(count - 1, Math.floor((top - margin * height) * count)));
  const to = Math.max(from + 1, Math.min(count, Math.ceil((top + (1 + margin) * height) * count)));
  const isWhole = columns >= count;
  return { level, left: isWhole ? 0 : wrap(first, count), columns: isWhole ? count : Math.max(1, columns), top: from, rows: to - from };
}

/** Whether the cells of a range cover the view. */
export function covers(range: LevelRange, view: ShownView): boolean {
  const count = cellsAcross(range.level);
  const top = Math.max(0, view.top) * count;
  const bottom = Math.min(1, view.top + view.height) * count;
  if (top < range.top - tolerance || bottom > range.top + range.rows + tolerance) return false;
  if (range.columns === count) return true;
  const left = wrap(view.left * count - range.left, count);
  const west = left > count - tolerance ? 0 : left;
  return west + view.width * count <= range.columns + tolerance;
}

/** Whether a cell is one of these. */
export const containsCell = (
  range: LevelRange,
  { level, x, y }: { readonly level: number; readonly x: number; readonly y: number },
): boolean =>
  level === range.level && wrap(x - range.left, cellsAcross(level)) < range.columns && y >= range.top && y < range.top + range.rows;

/** Of a cell: what is left over when a view ends at an edge. */
const tolerance = 1e-6;

/** Whether a cell reaches into the view, in any copy of the world. */
export function isInView(x: number, y: number, level: number, { left, top, width, height }: ShownView): boolean {
  const count = cellsAcross(level);
  if ((y + 1) / count <= top || y / count >= top + height) return false;
  // The first copy whose east edge lies in the view or east of it.
  const copy = Math.floor(left - (x + 1) / count) + 1;
  return copy + x / count < left + width;
}

const wrap = (value: number, count: number): number => ((value % count) + count) % count;
