import { expect, it } from "vitest";
import { groupItems } from "./item-groups.ts";
import { projectedX, projectedY } from "./projection.ts";
import { Scene } from "./scene.ts";

/** Rows are [latitude, longitude, time]. */
function sceneOf(rows: readonly (readonly [number, number, number])[]): Scene {
  const scene = new Scene();
  scene.setItems({
    ids: rows.map((_, index) => String(index)),
    latitudes: Float64Array.from(rows, ([latitude]) => latitude),
    longitudes: Float64Array.from(rows, ([, longitude]) => longitude),
    timesMs: Float64Array.from(rows, ([, , timeMs]) => timeMs),
    colors: new Uint8Array(rows.length),
  });
  return scene;
}

const view = { x: projectedX(179.5), y: projectedY(0), worldPixels: 512 * 8, width: 800, height: 600 };
const crowd = (count: number, longitude: number) => Array.from({ length: count }, () => [1, longitude, 1] as const);

it("items close to each other are a group with their number at their middle, across the antimeridian; others stay single", () => {
  const scene = sceneOf([...crowd(300, -179.9), ...crowd(7, 170), [0, 0, 1]]);
  const grouped = groupItems(scene, view);
  expect(grouped?.groups.map(({ count, dx }) => [count, Math.round(dx)])).toEqual([[300, 7]]);
  expect([...(grouped?.singles ?? [])].map((rank) => scene.items.longitudeAt(rank))).toEqual(Array.from({ length: 7 }, () => 170));
});

it("items are grouped only where many are in view, and those of the shown time", () => {
  expect(groupItems(sceneOf(crowd(200, 179)), view)).toBeNull();
  const scene = sceneOf([...crowd(300, 179), ...Array.from({ length: 300 }, () => [1, 179, 5] as const)]);
  expect(groupItems(scene, view)?.groups.map(({ count }) => count)).toEqual([600]);
  scene.setWindow({ fromMs: 0, toMs: 2 });
  expect(groupItems(scene, view)?.groups.map(({ count }) => count)).toEqual([300]);
});

it("items of a group cannot be picked one by one", () => {
  const scene = sceneOf([...crowd(300, 179), [0, 170, 1]]);
  const pick = (longitude: number, latitude: number) => scene.pick(projectedX(longitude), projectedY(latitude), 1_000)?.kind;
  expect(pick(179, 1)).toBe("item");
  scene.grouped = groupItems(scene, view);
  expect([pick(179, 1), pick(170, 0)]).toEqual([undefined, "item"]);
});
