import { expect, it } from "vitest";
import { withSurroundings } from "./data-bounds.ts";

it("shows a single point with its surroundings, and everything else as it is", () => {
  expect(withSurroundings([-87, 37, -87, 37])).toEqual([-90, 34, -84, 40]);
  expect(withSurroundings([-87, 37, -86.995, 37.005])).toEqual([-90, 34, -83.995, 40.005]);
  expect(withSurroundings([-87, 37, -86.9, 37])).toEqual([-87, 37, -86.9, 37]);
});
