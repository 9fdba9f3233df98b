import { describe, expect, it } from "vitest";
import { dataBounds } from "./data-bounds.ts";
import type { DrawnPath, MapItems, TimeWindow } from "./map-canvas.ts";
import { latitudeAt, longitudeAt, projectedX, projectedY, worldSize } from "./projection.ts";
import { Scene } from "./scene.ts";

/** Rows are [id, latitude, longitude, time]. */
const itemsOf = (...rows: [string, number, number, number][]): MapItems => ({
  ids: rows.map(([id]) => id),
  latitudes: Float64Array.from(rows, ([, latitude]) => latitude),
  longitudes: Float64Array.from(rows, ([, , longitude]) => longitude),
  timesMs: Float64Array.from(rows, ([, , , timeMs]) => timeMs),
  colors: new Uint8Array(rows.length),
});

const pathOf = (id: string, ...rows: [number, number, number][]): DrawnPath => ({
  id,
  latitudes: Float64Array.from(rows, ([latitude]) => latitude),
  longitudes: Float64Array.from(rows, ([, longitude]) => longitude),
  timesMs: Float64Array.from(rows, ([, , timeMs]) => timeMs),
  colors: new Uint8Array(rows.length),
});

const degree = worldSize / 360;

function sceneOf(items: MapItems, ...paths: DrawnPath[]): Scene {
  const scene = new Scene();
  scene.setItems(items);
  scene.setPaths(paths, Number.POSITIVE_INFINITY);
  return scene;
}

const pickAt = (scene: Scene, latitude: number, longitude: number, degrees = 2) => {
  const hit = scene.pick(projectedX(longitude), projectedY(latitude), degrees * degree);
  return hit && [hit.kind, hit.id, hit.index];
};

describe("picking", () => {
  const near = itemsOf(["near", 0, 1, 1_000], ["nearer", 0, 0.5, 2_000], ["far", 40, 40, 3_000]);

  it("returns the nearest item within the radius, else null", () => {
    const scene = sceneOf(near);
    expect([pickAt(scene, 0, 0), pickAt(scene, 0, 1.1), pickAt(scene, 0, 10)]).toEqual([
      ["item", "nearer", -1],
      ["item", "near", -1],
      null,
    ]);
  });

  it("ignores items outside of the window", () => {
    const scene = sceneOf(near);
    scene.setWindow({ fromMs: 0, toMs: 1_500 });
    expect(pickAt(scene, 0, 0)).toEqual(["item", "near", -1]);
  });

  it("finds a moving marker where it is, not where it was last seen", () => {
    const scene = sceneOf(itemsOf(["ship", 0, 40, 4_000]), pathOf("ship", [0, 0, 0], [0, 40, 4_000]));
    expect(pickAt(scene, 0, 40)).toEqual(["item", "ship", -1]);
    scene.setWindow({ fromMs: 0, toMs: 1_000 });
    expect([pickAt(scene, 0, 10), pickAt(scene, 0, 40)]).toEqual([["item", "ship", -1], null]);
  });

  it("returns a path point with its original index where no item is", () => {
    const scene = sceneOf(near, pathOf("ship", [Number.NaN, 0, 0], [20, 20, 1_000], [30, 30, 2_000]));
    expect([pickAt(scene, 20.5, 20), pickAt(scene, 30, 29)]).toEqual([
      ["point", "ship", 1],
      ["point", "ship", 2],
    ]);
    scene.setWindow({ fromMs: 0, toMs: 1_500 });
    expect(pickAt(scene, 30, 29)).toBeNull();
  });

  it("works across the antimeridian and in other copies of the world", () => {
    const scene = sceneOf(itemsOf(["fiji", -17, 179.5, 0]));
    expect([pickAt(scene, -17, -179.5), pickAt(scene, -17, 179.5 - 720)]).toEqual([
      ["item", "fiji", -1],
      ["item", "fiji", -1],
    ]);
  });
});

