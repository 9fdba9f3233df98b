import { describe, expect, it } from "vitest";
import type { DrawnPath, TimeWindow } from "./map-canvas.ts";
import { gapFlag, pointSize } from "./path-details.ts";
import { PathStore, rowLength, type StoredPath } from "./path-store.ts";
import { latitudeAt, longitudeAt, projectedX, projectedY } from "./projection.ts";
import type { View } from "./view.ts";

/** As [latitude, longitude, time, colour]. */
function pathOf(id: string, ...rows: [number, number, number, number?][]): DrawnPath {
  return {
    id,
    latitudes: Float64Array.from(rows, ([latitude]) => latitude),
    longitudes: Float64Array.from(rows, ([, longitude]) => longitude),
    timesMs: Float64Array.from(rows, ([, , timeMs]) => timeMs),
    colours: Uint8Array.from(rows, ([, , , colour = 0]) => colour),
  };
}

const never = Number.POSITIVE_INFINITY;

function stored(gapMs: number, ...paths: DrawnPath[]): [PathStore, ...StoredPath[]] {
  const store = new PathStore();
  store.set(paths, gapMs);
  return [store, ...store.paths];
}

const placed = (place: readonly [number, number] | null | undefined) =>
  place && [longitudeAt(place[0]), latitudeAt(place[1])].map((degrees) => Math.round(degrees * 1_000) / 1_000);

const looks = (store: PathStore, path: StoredPath | undefined) =>
  path ? Array.from({ length: path.length }, (_, point) => store.look(path, point)) : [];

const long = (id: string, length: number) => pathOf(id, ...Array.from({ length }, (_, index): [number, number, number] => [1, 1, index]));

