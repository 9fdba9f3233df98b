import type { Bounds } from "./map-canvas.ts";
import { pointSize } from "./path-details.ts";
import { latitudeAt, longitudeAt, worldSize } from "./projection.ts";
import type { Scene } from "./scene.ts";

/** One bin per degree of longitude, precise enough for framing. */
const binCount = 360;

/** The smallest box around all items and paths, across the antimeridian if that is smaller. Null if there are none. */
export function dataBounds(scene: Pick<Scene, "items" | "paths">): Bounds | null {
  const { positions } = scene.items;
  const bins = Array.from({ length: binCount }, () => ({ west: worldSize, east: -1 }));
  let [north, south] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const add = (x: number, y: number) => {
    const bin = bins[Math.min(binCount - 1, Math.floor((x / worldSize) * binCount))];
    if (bin === undefined) return;
    bin.west = Math.min(bin.west, x);
    bin.east = Math.max(bin.east, x);
    north = Math.min(north, y);
    south = Math.max(south, y);
  };
  for (let index = 0; index < positions.length; index += 2) add(positions[index] ?? 0, positions[index + 1] ?? 0);
  for (const { start, length } of scene.paths.paths) {
    for (let index = start; index < start + length; index++)
      add(scene.paths.points[index * pointSize] ?? 0, scene.paths.points[index * pointSize + 1] ?? 0);
  }
  const filled = bins.filter(({ east }) => east >= 0);
  const first = filled[0];
  if (first === undefined) return null;
  // The box excludes the widest empty range of longitudes.
  let [west, east, widest] = [first.west, filled.at(-1)?.east ?? first.east, -1];
  for (const [index, bin] of filled.entries()) {
    const next = filled[index + 1] ?? { west: first.west + worldSize, east: 0 };
    if (next.west - bin.east <= widest) continue;
    widest = next.west - bin.east;
    [west, east] = [next.west % worldSize, bin.east];
  }
  return [longitudeAt(west), latitudeAt(south), longitudeAt(east < west ? east + worldSize : east), latitudeAt(north)];
}
