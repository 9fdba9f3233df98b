/** Renewal begins at half the lifetime: a failed try still leaves room for others. */
export const firstRefreshMs = (lifetimeSeconds: number): number => (lifetimeSeconds * 1000) / 2;

/** A failure with a delay as short as this ends the session. */
export const lastDelayMs = 10_000;

/** The delay of the first retry. Each failure halves it. */
export const firstRetryDelayMs = (lifetimeSeconds: number): number => (lifetimeSeconds * 1000) / 4;

export type AfterFailure = { end: true } | { end: false; waitMs: number; nextDelayMs: number };

/** What follows a scheduled refresh that failed with `status` (0: no answer) while the retry delay stood at `delayMs`. */
export function afterFailure(status: number, delayMs: number): AfterFailure {
  if (status === 401 || delayMs <= lastDelayMs) return { end: true };
  return { end: false, waitMs: delayMs, nextDelayMs: delayMs / 2 };
}
