import type { Box } from "./path-details.ts";
import { worldSize } from "./projection.ts";

/** The part of the world that the map shows. */
export interface View {
  /** The center in projection units; x may be beyond the world. */
  readonly x: number;
  readonly y: number;
  /** Width of the world in pixels. */
  readonly worldPixels: number;
  /** Size of the map in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** The copies of the world in which something between these x is visible. */
export function worldCopies(view: View, west: number, east: number): number[] {
  const half = (view.width / 2 / view.worldPixels) * worldSize;
  // Include markers that reach into view although their centers are outside.
  const margin = (20 / view.worldPixels) * worldSize;
  const first = Math.ceil((view.x - half - margin - east) / worldSize);
  const last = Math.floor((view.x + half + margin - west) / worldSize);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Whether a box in that copy of the world is in view, with a margin for line width. */
export function boxIsInView(box: Box, view: View, worldCopy: number): boolean {
  const pixel = worldSize / view.worldPixels;
  const [halfWidth, halfHeight] = [(view.width / 2 + 8) * pixel, (view.height / 2 + 8) * pixel];
  return (
    box.east + worldCopy * worldSize >= view.x - halfWidth &&
    box.west + worldCopy * worldSize <= view.x + halfWidth &&
    box.south >= view.y - halfHeight &&
    box.north <= view.y + halfHeight
  );
}
