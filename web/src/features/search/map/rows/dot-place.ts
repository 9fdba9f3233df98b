import { cellsAcross, maxGridLevel } from "@fairway/contract/grid-cells";
import { worldSize } from "#features/search/map/canvas/projection.ts";
import type { CellRef } from "#features/search/map/canvas/rows-canvas.ts";

/** Rows that are drawn one by one are named by the smallest cell, which is about two meters wide. */
export const dotLevel = maxGridLevel;

const width = worldSize / cellsAcross(dotLevel);
const cellAt = (projected: number): number => Math.min(cellsAcross(dotLevel) - 1, Math.max(0, Math.floor(projected / width)));

/** The place of projected coordinates; undefined without any. */
export const placeOf = (x: number | undefined, y: number | undefined): CellRef | undefined =>
  x === undefined || y === undefined ? undefined : { level: dotLevel, x: cellAt(x), y: cellAt(y) };

export const isAt = (place: CellRef, x: number, y: number): boolean => cellAt(x) === place.x && cellAt(y) === place.y;
