import { expect, it } from "vitest";
import { popoverPosition } from "./popover-position.ts";

const window = { width: 1000, height: 800 };
const box = { width: 100, height: 40 };
const target = (left: number, top: number) => ({ left, top, width: 32, height: 32 });

it("centers a box below its target, or above it if there is no room", () => {
  expect(popoverPosition(target(500, 100), box, "bottom", window)).toEqual({ left: 466, top: 140 });
  expect(popoverPosition(target(500, 760), box, "bottom", window)).toEqual({ left: 466, top: 712 });
});

it("stays within the window", () => {
  expect(popoverPosition(target(0, 100), box, "bottom", window).left).toBe(4);
  expect(popoverPosition(target(990, 100), box, "top", window).left).toBe(896);
  expect(popoverPosition(target(10, 780), box, "right-start", window).top).toBe(756);
});

it("is placed on the right with the requested alignment, otherwise on the left", () => {
  expect(popoverPosition(target(10, 100), box, "right-start", window)).toEqual({ left: 50, top: 100 });
  expect(popoverPosition(target(10, 100), box, "right-end", window)).toEqual({ left: 50, top: 92 });
  expect(popoverPosition(target(950, 100), box, "right", window)).toEqual({ left: 842, top: 96 });
});