describe("the scene", () => {
  it("shows an item at its last position without a window, whatever its path has loaded", () => {
    const scene = sceneOf(itemsOf(["ship", 5, 50, 9_000]), pathOf("ship", [0, 0, 0], [0, 40, 4_000]));
    const [x = 0, y = 0] = scene.positionOf("ship") ?? [];
    expect([longitudeAt(x), latitudeAt(y)]).toEqual([expect.closeTo(50, 5), expect.closeTo(5, 5)]);
    expect(scene.positionOf("nobody")).toBeNull();
  });

  it("counts the markers in view up to the limit", () => {
    const scene = sceneOf(itemsOf(["a", 0, 179, 0], ["b", 0, -179, 0], ["c", 0, 0, 0], ["d", 60, 179, 0]));
    const view = { x: projectedX(-180), y: projectedY(0), worldPixels: 3_600, width: 100, height: 100 };
    expect([scene.countInView(view, 4), scene.countInView(view, 1)]).toEqual([2, 1]);
  });

  it("keeps the newest marker in view per cell", () => {
    const scene = sceneOf(
      itemsOf(["old", -0.5, 0.5, 1], ["new", -0.6, 0.6, 2], ["beside", -0.5, 3, 3], ["over the edge", 0, 179.9, 4], ["north", 60, 0, 5]),
    );
    const seen = (longitude: number, window: TimeWindow | null = null) => {
      scene.setWindow(window);
      const view = { x: projectedX(longitude), y: projectedY(0), worldPixels: 3_600, width: 100, height: 100 };
      return [...scene.newestInCells(view, 20)].map((rank) => scene.items.idAt(rank));
    };
    expect(seen(0.2)).toEqual(["new", "beside"]);
    expect(seen(0.2, { fromMs: 0, toMs: 1 })).toEqual(["old"]);
    expect(seen(-179.9)).toEqual(["over the edge"]);
  });

  it("keeps item colors while paths come and go", () => {
    const scene = sceneOf({ ...itemsOf(["a", 0, 0, 0]), colors: Uint8Array.of(2) }, pathOf("a", [0, 0, 0]));
    expect([scene.colorOf(0), scene.looks[0]]).toEqual([2, 130]);
    scene.setColors(Uint8Array.of(1));
    expect([scene.colorOf(0), scene.looks[0]]).toEqual([1, 129]);
    scene.setPaths([], 1);
    expect(scene.looks[0]).toBe(1);
  });
});

describe("data bounds", () => {
  const boxOf = (items: MapItems, ...paths: DrawnPath[]) =>
    dataBounds(sceneOf(items, ...paths))?.map((degrees) => Math.round(degrees * 100) / 100);

  it("contain items and paths", () => {
    expect(boxOf(itemsOf(["a", 10, 20, 0]), pathOf("p", [-5, 30, 0], [40, 25, 1]))).toEqual([20, -5, 30, 40]);
  });

  it("cross the antimeridian if that box is smaller", () => {
    expect(boxOf(itemsOf(["a", 0, 170, 0], ["b", 5, -160, 0]))).toEqual([170, 0, 200, 5]);
  });

  it("are a point for a single position and null without data", () => {
    expect(boxOf(itemsOf(["a", 1, 2, 0]))).toEqual([2, 1, 2, 1]);
    expect(boxOf(itemsOf())).toBeUndefined();
  });
});

describe("markers in view", () => {
  it("are found still and moving, across the antimeridian, unless there are too many", () => {
    const scene = sceneOf(
      itemsOf(["still", 0, 179, 0], ["ship", 0, 178, 4_000], ["far", 0, 0, 0]),
      pathOf("ship", [0, -179, 0], [0, 178, 4_000]),
    );
    const view = { x: projectedX(180), y: projectedY(0), worldPixels: 3_600, width: 100, height: 100 };
    const seen = (limit: number) =>
      scene.markersInView(view, limit)?.map(({ rank, dx, dy }) => [scene.items.idAt(rank), Math.round(dx), Math.round(dy)]);
    expect(seen(2)).toEqual([
      ["still", -10, 0],
      ["ship", -20, 0],
    ]);
    expect(seen(1)).toBeUndefined();
    scene.setWindow({ fromMs: 0, toMs: 0 });
    expect(seen(2)).toEqual([
      ["still", -10, 0],
      ["ship", 10, 0],
    ]);
  });

  it("a thinned path has gaps only where more time is missing than thinning takes away", () => {
    const rows: [number, number, number][] = [
      [0, 0, 0],
      [0, 1, 1_500],
      [0, 2, 5_000],
    ];
    const gapsOf = (resolutionMs: number) => {
      const { paths } = new Scene();
      paths.set([{ ...pathOf("ship", ...rows), resolutionMs }], 1_000);
      const [stored] = paths.paths;
      return stored ? [1, 2].map((point) => paths.look(stored, point) >= 16) : [];
    };
    expect([gapsOf(0), gapsOf(1_000), gapsOf(4_000)]).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
  });
});

describe("a marker on a path that is colored by values", () => {
  it("has the color of the shown position, with the size of its item", () => {
    const path = { ...pathOf("ship", [0, 0, 0], [0, 10, 1_000], [0, 20, 2_000]), marks: Uint8Array.of(3, 7, 9) };
    const scene = sceneOf({ ...itemsOf(["ship", 0, 20, 2_000]), colors: Uint8Array.of(9 + 2 * 16) }, path);
    const colorAt = (toMs: number) => {
      scene.setWindow({ fromMs: 0, toMs });
      return scene.colorOfItem("ship") - 2 * 16;
    };
    expect([colorAt(0), colorAt(999), colorAt(1_000), colorAt(1_999), colorAt(2_000)]).toEqual([3, 3, 7, 7, 9]);
    scene.setWindow(null);
    expect(scene.colorOfItem("ship")).toBe(9 + 2 * 16);
  });
});
