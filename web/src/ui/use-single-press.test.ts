import { expect, it } from "vitest";
import { singlePress } from "./use-single-press.ts";

it("runs the first of several quick presses, and another one after a second", () => {
  let nowMs = 5;
  let runs = 0;
  const runOnce = singlePress(() => nowMs);
  const press = () => runOnce(() => void (runs += 1));
  press();
  nowMs += 80;
  press();
  expect(runs).toBe(1);
  nowMs += 1_000;
  press();
  expect(runs).toBe(2);
});
