import { worldSize, wrapDelta } from "./projection.ts";
import type { View } from "./view.ts";

/** Rows one by one, in parallel arrays, in projection units. Immutable. */
export interface DrawnDots {
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** Numbers of colors from 1 to 7; 0 without a value. */
  readonly colors: Uint8Array;
}

/** Dots that are drawn as one. */
export interface DotGroup {
  readonly x: number;
  readonly y: number;
  /** Indexes of its rows, the first of which it is drawn at and colored like. */
  readonly rows: number[];
}

/** Dots within this distance in CSS pixels are one. */
const dotMergePixels = 4;
const dotRadius = 4;
/** The largest, of dots with a number of five digits. */
export const maxRadius = 18;

/** A dot with a number is as wide as that. */
export const radiusOf = ({ rows }: Pick<DotGroup, "rows">): number =>
  rows.length === 1 ? dotRadius : Math.min(maxRadius, 6 + 3 * Math.max(1, String(rows.length).length - 1));

/** Joins each dot with an earlier one that is near at this size of the world in pixels. */
export function groupDots({ x, y }: Pick<DrawnDots, "x" | "y">, worldPixels: number): DotGroup[] {
  const distance = (dotMergePixels / worldPixels) * worldSize;
  const bins = new Map<string, DotGroup[]>();
  const groups: DotGroup[] = [];
  const columns = Math.max(1, Math.floor(worldSize / distance));
  const near = (column: number, row: number, at: readonly [number, number]): DotGroup | undefined => {
    for (let down = -1; down <= 1; down++)
      for (let across = -1; across <= 1; across++) {
        const bin = bins.get(`${(column + across + columns) % columns}|${row + down}`) ?? [];
        const found = bin.find((group) => Math.hypot(wrapDelta(group.x - at[0]), group.y - at[1]) <= distance);
        if (found) return found;
      }
    return undefined;
  };
  for (let index = 0; index < x.length; index++) {
    const at = [x[index] ?? 0, y[index] ?? 0] as const;
    const [column, row] = [Math.min(columns - 1, Math.floor(at[0] / distance)), Math.floor(at[1] / distance)];
    const found = near(column, row, at);
    if (found) {
      found.rows.push(index);
      continue;
    }
    const group: DotGroup = { x: at[0], y: at[1], rows: [index] };
    groups.push(group);
    const key = `${column}|${row}`;
    const bin = bins.get(key);
    if (bin) bin.push(group);
    else bins.set(key, [group]);
  }
  return groups;
}

/** The group at a place, the last drawn first; undefined if there is none within reach. `extra`: pixels around a dot that belong to it. */
export function groupAt(groups: readonly DotGroup[], view: Pick<View, "worldPixels">, at: { x: number; y: number }, extra = 2) {
  const pixel = worldSize / view.worldPixels;
  return groups.findLast((group) => Math.hypot(wrapDelta(group.x - at.x), group.y - at.y) <= (radiusOf(group) + extra) * pixel);
}
