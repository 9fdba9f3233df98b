import { maxGridLevel } from "@fairway/contract/grid-cells";
import type { Bounds } from "#features/search/map/canvas/map-canvas.ts";

/** A view in which tracks are refined: its box, and the level of the cells in each of which every part of a track has a point. */
export interface TracksView {
  readonly level: number;
  readonly within: Bounds;
}

/** Pixels of a cell: bends that are smaller are not seen. */
const cellPixels = 8;
/** Width of the world at zoom 0, in pixels. */
const worldPixels = 512;

/** The view of a map, in the terms of the call. Null for a view of the whole world, which the tracks suffice for. */
export function tracksViewOf([west, south, east, north]: Bounds, zoom: number): TracksView | null {
  const width = east - west;
  if (!(width < 360) || width <= 0) return null;
  const start = ((((west + 180) % 360) + 360) % 360) - 180;
  const level = Math.round(zoom + Math.log2(worldPixels / cellPixels));
  return { level: Math.min(maxGridLevel, Math.max(0, level)), within: [start, Math.max(-90, south), start + width, Math.min(90, north)] };
}
