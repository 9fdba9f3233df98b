import { vi } from "vitest";

/** Keeps what is logged from the console until the end of the test, for tests in which something fails. Returns what was logged. */
export function loggedFailures(): () => string[] {
  const log = vi.spyOn(console, "warn").mockReturnValue(undefined);
  return () => log.mock.calls.map(([what]) => String(what));
}
