import { fullTurn } from "./positions.ts";

/** West, south, east and north in degrees. `west` is between -180 and 180, `east` between it and 360 more. */
export type Box = readonly [west: number, south: number, east: number, north: number];

export const maxGridLevel = 24;

/** Where the square map ends. Places beyond belong to its outermost rows of cells. */
export const mercatorLatitude = 85.0511287798066;

/** The world is as many cells wide and high. */
export const cellsAcross = (level: number): number => 2 ** level;

/** Cells of a level: `columns` from `left` eastward, perhaps past the antimeridian, and `rows` from `top` southward. */
export interface CellRange {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
}

/** Of a cell's width or height: an edge that is closer than this to one of a cell is that edge. */
const snapTolerance = 1e-7;

/** Westward edge of a column, counted from the antimeridian. Exact, because the width of a cell is 360 divided by a power of two. */
export const columnEdge = (column: number, level: number): number => (column * fullTurn) / cellsAcross(level) - 180;

/** Northern edge of a row, counted from the north. The first row begins at the pole, and the last one ends there. */
export function rowEdge(row: number, level: number): number {
  const count = cellsAcross(level);
  if (row <= 0) return 90;
  if (row >= count) return -90;
  return (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / count))) * 180) / Math.PI;
}

/** The box of a cell, or of several. */
export function cellBox({ left, top, columns, rows }: CellRange, level: number): Box {
  const west = columnEdge(left, level);
  return [west, rowEdge(top + rows, level), west + (columns * fullTurn) / cellsAcross(level), rowEdge(top, level)];
}

/** How many cells a place lies south of the northern edge of the square map, with a fraction. */
function rowsSouth(latitude: number, level: number): number {
  const count = cellsAcross(level);
  const sine = Math.sin((Math.max(-mercatorLatitude, Math.min(mercatorLatitude, latitude)) * Math.PI) / 180);
  const rows = count / 2 - (Math.log((1 + sine) / (1 - sine)) * count) / (4 * Math.PI);
  return Math.max(0, Math.min(count, rows));
}

/** The cells that cover a box. One without width and height is the one cell around it. */
export function cellsOfBox([west, south, east, north]: Box, level: number): CellRange {
  const count = cellsAcross(level);
  const columnsEast = (longitude: number): number => ((longitude + 180) * count) / fullTurn;
  const left = floorOf(columnsEast(west));
  const top = Math.min(count - 1, floorOf(rowsSouth(north, level)));
  const columns = Math.min(count, Math.max(1, ceilOf(columnsEast(east)) - left));
  const rows = Math.max(1, ceilOf(rowsSouth(south, level)) - top);
  return { left: columns === count ? 0 : left % count, top, columns, rows };
}

const floorOf = (value: number): number => Math.floor(value + snapTolerance);
const ceilOf = (value: number): number => Math.ceil(value - snapTolerance);
