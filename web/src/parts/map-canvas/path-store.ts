import { firstAfter, firstNotBefore } from "#parts/playback/clock.ts";
import type { DrawnPath, TimeWindow } from "./map-canvas.ts";
import { isPlace, projectedX, projectedY, shorterWay, worldSize } from "./projection.ts";

/** Of a point in `PathStore.points`: x, y and its look. */
export const pointSize = 3;
/** In the look of a point: the time since the one before it is a gap. The rest is its colour. */
export const gapFlag = 16;
/** Points are kept in rows of this many, which a texture takes. */
export const rowLength = 2048;

export interface StoredPath {
  readonly path: DrawnPath;
  /** Where its first point stands in `points`. */
  readonly start: number;
  readonly length: number;
  /** By point; those that have a place. */
  readonly timesMs: Float64Array;
  /** By point, its index in the path that was given; null where all have a place. */
  readonly indexes: Uint32Array | null;
  /** Of its line in the projection: west may be below 0 or east beyond the world where it goes over the antimeridian. */
  readonly box: { readonly west: number; readonly north: number; readonly east: number; readonly south: number };
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

/** The points of all paths, laid out as the graphics card takes them. */
export class PathStore {
  #gapMs = Number.POSITIVE_INFINITY;
  #used = 0;
  #paths: StoredPath[] = [];
  points = new Int32Array();
  /** Rows that have changed since they were last taken; everything where the room itself is a new one. */
  #changed = { from: Number.POSITIVE_INFINITY, to: 0 };

  get paths(): readonly StoredPath[] {
    return this.#paths;
  }

  set(paths: readonly DrawnPath[], gapMs: number): void {
    const before = gapMs === this.#gapMs ? new Map(this.#paths.map((stored) => [stored.path, stored])) : new Map<DrawnPath, StoredPath>();
    this.#gapMs = gapMs;
    const kept = paths.map((path) => before.get(path));
    const keptPoints = kept.reduce((sum, stored) => sum + (stored?.length ?? 0), 0);
    const newPoints = paths.reduce((sum, path, index) => sum + (kept[index] ? 0 : path.timesMs.length), 0);
    // What was let go leaves holes: once they are the larger part, or more room is needed, what is kept moves together.
    const moves = this.#used + newPoints > this.points.length / pointSize || this.#used > 2 * (keptPoints + newPoints);
    const old = this.points;
    if (moves) {
      this.points = new Int32Array(roomFor(keptPoints + newPoints) * pointSize);
      this.#used = 0;
      this.#changed = { from: 0, to: this.points.length / (pointSize * rowLength) };
    }
    this.#paths = paths.map((path, index) => {
      const stored = kept[index];
      if (stored === undefined) return this.#add(path);
      if (!moves) return stored;
      const start = this.#used;
      this.points.set(old.subarray(stored.start * pointSize, (stored.start + stored.length) * pointSize), start * pointSize);
      this.#used += stored.length;
      return { ...stored, start };
    });
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
    const from = firstNotBefore(timesMs, window.fromMs);
    const to = Math.max(from, firstAfter(timesMs, window.toMs));
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

  #add(path: DrawnPath): StoredPath {
    const { latitudes, longitudes, timesMs, colours } = path;
    const start = this.#used;
    const indexes = new Uint32Array(timesMs.length);
    const box = { west: worldSize, north: worldSize, east: 0, south: 0 };
    let length = 0;
    let beforeMs = Number.POSITIVE_INFINITY;
    let beforeX = 0;
    for (let index = 0; index < timesMs.length; index++) {
      const [latitude = 0, longitude = 0, timeMs = 0] = [latitudes[index], longitudes[index], timesMs[index]];
      if (!isPlace(latitude, longitude) || !Number.isFinite(timeMs)) continue;
      const [x, y] = [projectedX(longitude) % worldSize, projectedY(latitude)];
      const at = (start + length) * pointSize;
      this.points[at] = x;
      this.points[at + 1] = y;
      this.points[at + 2] = Math.min(colours[index] ?? 0, gapFlag - 2) + (timeMs - beforeMs > this.#gapMs ? gapFlag : 0);
      // The line to this point ends here as it is drawn: from the one before by the shorter way.
      const drawnX = length === 0 ? x : shorterWay(beforeX, x);
      box.west = Math.min(box.west, x, drawnX);
      box.east = Math.max(box.east, x, drawnX);
      box.north = Math.min(box.north, y);
      box.south = Math.max(box.south, y);
      indexes[length] = index;
      [beforeMs, beforeX] = [timeMs, x];
      length += 1;
    }
    this.#used += length;
    if (length > 0) {
      this.#changed.from = Math.min(this.#changed.from, Math.floor(start / rowLength));
      this.#changed.to = Math.max(this.#changed.to, Math.ceil(this.#used / rowLength));
    }
    const all = length === timesMs.length;
    const placed = indexes.slice(0, length);
    return {
      path,
      start,
      length,
      indexes: all ? null : placed,
      timesMs: all ? timesMs : Float64Array.from(placed, (index) => timesMs[index] ?? 0),
      box,
    };
  }
}

/** In whole rows, doubling, so that paths that come page by page seldom need more. */
function roomFor(points: number): number {
  let rows = 1;
  while (rows * rowLength < points) rows *= 2;
  return rows * rowLength;
}
