import { expect, it } from "vitest";
import { groupAt, groupDots, radiusOf } from "./dots.ts";
import { worldSize } from "./projection.ts";

/** One pixel is a unit. */
const worldPixels = worldSize;
type Place = readonly [x: number, y: number];
const dots = (...at: readonly Place[]) => ({
  x: Int32Array.from(at, ([x]) => x),
  y: Int32Array.from(at, ([, y]) => y),
});
const rowsOf = (...at: readonly Place[]) => groupDots(dots(...at), worldPixels).map(({ rows }) => rows);

it("joins dots within four pixels with the first of them", () => {
  expect(rowsOf([100, 100], [104, 100], [105, 100], [100, 103], [102, 102])).toEqual([[0, 1, 3, 4], [2]]);
});

it("joins dots on both sides of the antimeridian", () => {
  expect(rowsOf([1, 500], [worldSize - 2, 500])).toEqual([[0, 1]]);
});

it("parts them when the map is closer", () => {
  expect(groupDots(dots([100, 100], [104, 100]), 2 * worldPixels)).toHaveLength(2);
  expect(groupDots(dots([100, 100], [130, 100]), worldPixels / 8)).toHaveLength(1);
});

it("finds the dot that was drawn last at a place", () => {
  const groups = groupDots(dots([100, 100], [112, 100], [112, 101]), worldPixels);
  const at = (x: number, y: number) => groupAt(groups, { worldPixels }, { x, y })?.rows;
  expect(at(103, 100)).toEqual([1, 2]);
  expect(at(96, 100)).toEqual([0]);
  expect(at(100, 130)).toBeUndefined();
});

it("has room for the number", () => {
  expect([1, 2, 10, 100, 1_000].map((length) => radiusOf({ rows: Array.from({ length }, () => 0) }))).toEqual([4, 9, 9, 12, 15]);
});
