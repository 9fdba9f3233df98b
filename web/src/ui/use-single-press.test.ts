import { expect, it } from "vitest";
import { singlePress } from "./use-single-press.ts";

it("runs the first of several quick presses, and one again after a second", () => {
  let nowMs = 5;
  let runs = 0;
  const once = singlePress(() => nowMs);
  const press = () => once(() => void (runs += 1));
  press();
  nowMs += 80;
  press();
  expect(runs).toBe(1);
  nowMs += 1_000;
  press();
  expect(runs).toBe(2);
});
