import { firstAfter, firstNotBefore } from "#lib/time/sorted-times.ts";
import type { DrawnPath, TimeWindow } from "./map-canvas.ts";
import { segmentsPerBox, gapFlag, type PathDetail, createDetails, type DetailedPath, pointSize } from "./path-details.ts";
import { unwrapX, worldSize } from "./projection.ts";
import { boxIsInView, type View } from "./view.ts";

/** Points per row of the texture that holds them. */
export const rowLength = 2048;

export interface StoredPath extends Omit<DetailedPath, "points"> {
  readonly path: DrawnPath;
  /** Index of its first point in `points`. */
  readonly start: number;
  readonly length: number;
  /** Number of points of all its details. */
  readonly capacity: number;
}

/** The part of a path within a window: its whole points, and the positions on its line where the window starts and ends. */
export interface ClippedPath {
  /** Points `from` (inclusive) to `to` (exclusive) of the path. */
  from: number;
  to: number;
  /** Position before `from`; null if the window starts before the path or in a gap. */
  tail: readonly [x: number, y: number] | null;
  /** Position after the last point; null if the window ends after the path or in a gap. */
  head: readonly [x: number, y: number] | null;
}

/** Consecutive points, `from` inclusive, `to` exclusive. */
export type PointRange = readonly [from: number, to: number];

/** The points of all paths, in the layout of the GPU texture. */
export class PathStore {
  #gapMs = Number.POSITIVE_INFINITY;
  #used = 0;
  #paths: StoredPath[] = [];
  points = new Int32Array();
  /** Rows changed since `takeChanged`; all rows after a reallocation. */
  #changedRows = { from: Number.POSITIVE_INFINITY, to: 0 };

  /** Numbers per row of `points`. */
  readonly rowSize = rowLength * pointSize;

  get paths(): readonly StoredPath[] {
    return this.#paths;
  }

  set(paths: readonly DrawnPath[], gapMs: number): void {
    const previous = gapMs === this.#gapMs ? new Map(this.#paths.map((stored) => [stored.path, stored])) : new Map<DrawnPath, StoredPath>();
    this.#gapMs = gapMs;
    const next = paths.map((path) => previous.get(path) ?? { path, ...createDetails(path, gapMs + (path.resolutionMs ?? 0)) });
    const keptPoints = next.reduce((sum, entry) => sum + ("capacity" in entry ? entry.capacity : 0), 0);
    const newPoints = next.reduce((sum, entry) => sum + ("capacity" in entry ? 0 : entry.points.length / pointSize), 0);
    // Removed paths leave holes. Compact once they outweigh the rest, or if the capacity does not suffice.
    const compacts = this.#used + newPoints > this.points.length / pointSize || this.#used > 2 * (keptPoints + newPoints);
    const oldPoints = this.points;
    if (compacts) {
      this.points = new Int32Array(capacityFor(keptPoints + newPoints) * pointSize);
      this.#used = 0;
      this.#changedRows = { from: 0, to: this.points.length / (pointSize * rowLength) };
    }
    this.#paths = next.map((entry) => ("capacity" in entry ? (compacts ? this.#relocate(entry, oldPoints) : entry) : this.#add(entry)));
  }

  /** Whether the view shows every point of the path. */
  isFullDetail(stored: StoredPath, view: View): boolean {
    return detailFor(stored, view).tolerance === 0;
  }

  /** The rows to upload; null if everything is up to date. */
  takeChanged(): { from: number; to: number } | null {
    const { from, to } = this.#changedRows;
    this.#changedRows = { from: Number.POSITIVE_INFINITY, to: 0 };
    return from < to ? { from, to } : null;
  }