describe("the paths of the map", () => {
  const flight = pathOf("flight", [0, 0, 1_000], [0, 10, 2_000], [0, 30, 3_000]);

  it("are cut where a window cuts them, between their points", () => {
    const [store, path] = stored(never, flight);
    const part = path && store.part(path, { fromMs: 1_500, toMs: 2_250 });
    expect([part?.from, part?.to, placed(part?.tail), placed(part?.head)]).toEqual([1, 2, [5, 0], [15, 0]]);
    expect(path && part && store.ends(path, part)).toHaveLength(4 * pointSize);
    const between = path && store.part(path, { fromMs: 2_250, toMs: 2_500 });
    expect([between?.from, between?.to, placed(between?.tail), placed(between?.head)]).toEqual([2, 2, [15, 0], [20, 0]]);
    expect(path && between && store.ends(path, between)).toHaveLength(2 * pointSize);
  });

  it("have their item where it was at the end of the window", () => {
    const [store, path] = stored(never, flight);
    const positionAt = (toMs: number, fromMs = 0) => path && placed(store.position(path, { fromMs, toMs }));
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

  it("[MAP-16] mark what leads over more time than the threshold as a gap, not what leads over as much", () => {
    const [store, path] = stored(1_000, pathOf("a", [0, 0, 0], [0, 1, 1_000, 2], [0, 2, 2_001, 3]));
    expect(looks(store, path)).toEqual([0, 2, 3 + gapFlag]);
    // Nothing moves where nothing is known: it stays where it was last seen.
    expect(path && placed(store.position(path, { fromMs: 0, toMs: 1_500 }))).toEqual([1, 0]);
    expect(path && placed(store.position(path, { fromMs: 1_200, toMs: 1_500 }))).toBeNull();
    store.set([path?.path ?? flight], 2_000);
    expect(looks(store, store.paths[0])).toEqual([0, 2, 3]);
  });

  it("go over the antimeridian by the shorter way", () => {
    const [store, path] = stored(never, pathOf("pacific", [0, 170, 0], [0, -170, 2_000]));
    expect(path && placed(store.position(path, { fromMs: 0, toMs: 500 }))).toEqual([175, 0]);
    expect(path && placed(store.position(path, { fromMs: 0, toMs: 1_500 }))).toEqual([-175, 0]);
    expect([longitudeAt(path?.box.west ?? 0), longitudeAt(path?.box.east ?? 0)]).toEqual([expect.closeTo(-170, 5), expect.closeTo(190, 5)]);
  });

  it("skip places that are none, and know the others by their index", () => {
    const [store, path] = stored(never, pathOf("a", [Number.NaN, 0, 0], [1, 1, 1_000], [0, 181, 2_000], [2, 2, Number.NaN], [3, 3, 4_000]));
    expect([path?.length, [...(path?.indexes ?? [])], [...(path?.timesMs ?? [])]]).toEqual([2, [1, 4], [1_000, 4_000]]);
    expect(path && placed(store.position(path, null))).toEqual([3, 3]);
  });

  it("that are empty are nowhere", () => {
    const [store, path] = stored(never, pathOf("a"));
    expect(path && store.position(path, null)).toBeNull();
    expect(store.takeChanged()).toBeNull();
  });

  it("which stay the same are not sent again; one that changed is, with its rows alone", () => {
    const [one, two] = [long("one", 3 * rowLength), long("two", 10)];
    const store = new PathStore();
    store.set([one, two], never);
    expect(store.takeChanged()).toEqual({ from: 0, to: 4 });
    store.set([two, one], never);
    expect(store.takeChanged()).toBeNull();
    store.set([one, long("two", 20)], never);
    expect(store.takeChanged()).toEqual({ from: 3, to: 4 });
  });

  it("move together once those that went leave more room than they need, and stay what they were", () => {
    const store = new PathStore();
    const kept = pathOf("kept", [1, 1, 1_000], [2, 2, 2_000, 5]);
    store.set([long("large", 5 * rowLength), kept], never);
    const room = store.points.length;
    store.set([kept], never);
    const [path] = store.paths;
    expect(store.points.length).toBeLessThan(room);
    expect([path?.start, looks(store, path), path && placed(store.position(path, null))]).toEqual([0, [0, 5], [2, 2]]);
  });

  describe("of many points", () => {
    /** Along the equator, ten points in each degree. */
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

    it("are drawn with no more of them than can be told apart, no further than a pixel from where they are", () => {
      const [store, path] = stored(never, many);
      const few = pointsIn(store, path, viewOf(2));
      expect(few.length).toBeLessThan(1_000);
      expect([few[0]?.longitude, few.at(-1)?.longitude]).toEqual([expect.closeTo(-150, 4), expect.closeTo(149.9, 4)]);
      const steps = few.slice(1).map(({ longitude }, index) => longitude - (few[index]?.longitude ?? 0));
      expect(Math.max(...steps)).toBeLessThanOrEqual(1 / 2 + 0.1 + 1e-4);
      expect(path && [store.isWhole(path, viewOf(2)), store.isWhole(path, viewOf(100))]).toEqual([false, true]);
    });

    it("keep every change of colour", () => {
      const [store, path] = stored(never, many);
      expect(pointsIn(store, path, viewOf(1)).filter(({ look }) => look === 3)).toEqual([
        { longitude: expect.closeTo(-26.6, 4) as number, look: 3 },
      ]);
    });

    it("are drawn where they are in view alone, and within the window alone", () => {
      const [store, path] = stored(never, many);
      const seen = pointsIn(store, path, viewOf(100)).map(({ longitude }) => longitude);
      // Five degrees to each side are in view; what is drawn goes by boxes of 256 points.
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

    it("stay what they were when those that are kept move together", () => {
      const [store] = stored(never, long("large", 5 * rowLength), many);
      const before = pointsIn(store, store.paths[1], viewOf(2));
      store.set([many], never);
      expect(store.paths[0]?.start).toBe(0);
      expect(pointsIn(store, store.paths[0], viewOf(2))).toEqual(before);
    });
  });
});
