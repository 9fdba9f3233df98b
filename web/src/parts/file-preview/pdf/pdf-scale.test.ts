import { expect, it } from "vitest";
import { canvasRatio, nextZoom, pageAt, pageScale, pageTops } from "./pdf-scale.ts";

it("limits the canvas, the page and the document, however large a page is", () => {
  const huge = { width: 14_400, height: 14_400 };
  const scale = pageScale(5, huge, 1_000, 1);
  expect(scale * huge.width).toBe(16_000);
  expect((16_000 * canvasRatio(16_000, 16_000, 2)) ** 2).toBeCloseTo(16_777_216);
  expect(10_000 * canvasRatio(10_000, 1, 3)).toBe(16_384);
  expect(pageScale(5, huge, 1_000, 10_000) * huge.height * 10_000).toBeCloseTo(15_000_000);
  expect(pageScale("width", { width: 1, height: 14_400 }, 1_000, 1) * 14_400).toBe(16_000);
  expect(pageScale("auto", { width: 612, height: 792 }, 2_000, 1)).toBe(96 / 72);
});

it("zooms in steps from any scale, and finds the page at an offset", () => {
  expect([nextZoom(96 / 72, 1), nextZoom(96 / 72, -1), nextZoom((96 / 72) * 5, 1), nextZoom((96 / 72) * 0.05, -1)]).toEqual([
    1.1, 0.9, 5, 0.05,
  ]);
  const tops = pageTops([100, 200, 300], 16);
  expect(tops).toEqual([16, 132, 348, 664]);
  expect([-5, 131, 132, 347, 348, 9_999].map((offset) => pageAt(tops, offset))).toEqual([0, 0, 1, 1, 2, 2]);
});
