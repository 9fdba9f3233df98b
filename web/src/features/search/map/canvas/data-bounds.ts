import type { Bounds } from "./map-canvas.ts";
import { pointSize } from "./path-details.ts";
import { latitudeAt, longitudeAt, worldSize } from "./projection.ts";
import type { Scene } from "./scene.ts";

/** Of a degree, and more than enough for a frame around things. */
const binCount = 360;

/** The smallest box about all items and paths; over the antimeridian where that is smaller. Null: there is nothing. */
export function dataBounds(scene: Pick<Scene, "items" | "paths">): Bounds | null {
  const { places } = scene.items;
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
  for (let at = 0; at < places.length; at += 2) add(places[at] ?? 0, places[at + 1] ?? 0);
  for (const { start, length } of scene.paths.paths) {
    for (let at = start; at < start + length; at++)
      add(scene.paths.points[at * pointSize] ?? 0, scene.paths.points[at * pointSize + 1] ?? 0);
  }
  const taken = bins.filter(({ east }) => east >= 0);
  const first = taken[0];
  if (first === undefined) return null;
  // The box ends where the widest empty stretch of the world begins.
  let [west, east, widest] = [first.west, taken.at(-1)?.east ?? first.east, -1];
  for (const [index, bin] of taken.entries()) {
    const next = taken[index + 1] ?? { west: first.west + worldSize, east: 0 };
    if (next.west - bin.east <= widest) continue;
    widest = next.west - bin.east;
    [west, east] = [next.west % worldSize, bin.east];
  }
  return [longitudeAt(west), latitudeAt(south), longitudeAt(east < west ? east + worldSize : east), latitudeAt(north)];
}
