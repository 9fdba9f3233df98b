import { describe, expect, it } from "vitest";
import type { DrawnPath, TimeWindow } from "./map-canvas.ts";
import { gapFlag, pointSize } from "./path-details.ts";
import { PathStore, rowLength, type StoredPath } from "./path-store.ts";
import { latitudeAt, longitudeAt, projectedX, projectedY } from "./projection.ts";
import type { View } from "./view.ts";

/** Rows are [latitude, longitude, time, color]. */
function pathOf(id: string, ...rows: [number, number, number, number?][]): DrawnPath {
  return {
    id,
    latitudes: Float64Array.from(rows, ([latitude]) => latitude),
    longitudes: Float64Array.from(rows, ([, longitude]) => longitude),
    timesMs: Float64Array.from(rows, ([, , timeMs]) => timeMs),
    colors: Uint8Array.from(rows, ([, , , color = 0]) => color),
  };
}

const never = Number.POSITIVE_INFINITY;

function createStore(gapMs: number, ...paths: DrawnPath[]): [PathStore, ...StoredPath[]] {
  const store = new PathStore();
  store.set(paths, gapMs);
  return [store, ...store.paths];
}

const toDegrees = (position: readonly [number, number] | null | undefined) =>
  position && [longitudeAt(position[0]), latitudeAt(position[1])].map((degrees) => Math.round(degrees * 1_000) / 1_000);

const looks = (store: PathStore, path: StoredPath | undefined) =>
  path ? Array.from({ length: path.length }, (_, point) => store.look(path, point)) : [];

const longPath = (id: string, length: number) =>
  pathOf(id, ...Array.from({ length }, (_, index): [number, number, number] => [1, 1, index]));

