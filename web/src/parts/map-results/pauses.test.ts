import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { layerEditPauseMs, pauseOf, tooltipLingerMs } from "./pauses.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("[MAP-20] edits of layers take effect 500 ms after the last of them", () => {
  const pause = pauseOf(layerEditPauseMs);
  const effects: string[] = [];
  pause.start(() => effects.push("first"));
  vi.advanceTimersByTime(499);
  pause.start(() => effects.push("second"));
  vi.advanceTimersByTime(499);
  expect(effects).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(effects).toEqual(["second"]);
});

it("[MAP-21] a tooltip hides 750 ms after the mouse has left, unless it comes back", () => {
  const pause = pauseOf(tooltipLingerMs);
  const hide = vi.fn<() => void>();
  pause.start(hide);
  vi.advanceTimersByTime(749);
  expect(hide).not.toHaveBeenCalled();
  pause.stop();
  vi.advanceTimersByTime(5_000);
  expect(hide).not.toHaveBeenCalled();
  pause.start(hide);
  vi.advanceTimersByTime(750);
  expect(hide).toHaveBeenCalledOnce();
});

it("what is still to be done can be done at once, and only once", () => {
  const pause = pauseOf(layerEditPauseMs);
  const done = vi.fn<() => void>();
  pause.start(done);
  expect(pause.isRunning()).toBe(true);
  pause.finish();
  pause.finish();
  vi.advanceTimersByTime(5_000);
  expect(done).toHaveBeenCalledOnce();
  expect(pause.isRunning()).toBe(false);
});
