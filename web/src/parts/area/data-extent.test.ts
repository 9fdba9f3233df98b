import { expect, it } from "vitest";
import { extentOf } from "./data-extent.ts";

const line = (count: number, position: (index: number) => [number, number]) => Array.from({ length: count }, (_, index) => position(index));

it.each([
  ["none without positions", [], null],
  ["a place", [[12, -71]], [-71, 12, -71, 12]],
  [
    "everything of few",
    [
      [10, -80],
      [30, -60],
      [50, 20],
    ],
    [-80, 10, 20, 50],
  ],
  ["none all over the world", line(36, (index) => [0, index * 10 - 180]), null],
  [
    "the short way over the antimeridian",
    [
      [-17, 178],
      [-18, 176],
      [-16, -179],
      [-15, -178],
    ],
    [176, -18, 182, -15],
  ],
  [
    "the short way over the antimeridian, seen from the east",
    [
      [52, -160],
      [60, -170],
      [55, 175],
    ],
    [-185, 52, -160, 60],
  ],
] as const)("the extent of positions is %s", (_, positions, extent) => {
  expect(extentOf(positions)).toEqual(extent);
});

it("the extent leaves out two in a hundred that are far away", () => {
  const near = line(98, (index) => [20 + index / 100, -70 - index / 100]);
  expect(extentOf([...near, [0, 0], [-80, 120]])).toEqual([-70.97, 20, -70, 20.97]);
  expect(extentOf([...near, [0, 0], [-80, 120], [-85, 125]])?.[2]).toBe(0);
});
