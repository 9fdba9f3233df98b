import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { debounce } from "#lib/pacing/debounce.ts";
import { layerEditDebounceMs, tooltipLingerMs } from "./delays.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("[MAP-20] applies layer edits 500 ms after the last one", () => {
  const debounced = debounce(layerEditDebounceMs);
  const effects: string[] = [];
  debounced.schedule(() => effects.push("first"));
  vi.advanceTimersByTime(499);
  debounced.schedule(() => effects.push("second"));
  vi.advanceTimersByTime(499);
  expect(effects).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(effects).toEqual(["second"]);
});

it("[MAP-21] hides a tooltip 750 ms after the mouse has left, unless it comes back", () => {
  const linger = debounce(tooltipLingerMs);
  const hide = vi.fn<() => void>();
  linger.schedule(hide);
  vi.advanceTimersByTime(749);
  expect(hide).not.toHaveBeenCalled();
  linger.cancel();
  vi.advanceTimersByTime(5_000);
  expect(hide).not.toHaveBeenCalled();
  linger.schedule(hide);
  vi.advanceTimersByTime(750);
  expect(hide).toHaveBeenCalledOnce();
});
