/** Logs a failure to the console that the user cannot do anything about. */
export function logFailure(what: string, cause: unknown): void {
  if (isCanceled(cause)) return;
  // oxlint-disable-next-line no-console -- the one place where a failure is only logged, as the product's rules ask for some loads
  console.warn(`${what}:`, cause);
}

/** A load that was canceled, as by signing out, has not failed. TanStack Query reports it by the message alone. */
const isCanceled = (cause: unknown): boolean => cause instanceof Error && cause.message === "CancelledError";
