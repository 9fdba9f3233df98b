import { expect, it } from "vitest";
import { popoverPosition } from "./popover-position.ts";

const window = { width: 1000, height: 800 };
const box = { width: 100, height: 40 };
const at = (left: number, top: number) => ({ left, top, width: 32, height: 32 });

it("centres a box below its target, or above where there is no room", () => {
  expect(popoverPosition(at(500, 100), box, "bottom", window)).toEqual({ left: 466, top: 140 });
  expect(popoverPosition(at(500, 760), box, "bottom", window)).toEqual({ left: 466, top: 712 });
});

it("stays within the window", () => {
  expect(popoverPosition(at(0, 100), box, "bottom", window).left).toBe(4);
  expect(popoverPosition(at(990, 100), box, "top", window).left).toBe(896);
  expect(popoverPosition(at(10, 780), box, "right-start", window).top).toBe(756);
});

it("goes to the right with the edges that were asked for, else to the left", () => {
  expect(popoverPosition(at(10, 100), box, "right-start", window)).toEqual({ left: 50, top: 100 });
  expect(popoverPosition(at(10, 100), box, "right-end", window)).toEqual({ left: 50, top: 92 });
  expect(popoverPosition(at(950, 100), box, "right", window)).toEqual({ left: 842, top: 96 });
});
