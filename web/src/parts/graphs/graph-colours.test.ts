import { expect, it } from "vitest";
import { colourAt, freeColour, palette } from "./graph-colours.ts";

it("gives a new thing the first colour that is free", () => {
  expect(freeColour([])).toBe("#099bf1");
  expect(freeColour(["#099bf1", "#306f57"])).toBe("#e36f17");
  expect(freeColour(palette.map(({ color }) => color))).toBe("#099bf1");
  expect(colourAt(9)).toBe("#e36f17");
});