describe("path store", () => {
  const flight = pathOf("flight", [0, 0, 1_000], [0, 10, 2_000], [0, 30, 3_000]);

  it("clips paths at the window, between their points", () => {
    const [store, path] = createStore(never, flight);
    const part = path && store.clip(path, { fromMs: 1_500, toMs: 2_250 });
    expect([part?.from, part?.to, toDegrees(part?.tail), toDegrees(part?.head)]).toEqual([1, 2, [5, 0], [15, 0]]);
    expect(path && part && store.partialSegments(path, part)).toHaveLength(4 * pointSize);
    const between = path && store.clip(path, { fromMs: 2_250, toMs: 2_500 });
    expect([between?.from, between?.to, toDegrees(between?.tail), toDegrees(between?.head)]).toEqual([2, 2, [15, 0], [20, 0]]);
    expect(path && between && store.partialSegments(path, between)).toHaveLength(2 * pointSize);
  });

  it("positions the item where it was at the end of the window", () => {
    const [store, path] = createStore(never, flight);
    const positionAt = (toMs: number, fromMs = 0) => path && toDegrees(store.position(path, { fromMs, toMs }));
    expect([positionAt(999), positionAt(1_000), positionAt(2_500), positionAt(3_000), positionAt(9_000)]).toEqual([
      null,
      [0, 0],
      [20, 0],
      [30, 0],
      [30, 0],
    ]);
    // Last seen before the window.
    expect(positionAt(9_000, 4_000)).toBeNull();
  });

  it("[MAP-16] marks intervals longer than the threshold as gaps, not those equal to it", () => {
    const [store, path] = createStore(1_000, pathOf("a", [0, 0, 0], [0, 1, 1_000, 2], [0, 2, 2_001, 3]));
    expect(looks(store, path)).toEqual([0, 2, 3 + gapFlag]);
    // Within a gap the item stays where it was last seen.
    expect(path && toDegrees(store.position(path, { fromMs: 0, toMs: 1_500 }))).toEqual([1, 0]);
    expect(path && toDegrees(store.position(path, { fromMs: 1_200, toMs: 1_500 }))).toBeNull();
    store.set([path?.path ?? flight], 2_000);
    expect(looks(store, store.paths[0])).toEqual([0, 2, 3]);
  });

  it("interpolates the shorter way across the antimeridian", () => {
    const [store, path] = createStore(never, pathOf("pacific", [0, 170, 0], [0, -170, 2_000]));
    expect(path && toDegrees(store.position(path, { fromMs: 0, toMs: 500 }))).toEqual([175, 0]);
    expect(path && toDegrees(store.position(path, { fromMs: 0, toMs: 1_500 }))).toEqual([-175, 0]);
    expect([longitudeAt(path?.box.west ?? 0), longitudeAt(path?.box.east ?? 0)]).toEqual([expect.closeTo(-170, 5), expect.closeTo(190, 5)]);
  });

  it("skips invalid coordinates and keeps the indexes of the others", () => {
    const [store, path] = createStore(
      never,
      pathOf("a", [Number.NaN, 0, 0], [1, 1, 1_000], [0, 181, 2_000], [2, 2, Number.NaN], [3, 3, 4_000]),
    );
    expect([path?.length, [...(path?.indexes ?? [])], [...(path?.timesMs ?? [])]]).toEqual([2, [1, 4], [1_000, 4_000]]);
    expect(path && toDegrees(store.position(path, null))).toEqual([3, 3]);
  });

  it("handles empty paths", () => {
    const [store, path] = createStore(never, pathOf("a"));
    expect(path && store.position(path, null)).toBeNull();
    expect(store.takeChanged()).toBeNull();
  });

  it("uploads only the rows of changed paths", () => {
    const [one, two] = [longPath("one", 3 * rowLength), longPath("two", 10)];
    const store = new PathStore();
    store.set([one, two], never);
    expect(store.takeChanged()).toEqual({ from: 0, to: 4 });
    store.set([two, one], never);
    expect(store.takeChanged()).toBeNull();
    store.set([one, longPath("two", 20)], never);
    expect(store.takeChanged()).toEqual({ from: 3, to: 4 });
  });

  it("compacts the paths once removed ones leave too many holes", () => {
    const store = new PathStore();
    const kept = pathOf("kept", [1, 1, 1_000], [2, 2, 2_000, 5]);
    store.set([longPath("large", 5 * rowLength), kept], never);
    const capacity = store.points.length;
    store.set([kept], never);
    const [path] = store.paths;
    expect(store.points.length).toBeLessThan(capacity);
    expect([path?.start, looks(store, path), path && toDegrees(store.position(path, null))]).toEqual([0, [0, 5], [2, 2]]);
  });

  describe("with many points", () => {
    /** Along the equator, ten points per degree. */
    const many = pathOf(
      "many",
      ...Array.from({ length: 3_000 }, (_, index): [number, number, number, number] => [
        0,
        index / 10 - 150,
        index,
        index === 1_234 ? 3 : 0,
      ]),
    );
    const viewOf = (pixelsPerDegree: number, longitude = 0): View => ({
      x: projectedX(longitude),
      y: projectedY(0),
      worldPixels: 360 * pixelsPerDegree,
      width: 1_000,
      height: 500,
    });
    const pointsIn = (store: PathStore, path: StoredPath | undefined, view: View, window: TimeWindow | null = null) =>
      (path ? store.rangesInView(path, window, view, 0) : []).flatMap(([from, to]) =>
        Array.from({ length: to - from }, (_, index) => {
          const [x = 0, , look = 0] = store.points.subarray((from + index) * pointSize);
          return { longitude: longitudeAt(x), look };
        }),
      );

    it("draws no more points than can be distinguished, within a pixel of their positions", () => {
      const [store, path] = createStore(never, many);
      const few = pointsIn(store, path, viewOf(2));
      expect(few.length).toBeLessThan(1_000);
      expect([few[0]?.longitude, few.at(-1)?.longitude]).toEqual([expect.closeTo(-150, 4), expect.closeTo(149.9, 4)]);
      const steps = few.slice(1).map(({ longitude }, index) => longitude - (few[index]?.longitude ?? 0));
      expect(Math.max(...steps)).toBeLessThanOrEqual(1 / 2 + 0.1 + 1e-4);
      expect(path && [store.isFullDetail(path, viewOf(2)), store.isFullDetail(path, viewOf(100))]).toEqual([false, true]);
    });

    it("keeps every color change", () => {
      const [store, path] = createStore(never, many);
      expect(pointsIn(store, path, viewOf(1)).filter(({ look }) => look === 3)).toEqual([
        { longitude: expect.closeTo(-26.6, 4) as number, look: 3 },
      ]);
    });

    it("draws only what is in view and within the window", () => {
      const [store, path] = createStore(never, many);
      const seen = pointsIn(store, path, viewOf(100)).map(({ longitude }) => longitude);
      // Five degrees to each side are in view; ranges are drawn in boxes of 256 points.
      expect([Math.min(...seen) <= -5, Math.max(...seen) >= 5, seen.length]).toEqual([
        true,
        true,
        expect.toSatisfy((count: number) => count <= 513) as number,
      ]);
      const cut = pointsIn(store, path, viewOf(100), { fromMs: 1_490, toMs: 1_509 });
      expect([cut.length, cut[0]?.longitude, cut.at(-1)?.longitude]).toEqual([20, expect.closeTo(-1, 4), expect.closeTo(0.9, 4)]);
      expect(pointsIn(store, path, viewOf(100, 175))).toEqual([]);
      expect(pointsIn(store, path, viewOf(100), { fromMs: 5_000, toMs: 6_000 })).toEqual([]);
    });

    it("keeps paths unchanged when compacting", () => {
      const [store] = createStore(never, longPath("large", 5 * rowLength), many);
      const before = pointsIn(store, store.paths[1], viewOf(2));
      store.set([many], never);
      expect(store.paths[0]?.start).toBe(0);
      expect(pointsIn(store, store.paths[0], viewOf(2))).toEqual(before);
    });
  });
});
