import { expect, it } from "vitest";
import { tracksViewOf } from "./tracks-view.ts";

it("has cells of 8 pixels, and a west between -180 and 180", () => {
  expect(tracksViewOf([-20, -10, 20, 10], 4)).toEqual({ level: 10, within: [-20, -10, 20, 10] });
  expect(tracksViewOf([170, -10, 190, 10], 5.4)).toEqual({ level: 11, within: [170, -10, 190, 10] });
  expect(tracksViewOf([190, -95, 200, 95], 30)).toEqual({ level: 24, within: [-170, -90, -160, 90] });
});

it("is none of the whole world", () => {
  expect(tracksViewOf([-200, -60, 170, 60], 0)).toBeNull();
});
