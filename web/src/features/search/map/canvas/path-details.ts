import type { DrawnPath } from "./map-canvas.ts";
import { isValidPosition, projectedX, projectedY, unwrapX, worldSize } from "./projection.ts";

/** Numbers per point: x, y and look. */
export const pointSize = 3;
/** Flag in a point's look: the time since the previous point is a gap. The other bits are its color. */
export const gapFlag = 16;
/** Number of line segments per bounding box. */
export const segmentsPerBox = 256;
/** The highest zoom for which a simplified path is stored. */
const maxSimplifiedZoom = 14;
/** Paths with fewer points are not simplified. */
const minPointsToSimplify = 64;

export interface Box {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
}

/** One level of detail of a path. */
export interface PathDetail {
  /** Offset of its first point among the points of all details. */
  readonly offset: number;
  /** By point. */
  readonly timesMs: Float64Array;
  /** Maximum distance of a dropped point to a kept one, in projection units; 0 if none is dropped. */
  readonly tolerance: number;
  /** Bounding boxes (west, north, east, south) of every `segmentsPerBox` segments, as in `DetailedPath.box`. */
  readonly boxes: Int32Array;
}

export interface DetailedPath {
  /** Points of all details, concatenated. */
  readonly points: Int32Array;
  /** Times of the points with valid coordinates. */
  readonly timesMs: Float64Array;
  /** By point, its index in the original path; null if all points are valid. */
  readonly indexes: Uint32Array | null;
  /** Bounding box in the projection. Across the antimeridian, west may be below 0 or east beyond the world. */
  readonly box: Box;
  /** Finest first, starting with every point; each following level has at most half as many. */
  readonly details: readonly PathDetail[];
}

/** Projects the path, marks its gaps, and precomputes simplified levels for lower zooms. */
export function createDetails(path: DrawnPath, gapMs: number): DetailedPath {
  const { points, timesMs, indexes } = projectPoints(path, gapMs);
  const boxes = boxesOf(points);
  const details: PathDetail[] = [{ offset: 0, timesMs, tolerance: 0, boxes }];
  const all: Int32Array[] = [points];
  let [current, currentTimes, offset]: [Int32Array, Float64Array, number] = [points, timesMs, timesMs.length];
  for (let zoom = maxSimplifiedZoom; zoom >= 0 && currentTimes.length > minPointsToSimplify; zoom--) {
    // Half a pixel at this zoom, which is at most one pixel when zoomed out to the next level.
    const tolerance = worldSize / (512 * 2 ** zoom) / 2;
    const keptIndexes = simplify(current, tolerance);
    if (2 * keptIndexes.length > currentTimes.length) continue;
    const times = currentTimes;
    currentTimes = Float64Array.from(keptIndexes, (point) => times[point] ?? 0);
    current = selectPoints(current, keptIndexes);
    details.push({ offset, timesMs: currentTimes, tolerance, boxes: boxesOf(current) });
    all.push(current);
    offset += keptIndexes.length;
  }
  return { points: concat(all), timesMs, indexes, box: boxAround(boxes), details };
}

function projectPoints({ latitudes, longitudes, timesMs, colors }: DrawnPath, gapMs: number) {
  const points = new Int32Array(timesMs.length * pointSize);
  const indexes = new Uint32Array(timesMs.length);
  let length = 0;
  let previousMs = Number.POSITIVE_INFINITY;
  for (let index = 0; index < timesMs.length; index++) {
    const [latitude = 0, longitude = 0, timeMs = 0] = [latitudes[index], longitudes[index], timesMs[index]];
    if (!isValidPosition(latitude, longitude) || !Number.isFinite(timeMs)) continue;
    const at = length * pointSize;
    points[at] = projectedX(longitude) % worldSize;
    points[at + 1] = projectedY(latitude);
    points[at + 2] = Math.min(colors[index] ?? 0, gapFlag - 2) + (timeMs - previousMs > gapMs ? gapFlag : 0);
    indexes[length] = index;
    previousMs = timeMs;
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

/** Keeps both ends and every point that is further than the tolerance from the last kept one or looks different. */
function simplify(points: Int32Array, tolerance: number): Uint32Array {
  const length = points.length / pointSize;
  const keptIndexes = new Uint32Array(length);
  let count = 0;
  let [x, y, look] = [0, 0, -1];
  for (let point = 0; point < length; point++) {
    const at = point * pointSize;
    const [nextX = 0, nextY = 0, nextLook = 0] = [points[at], points[at + 1], points[at + 2]];
    const distance = Math.max(Math.abs(unwrapX(x, nextX) - x), Math.abs(nextY - y));
    if (distance < tolerance && nextLook === look && point < length - 1) continue;
    [x, y, look] = [nextX, nextY, nextLook];
    keptIndexes[count++] = point;
  }
  return keptIndexes.subarray(0, count);
}

function selectPoints(points: Int32Array, keptIndexes: Uint32Array): Int32Array {
  const result = new Int32Array(keptIndexes.length * pointSize);
  for (let index = 0; index < keptIndexes.length; index++) {
    const at = (keptIndexes[index] ?? 0) * pointSize;
    for (let value = 0; value < pointSize; value++) result[index * pointSize + value] = points[at + value] ?? 0;
  }
  return result;
}

function concat(parts: readonly Int32Array[]): Int32Array {
  const result = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

/** Bounding boxes; a single point has one, too. */
function boxesOf(points: Int32Array): Int32Array {
  const length = points.length / pointSize;
  const boxes = new Int32Array(4 * Math.max(length > 0 ? 1 : 0, Math.ceil((length - 1) / segmentsPerBox)));
  for (let box = 0; box < boxes.length / 4; box++) {
    const first = box * segmentsPerBox;
    let x = points[first * pointSize] ?? 0;
    let y = points[first * pointSize + 1] ?? 0;
    let [west, north, east, south] = [x, y, x, y];
    for (let point = first + 1; point <= Math.min(first + segmentsPerBox, length - 1); point++) {
      const nextX = points[point * pointSize] ?? 0;
      // The segment is drawn from the previous point the shorter way around the world.
      const drawnX = unwrapX(x, nextX);
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
