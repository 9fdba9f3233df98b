import { vi } from "vitest";

const wait = globalThis.setTimeout;

/** Runs timers of these lengths at once until the page ends, for tests that are not about the pause. Not beside fake timers. */
export function skipPauses(...lengthsMs: readonly number[]): void {
  const waitLess = (run: () => void, ms = 0, ...values: unknown[]): unknown =>
    Reflect.apply(wait, globalThis, [run, lengthsMs.includes(ms) ? 0 : ms, ...values]);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(waitLess as typeof setTimeout);
}
