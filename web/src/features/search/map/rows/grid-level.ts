import { maxGridLevel } from "@fairway/contract/grid-cells";

/** Width of the world in CSS pixels at zoom 0. */
export const worldPixels = 512;

/** Beyond the middle between two levels by as much of a zoom, the level changes: a map that rests about there keeps its cells. */
const hysteresis = 0.1;

/** The level whose cells are about this wide on the screen. `current`: the shown level, which is kept near the middle of two. */
export function levelOf(zoom: number, cellPixels: number, current: number | null = null): number {
  const exact = zoom + Math.log2(worldPixels / cellPixels);
  if (current !== null && Math.abs(exact - current) <= 0.5 + hysteresis) return current;
  return Math.max(0, Math.min(maxGridLevel, Math.round(exact)));
}

/** The level of the first call, which counts the whole world: 8, or less where one answer holds fewer cells. */
export const worldCallLevel = (gridCells: number): number => Math.max(0, Math.min(8, Math.floor(Math.log2(gridCells) / 2)));
