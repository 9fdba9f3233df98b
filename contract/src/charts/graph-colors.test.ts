import { describe, expect, it } from "vitest";
import { colorAt, colorName, freeColor, palette } from "./graph-colors.ts";

it("returns the first free color", () => {
  expect(freeColor([])).toBe("#099bf1");
  expect(freeColor(["#099bf1", "#306f57"])).toBe("#e36f17");
  expect(colorAt(1)).toBe("#e36f17");
  expect(colorAt(25)).toBe("#e36f17");
});

it("has shades of the palette for more groups than colors", () => {
  const colors = Array.from({ length: 24 }, (_, index) => colorAt(index));
  expect(new Set(colors).size).toBe(24);
  for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}$/);
  expect([colorName(colorAt(8)), colorName(colorAt(16))]).toEqual(["Blue, light", "Blue, dark"]);
  expect(freeColor(palette.map(({ color }) => color))).toBe(colorAt(8));
});

describe("the palette", () => {
  // Machado, Oliveira and Fernandes 2009: simulation of complete color vision deficiencies in linear RGB.
  const visions = {
    "all colors": [1, 0, 0, 0, 1, 0, 0, 0, 1],
    deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
  };
  const linear = (color: string): number[] =>
    [1, 3, 5].map((offset) => {
      const part = Number.parseInt(color.slice(offset, offset + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
  const dot = (row: readonly number[], light: readonly number[]): number =>
    light.reduce((sum, part, index) => sum + part * (row[index] ?? 0), 0);
  const simulate = (light: readonly number[], vision: readonly number[]): number[] =>
    [0, 3, 6].map((offset) => Math.min(1, Math.max(0, dot(vision.slice(offset, offset + 3), light))));
  const lab = (light: readonly number[]): number[] => {
    const labCurve = (part: number): number => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116);
    const x = labCurve(dot([0.4124, 0.3576, 0.1805], light) / 0.95047);
    const y = labCurve(dot([0.2126, 0.7152, 0.0722], light));
    const z = labCurve(dot([0.0193, 0.1192, 0.9505], light) / 1.08883);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };

  it.each(Object.entries(visions))("is distinguishable with %s", (_, vision) => {
    const colors = palette.map(({ color }) => lab(simulate(linear(color), vision)));
    for (const [index, labColor] of colors.entries())
      for (const otherColor of colors.slice(index + 1))
        expect(Math.hypot(...labColor.map((part, offset) => part - (otherColor[offset] ?? 0)))).toBeGreaterThan(12);
  });

  it.each(["#ffffff", "#12171e"])("contrasts with the background %s", (background) => {
    const luminance = (color: string): number => dot([0.2126, 0.7152, 0.0722], linear(color)) + 0.05;
    for (const { color } of palette) {
      const [low = 0, high = 0] = [luminance(color), luminance(background)].toSorted((a, b) => a - b);
      expect(high / low).toBeGreaterThanOrEqual(3);
    }
  });
});