  clip(stored: StoredPath, window: TimeWindow | null): ClippedPath {
    const { timesMs, length } = stored;
    if (window === null) return { from: 0, to: length, tail: null, head: null };
    const [from, to] = rangeWithin(timesMs, window);
    return { from, to, tail: this.#interpolate(stored, from, window.fromMs), head: this.#interpolate(stored, to, window.toMs) };
  }

  /** Position of its item at the end of the window; null if it has not started yet or was last seen before the window. */
  position(
    stored: StoredPath,
    window: TimeWindow | null,
    { from, to, head } = this.clip(stored, window),
  ): readonly [x: number, y: number] | null {
    if (head !== null) return head;
    return to > from ? [this.#x(stored, to - 1), this.#y(stored, to - 1)] : null;
  }

  /** The segments between the window's cuts and the whole points: two points each, in the format of `points`. */
  partialSegments(stored: StoredPath, { from, to, tail, head }: ClippedPath): number[] {
    if (to <= from) return tail && head ? [...tail, 0, ...head, this.look(stored, from)] : [];
    const [first, last] = [from, to - 1].map((point) => [this.#x(stored, point), this.#y(stored, point)]);
    return [
      ...(tail && first ? [...tail, 0, ...first, this.look(stored, from)] : []),
      ...(head && last ? [...last, 0, ...head, this.look(stored, to)] : []),
    ];
  }

  /** The look of the segment that leads to the point. */
  look(stored: StoredPath, point: number): number {
    return this.points[(stored.start + point) * pointSize + 2] ?? 0;
  }

  /** The ranges of `points` that are in view and within the window, at the level of detail of the view. */
  rangesInView(stored: StoredPath, window: TimeWindow | null, view: View, worldCopy: number): PointRange[] {
    const { offset, timesMs, boxes } = detailFor(stored, view);
    const [from, to] = window === null ? [0, timesMs.length] : rangeWithin(timesMs, window);
    if (from >= to) return [];
    const start = stored.start + offset;
    const ranges: [from: number, to: number][] = [];
    const lastBox = boxes.length / 4 - 1;
    for (
      let box = Math.min(lastBox, Math.floor(from / segmentsPerBox));
      box <= Math.min(lastBox, Math.floor((to - 2) / segmentsPerBox));
      box++
    ) {
      const [west = 0, north = 0, east = 0, south = 0] = boxes.subarray(4 * box, 4 * box + 4);
      if (!boxIsInView({ west, north, east, south }, view, worldCopy)) continue;
      const first = start + Math.max(from, box * segmentsPerBox);
      // The end point of the last segment also starts the next box.
      const end = start + Math.min(to, (box + 1) * segmentsPerBox + 1);
      const last = ranges.at(-1);
      if (last && last[1] >= first) last[1] = end;
      else ranges.push([first, end]);
    }
    return ranges;
  }

  /** The points of a path at the level of detail of the view: those from `from` to `to` (exclusive), counted from `start`, are in the window. */
  pointsAt(
    stored: StoredPath,
    window: TimeWindow | null,
    view: View,
  ): { readonly start: number; readonly from: number; readonly to: number } {
    const { offset, timesMs } = detailFor(stored, view);
    const [from, to] = window === null ? [0, timesMs.length] : rangeWithin(timesMs, window);
    return { start: stored.start + offset, from, to };
  }

  /** The position at that time on the segment to `point`; null if there is no segment or it is a gap. */
  #interpolate(stored: StoredPath, point: number, timeMs: number): readonly [number, number] | null {
    if (point <= 0 || point >= stored.length || this.look(stored, point) >= gapFlag) return null;
    const [startMs, endMs] = [stored.timesMs[point - 1] ?? 0, stored.timesMs[point] ?? 0];
    const share = (timeMs - startMs) / (endMs - startMs);
    const [x, y] = [this.#x(stored, point - 1), this.#y(stored, point - 1)];
    const at = Math.round(x + (unwrapX(x, this.#x(stored, point)) - x) * share);
    return [(at + worldSize) % worldSize, Math.round(y + (this.#y(stored, point) - y) * share)];
  }

  #x = (stored: StoredPath, point: number): number => this.points[(stored.start + point) * pointSize] ?? 0;
  #y = (stored: StoredPath, point: number): number => this.points[(stored.start + point) * pointSize + 1] ?? 0;

  #relocate(stored: StoredPath, oldPoints: Int32Array): StoredPath {
    const start = this.#used;
    this.points.set(oldPoints.subarray(stored.start * pointSize, (stored.start + stored.capacity) * pointSize), start * pointSize);
    this.#used += stored.capacity;
    return { ...stored, start };
  }

  #add({ points, ...path }: DetailedPath & { path: DrawnPath }): StoredPath {
    const start = this.#used;
    const capacity = points.length / pointSize;
    this.points.set(points, start * pointSize);
    this.#used += capacity;
    if (capacity > 0) {
      this.#changedRows.from = Math.min(this.#changedRows.from, Math.floor(start / rowLength));
      this.#changedRows.to = Math.max(this.#changedRows.to, Math.ceil(this.#used / rowLength));
    }
    return { ...path, start, length: path.timesMs.length, capacity };
  }
}

/** The coarsest detail that looks the same in the view. */
function detailFor({ details }: Pick<StoredPath, "details">, { worldPixels }: Pick<View, "worldPixels">): PathDetail {
  const pixel = worldSize / worldPixels;
  const [whole] = details;
  if (whole === undefined) throw new Error("A path has at least all of its points.");
  return details.findLast(({ tolerance }) => tolerance <= pixel) ?? whole;
}

function rangeWithin(timesMs: Float64Array, { fromMs, toMs }: TimeWindow): [from: number, to: number] {
  const from = firstNotBefore(timesMs, fromMs);
  return [from, Math.max(from, firstAfter(timesMs, toMs))];
}

/** Whole rows, doubling, so that paths that load page by page rarely reallocate. */
function capacityFor(points: number): number {
  let rows = 1;
  while (rows * rowLength < points) rows *= 2;
  return rows * rowLength;
}
