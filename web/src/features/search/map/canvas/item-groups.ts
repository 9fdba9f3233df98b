import { movesFlag } from "./item-looks.ts";
import type { ItemStore } from "./item-store.ts";
import type { TimeWindow } from "./map-canvas.ts";
import { worldSize, wrapDelta } from "./projection.ts";
import type { View } from "./view.ts";

/** Below this number of markers in view, none are grouped. */
const minMarkers = 200;
/** Items of a cell are drawn one by one below this number. */
const minGroup = 8;
const cellPixels = 64;

/** Many items close to each other. Offsets in pixels from the center of the view. */
export interface ItemGroup {
  readonly count: number;
  readonly dx: number;
  readonly dy: number;
  readonly radius: number;
}

/** The items of a scene. */
interface ItemScene {
  readonly items: ItemStore;
  readonly looks: Uint8Array;
  readonly window: TimeWindow | null;
  countInView(view: View, limit: number): number;
}

export interface GroupedItems {
  readonly groups: readonly ItemGroup[];
  /** Ranks of the other items in view. */
  readonly singles: Int32Array;
}

/**
 * Groups the unmoved items in view by cells, in one pass that a playback can afford in every frame. Cells are fixed to the world
 * and as large at all zooms between two whole ones, so that groups neither flicker nor jump when the map moves. Null if few items
 * are in view.
 */
export function groupItems(scene: ItemScene, view: View): GroupedItems | null {
  if (scene.countInView(view, minMarkers + 1) <= minMarkers) return null;
  const { positions } = scene.items;
  const pixel = worldSize / view.worldPixels;
  const cell = Math.round((cellPixels * worldSize) / (512 * 2 ** Math.round(Math.log2(view.worldPixels / 512))));
  const [halfWidth, halfHeight] = [(view.width / 2) * pixel, (view.height / 2) * pixel];
  const [west, north] = [Math.floor((view.x - halfWidth) / cell), Math.floor((view.y - halfHeight) / cell)];
  const [columns, rows] = [Math.floor((view.x + halfWidth) / cell) - west + 1, Math.floor((view.y + halfHeight) / cell) - north + 1];
  const cellOf = (rank: number): number => {
    const row = Math.floor((positions[2 * rank + 1] ?? 0) / cell) - north;
    if (row < 0 || row >= rows || ((scene.looks[rank] ?? 0) & movesFlag) !== 0) return -1;
    const column = Math.floor((view.x + wrapDelta((positions[2 * rank] ?? 0) - view.x)) / cell) - west;
    return column < 0 || column >= columns ? -1 : row * columns + column;
  };
  const counts = new Int32Array(columns * rows);
  const [sumX, sumY] = [new Float64Array(counts.length), new Float64Array(counts.length)];
  const [from, to] = scene.items.range(scene.window);
  const cells = new Int32Array(to - from);
  for (let rank = from; rank < to; rank++) {
    const at = cellOf(rank);
    cells[rank - from] = at;
    if (at < 0) continue;
    counts[at] = (counts[at] ?? 0) + 1;
    sumX[at] = (sumX[at] ?? 0) + wrapDelta((positions[2 * rank] ?? 0) - view.x);
    sumY[at] = (sumY[at] ?? 0) + (positions[2 * rank + 1] ?? 0) - view.y;
  }
  const isGroup = (at: number): boolean => at >= 0 && (counts[at] ?? 0) >= minGroup;
  const singles = new Int32Array(to - from);
  let length = 0;
  for (let index = 0; index < cells.length; index++) {
    const at = cells[index] ?? -1;
    if (at >= 0 && !isGroup(at)) singles[length++] = from + index;
  }
  const groups = Array.from(counts, (count, at): ItemGroup | null => {
    if (!isGroup(at)) return null;
    const [dx, dy] = [(sumX[at] ?? 0) / count / pixel, (sumY[at] ?? 0) / count / pixel];
    return { count, dx, dy, radius: Math.min(28, 10 + 4 * Math.log10(count)) };
  }).filter((group) => group !== null);
  return { groups, singles: singles.subarray(0, length) };
}
