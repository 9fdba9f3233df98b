import type { DrawnPath } from "./map-canvas.ts";
import { isPlace, projectedX, projectedY, shorterWay, worldSize } from "./projection.ts";

/** Of a point: x, y and its look. */
export const pointSize = 3;
/** In the look of a point: the time since the one before it is a gap. The rest is its colour. */
export const gapFlag = 16;
/** Parts of a line between points, in one box. */
export const boxParts = 256;
/** The closest zoom for which a path is kept with fewer points. */
const closestZoom = 14;
/** Fewer points are drawn as they are. */
const fewPoints = 64;

export interface Box {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
}

/** A path with as many points as a zoom can show. */
export interface PathDetail {
  /** Of its first point among those of the path's details. */
  readonly offset: number;
  /** By point. */
  readonly timesMs: Float64Array;
  /** Units of the projection that a point which is left out is nearer than to one that is not; 0: none is. */
  readonly tolerance: number;
  /** West, north, east and south of each `boxParts` parts of the line, as in `DetailedPath.box`. */
  readonly boxes: Int32Array;
}

export interface DetailedPath {
  /** Of all details, one after the other. */
  readonly points: Int32Array;
  /** By point; those that have a place. */
  readonly timesMs: Float64Array;
  /** By point, its index in the path that was given; null where all have a place. */
  readonly indexes: Uint32Array | null;
  /** Of its line in the projection: west may be below 0 or east beyond the world where it goes over the antimeridian. */
  readonly box: Box;
  /** The finest first, with every point; each next one has at most half as many. */
  readonly details: readonly PathDetail[];
}

/** The path in the projection, with its gaps, and again with fewer points for the zooms that show no more. */
export function detailedPath(path: DrawnPath, gapMs: number): DetailedPath {
  const { points, timesMs, indexes } = placedPoints(path, gapMs);
  const boxes = boxesOf(points);
  const details: PathDetail[] = [{ offset: 0, timesMs, tolerance: 0, boxes }];
  const all: Int32Array[] = [points];
  let [finest, finestTimes, offset]: [Int32Array, Float64Array, number] = [points, timesMs, timesMs.length];
  for (let zoom = closestZoom; zoom >= 0 && finestTimes.length > fewPoints; zoom--) {
    // Half a pixel of that zoom, of which the next one out still makes a whole one.
    const tolerance = worldSize / (512 * 2 ** zoom) / 2;
    const kept = withoutTheClose(finest, tolerance);
    if (2 * kept.length > finestTimes.length) continue;
    const times = finestTimes;
    finestTimes = Float64Array.from(kept, (point) => times[point] ?? 0);
    finest = picked(finest, kept);
    details.push({ offset, timesMs: finestTimes, tolerance, boxes: boxesOf(finest) });
    all.push(finest);
    offset += kept.length;
  }
  return { points: joined(all), timesMs, indexes, box: boxAround(boxes), details };
}

function placedPoints({ latitudes, longitudes, timesMs, colours }: DrawnPath, gapMs: number) {
  const points = new Int32Array(timesMs.length * pointSize);
  const indexes = new Uint32Array(timesMs.length);
  let length = 0;
  let beforeMs = Number.POSITIVE_INFINITY;
  for (let index = 0; index < timesMs.length; index++) {
    const [latitude = 0, longitude = 0, timeMs = 0] = [latitudes[index], longitudes[index], timesMs[index]];
    if (!isPlace(latitude, longitude) || !Number.isFinite(timeMs)) continue;
    const at = length * pointSize;
    points[at] = projectedX(longitude) % worldSize;
    points[at + 1] = projectedY(latitude);
    points[at + 2] = Math.min(colours[index] ?? 0, gapFlag - 2) + (timeMs - beforeMs > gapMs ? gapFlag : 0);
    indexes[length] = index;
    beforeMs = timeMs;
    length += 1;
  }
  if (length === timesMs.length) return { points, timesMs, indexes: null };
  const placed = indexes.slice(0, length);
  return {
    points: points.slice(0, length * pointSize),
    timesMs: Float64Array.from(placed, (index) => timesMs[index] ?? 0),
    indexes: placed,
  };
}

/** The ends, and every point that is further from the last one kept, or looks different. */
function withoutTheClose(points: Int32Array, tolerance: number): Uint32Array {
  const length = points.length / pointSize;
  const kept = new Uint32Array(length);
  let count = 0;
  let [x, y, look] = [0, 0, -1];
  for (let point = 0; point < length; point++) {
    const at = point * pointSize;
    const [nextX = 0, nextY = 0, nextLook = 0] = [points[at], points[at + 1], points[at + 2]];
    const away = Math.max(Math.abs(shorterWay(x, nextX) - x), Math.abs(nextY - y));
    if (away < tolerance && nextLook === look && point < length - 1) continue;
    [x, y, look] = [nextX, nextY, nextLook];
    kept[count++] = point;
  }
  return kept.subarray(0, count);
}

function picked(points: Int32Array, kept: Uint32Array): Int32Array {
  const result = new Int32Array(kept.length * pointSize);
  for (let index = 0; index < kept.length; index++) {
    const at = (kept[index] ?? 0) * pointSize;
    for (let value = 0; value < pointSize; value++) result[index * pointSize + value] = points[at + value] ?? 0;
  }
  return result;
}

function joined(parts: readonly Int32Array[]): Int32Array {
  const result = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

/** A single point has a box too. */
function boxesOf(points: Int32Array): Int32Array {
  const length = points.length / pointSize;
  const boxes = new Int32Array(4 * Math.max(length > 0 ? 1 : 0, Math.ceil((length - 1) / boxParts)));
  for (let box = 0; box < boxes.length / 4; box++) {
    const first = box * boxParts;
    let x = points[first * pointSize] ?? 0;
    let y = points[first * pointSize + 1] ?? 0;
    let [west, north, east, south] = [x, y, x, y];
    for (let point = first + 1; point <= Math.min(first + boxParts, length - 1); point++) {
      const nextX = points[point * pointSize] ?? 0;
      // The line to this point ends here as it is drawn: from the one before by the shorter way.
      const drawnX = shorterWay(x, nextX);
      x = nextX;
      y = points[point * pointSize + 1] ?? 0;
      west = Math.min(west, x, drawnX);
      east = Math.max(east, x, drawnX);
      north = Math.min(north, y);
      south = Math.max(south, y);
    }
    boxes.set([west, north, east, south], 4 * box);
  }
  return boxes;
}

function boxAround(boxes: Int32Array): Box {
  const all = { west: worldSize, north: worldSize, east: 0, south: 0 };
  for (let at = 0; at < boxes.length; at += 4) {
    all.west = Math.min(all.west, boxes[at] ?? 0);
    all.north = Math.min(all.north, boxes[at + 1] ?? 0);
    all.east = Math.max(all.east, boxes[at + 2] ?? 0);
    all.south = Math.max(all.south, boxes[at + 3] ?? 0);
  }
  return all;
}
