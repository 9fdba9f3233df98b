/** Renewal starts at half the lifetime, which leaves time for retries. */
export const firstRefreshMs = (lifetimeSeconds: number): number => (lifetimeSeconds * 1000) / 2;

/** A failure at or below this retry delay ends the session. */
export const minRetryDelayMs = 10_000;

/** The delay of the first retry. Each failure halves it. */
export const firstRetryDelayMs = (lifetimeSeconds: number): number => (lifetimeSeconds * 1000) / 4;

export type AfterFailure = { end: true } | { end: false; waitMs: number; nextDelayMs: number };

/** Decides what follows a scheduled refresh that failed with `status` (0: no response) at a retry delay of `delayMs`. */
export function afterFailure(status: number, delayMs: number): AfterFailure {
  if (status === 401 || delayMs <= minRetryDelayMs) return { end: true };
  return { end: false, waitMs: delayMs, nextDelayMs: delayMs / 2 };
}
