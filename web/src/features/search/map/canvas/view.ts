import type { Box } from "./path-details.ts";
import { worldSize } from "./projection.ts";

/** What of the world the map shows. */
export interface View {
  /** The middle, in the units of the projection; x may be beyond the world. */
  readonly x: number;
  readonly y: number;
  /** Pixels that the world is wide. */
  readonly worldPixels: number;
  /** Of the map, in pixels as CSS has them. */
  readonly width: number;
  readonly height: number;
}

/** The copies of the world in which something between these two x can be seen. */
export function turnsOf(view: View, west: number, east: number): number[] {
  const half = (view.width / 2 / view.worldPixels) * worldSize;
  // A marker's breadth more: one at the edge is seen where its middle is not.
  const margin = (20 / view.worldPixels) * worldSize;
  const first = Math.ceil((view.x - half - margin - east) / worldSize);
  const last = Math.floor((view.x + half + margin - west) / worldSize);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Whether a box of that copy of the world can be seen, with the breadth of a line about it. */
export function boxIsInView(box: Box, view: View, turn: number): boolean {
  const pixel = worldSize / view.worldPixels;
  const [halfWidth, halfHeight] = [(view.width / 2 + 8) * pixel, (view.height / 2 + 8) * pixel];
  return (
    box.east + turn * worldSize >= view.x - halfWidth &&
    box.west + turn * worldSize <= view.x + halfWidth &&
    box.south >= view.y - halfHeight &&
    box.north <= view.y + halfHeight
  );
}
