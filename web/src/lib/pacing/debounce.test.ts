import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { debounce } from "./debounce.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("flush runs a pending action immediately and only once", () => {
  const debounced = debounce(500);
  const action = vi.fn<() => void>();
  debounced.schedule(action);
  expect(debounced.isPending()).toBe(true);
  debounced.flush();
  debounced.flush();
  vi.advanceTimersByTime(5_000);
  expect(action).toHaveBeenCalledOnce();
  expect(debounced.isPending()).toBe(false);
});
