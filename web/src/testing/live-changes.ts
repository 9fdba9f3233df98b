import { vi } from "vitest";

/** Requires fake timers. Moves the clock, in steps that leave responses the time to come, until the check holds. */
export const passUntil = (check: () => boolean, stepMs = 250) =>
  vi.waitUntil(
    async () => {
      await vi.advanceTimersByTimeAsync(stepMs);
      return check();
    },
    { timeout: 30_000, interval: 1 },
  );
