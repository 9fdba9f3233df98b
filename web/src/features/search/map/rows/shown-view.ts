import type { Box } from "@fairway/contract/grid-cells";
import { projectedX, projectedY, worldSize } from "#features/search/map/canvas/projection.ts";
import type { View } from "#features/search/map/canvas/view.ts";
import { worldPixels } from "./grid-level.ts";
import type { ShownView } from "./grid-view.ts";

/** The view of the canvas. */
export function shownViewOf(view: View): ShownView {
  const [width, height] = [view.width / view.worldPixels, view.height / view.worldPixels];
  return {
    left: view.x / worldSize - width / 2,
    top: view.y / worldSize - height / 2,
    width,
    height,
    zoom: Math.log2(view.worldPixels / worldPixels),
  };
}

/** The view of a map of this size that would fit a box, for a browser that cannot draw the map. */
export function viewOfBox(
  [west, south, east, north]: Box,
  { width, height, maxZoom }: { width: number; height: number; maxZoom: number },
): ShownView {
  const [left, top] = [projectedX(west) / worldSize, projectedY(north) / worldSize];
  const [across, down] = [(east - west) / 360, projectedY(south) / worldSize - top];
  const zoom = Math.min(maxZoom, Math.log2(Math.min(width / across, height / Math.max(down, Number.EPSILON)) / worldPixels));
  const [viewWidth, viewHeight] = [width / (worldPixels * 2 ** zoom), height / (worldPixels * 2 ** zoom)];
  return {
    left: left - (viewWidth - across) / 2,
    top: top - (viewHeight - down) / 2,
    width: viewWidth,
    height: viewHeight,
    zoom,
  };
}
