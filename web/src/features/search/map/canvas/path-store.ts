import { firstAfter, firstNotBefore } from "#lib/sorted-times.ts";
import type { DrawnPath, TimeWindow } from "./map-canvas.ts";
import { boxParts, gapFlag, type PathDetail, detailedPath, type DetailedPath, pointSize } from "./path-details.ts";
import { shorterWay, worldSize } from "./projection.ts";
import { boxIsInView, type View } from "./view.ts";

/** Points are kept in rows of this many, which a texture takes. */
export const rowLength = 2048;

export interface StoredPath extends Omit<DetailedPath, "points"> {
  readonly path: DrawnPath;
  /** Where its first point stands in `points`. */
  readonly start: number;
  readonly length: number;
  /** Points of all its details. */
  readonly room: number;
}

/** What of a path is within a window: whole points, and the places on its line where the window begins and ends. */
export interface PathPart {
  /** Points from `from` to before `to` of the path. */
  from: number;
  to: number;
  /** On the way to `from`; null where the window begins before the path, or in a gap. */
  tail: readonly [x: number, y: number] | null;
  /** On the way from the last point; null where the window ends after the path, or in a gap. */
  head: readonly [x: number, y: number] | null;
}

/** Points that stand side by side, from `from` to before `to`. */
export type PointRange = readonly [from: number, to: number];

/** The points of all paths, laid out as the graphics card takes them. */
export class PathStore {
  #gapMs = Number.POSITIVE_INFINITY;
  #used = 0;
  #paths: StoredPath[] = [];
  points = new Int32Array();
  /** Rows that have changed since they were last taken; everything where the room itself is a new one. */
  #changed = { from: Number.POSITIVE_INFINITY, to: 0 };

  /** Numbers in a row of `points`. */
  readonly rowSize = rowLength * pointSize;

  get paths(): readonly StoredPath[] {
    return this.#paths;
  }

  set(paths: readonly DrawnPath[], gapMs: number): void {
    const before = gapMs === this.#gapMs ? new Map(this.#paths.map((stored) => [stored.path, stored])) : new Map<DrawnPath, StoredPath>();
    this.#gapMs = gapMs;
    const next = paths.map((path) => before.get(path) ?? { path, ...detailedPath(path, gapMs) });
    const keptPoints = next.reduce((sum, one) => sum + ("room" in one ? one.room : 0), 0);
    const newPoints = next.reduce((sum, one) => sum + ("room" in one ? 0 : one.points.length / pointSize), 0);
    // What was let go leaves holes: once they are the larger part, or more room is needed, what is kept moves together.
    const moves = this.#used + newPoints > this.points.length / pointSize || this.#used > 2 * (keptPoints + newPoints);
    const old = this.points;
    if (moves) {
      this.points = new Int32Array(roomFor(keptPoints + newPoints) * pointSize);
      this.#used = 0;
      this.#changed = { from: 0, to: this.points.length / (pointSize * rowLength) };
    }
    this.#paths = next.map((one) => ("room" in one ? (moves ? this.#moved(one, old) : one) : this.#add(one)));
  }

  /** Whether every point of the path is drawn from there. */
  isWhole(stored: StoredPath, view: View): boolean {
    return detailFor(stored, view).tolerance === 0;
  }

  /** The rows to send to the graphics card; null where all are there. */
  takeChanged(): { from: number; to: number } | null {
    const { from, to } = this.#changed;
    this.#changed = { from: Number.POSITIVE_INFINITY, to: 0 };
    return from < to ? { from, to } : null;
  }

  part(stored: StoredPath, window: TimeWindow | null): PathPart {
    const { timesMs, length } = stored;
    if (window === null) return { from: 0, to: length, tail: null, head: null };
    const [from, to] = within(timesMs, window);
    return { from, to, tail: this.#between(stored, from, window.fromMs), head: this.#between(stored, to, window.toMs) };
  }

  /** Where its item is at the end of the window; null where it is not yet there, or was last seen before the window. */
  position(
    stored: StoredPath,
    window: TimeWindow | null,
    { from, to, head } = this.part(stored, window),
  ): readonly [x: number, y: number] | null {
    if (head !== null) return head;
    return to > from ? [this.#x(stored, to - 1), this.#y(stored, to - 1)] : null;
  }

  /** The lines from where the window cuts a path to its whole points: two points for each, as in `points`. */
  ends(stored: StoredPath, { from, to, tail, head }: PathPart): number[] {
    if (to <= from) return tail && head ? [...tail, 0, ...head, this.look(stored, from)] : [];
    const [first, last] = [from, to - 1].map((point) => [this.#x(stored, point), this.#y(stored, point)]);
    return [
      ...(tail && first ? [...tail, 0, ...first, this.look(stored, from)] : []),
      ...(head && last ? [...last, 0, ...head, this.look(stored, to)] : []),
    ];
  }

  /** The look of the segment that leads to a point of the path. */
  look(stored: StoredPath, point: number): number {
    return this.points[(stored.start + point) * pointSize + 2] ?? 0;
  }

  /** The places in `points` of what is in view of a path within the window, with no more points than the view can show. */
  rangesInView(stored: StoredPath, window: TimeWindow | null, view: View, turn: number): PointRange[] {
    const { offset, timesMs, boxes } = detailFor(stored, view);
    const [from, to] = window === null ? [0, timesMs.length] : within(timesMs, window);
    if (from >= to) return [];
    const start = stored.start + offset;
    const ranges: [from: number, to: number][] = [];
    const lastBox = boxes.length / 4 - 1;
    for (let box = Math.min(lastBox, Math.floor(from / boxParts)); box <= Math.min(lastBox, Math.floor((to - 2) / boxParts)); box++) {
      const [west = 0, north = 0, east = 0, south = 0] = boxes.subarray(4 * box, 4 * box + 4);
      if (!boxIsInView({ west, north, east, south }, view, turn)) continue;
      const first = start + Math.max(from, box * boxParts);
      // The point that ends its last part begins the next.
      const end = start + Math.min(to, (box + 1) * boxParts + 1);
      const before = ranges.at(-1);
      if (before && before[1] >= first) before[1] = end;
      else ranges.push([first, end]);
    }
    return ranges;
  }

  /** The place at that time on the line to a point from the one before; null where no line leads there, or one without data. */
  #between(stored: StoredPath, point: number, timeMs: number): readonly [number, number] | null {
    if (point <= 0 || point >= stored.length || this.look(stored, point) >= gapFlag) return null;
    const [startMs, endMs] = [stored.timesMs[point - 1] ?? 0, stored.timesMs[point] ?? 0];
    const share = (timeMs - startMs) / (endMs - startMs);
    const [x, y] = [this.#x(stored, point - 1), this.#y(stored, point - 1)];
    const at = Math.round(x + (shorterWay(x, this.#x(stored, point)) - x) * share);
    return [(at + worldSize) % worldSize, Math.round(y + (this.#y(stored, point) - y) * share)];
  }

  #x = (stored: StoredPath, point: number): number => this.points[(stored.start + point) * pointSize] ?? 0;
  #y = (stored: StoredPath, point: number): number => this.points[(stored.start + point) * pointSize + 1] ?? 0;

  #moved(stored: StoredPath, old: Int32Array): StoredPath {
    const start = this.#used;
    this.points.set(old.subarray(stored.start * pointSize, (stored.start + stored.room) * pointSize), start * pointSize);
    this.#used += stored.room;
    return { ...stored, start };
  }

  #add({ points, ...path }: DetailedPath & { path: DrawnPath }): StoredPath {
    const start = this.#used;
    const room = points.length / pointSize;
    this.points.set(points, start * pointSize);
    this.#used += room;
    if (room > 0) {
      this.#changed.from = Math.min(this.#changed.from, Math.floor(start / rowLength));
      this.#changed.to = Math.max(this.#changed.to, Math.ceil(this.#used / rowLength));
    }
    return { ...path, start, length: path.timesMs.length, room };
  }
}

/** The fewest points that look like all of them from there. */
function detailFor({ details }: Pick<StoredPath, "details">, { worldPixels }: Pick<View, "worldPixels">): PathDetail {
  const pixel = worldSize / worldPixels;
  const [whole] = details;
  if (whole === undefined) throw new Error("A path has at least all of its points.");
  return details.findLast(({ tolerance }) => tolerance <= pixel) ?? whole;
}

function within(timesMs: Float64Array, { fromMs, toMs }: TimeWindow): [from: number, to: number] {
  const from = firstNotBefore(timesMs, fromMs);
  return [from, Math.max(from, firstAfter(timesMs, toMs))];
}

/** In whole rows, doubling, so that paths that come page by page seldom need more. */
function roomFor(points: number): number {
  let rows = 1;
  while (rows * rowLength < points) rows *= 2;
  return rows * rowLength;
}
