/** Logs a failure to the console that the user cannot do anything about. */
export function logFailure(what: string, cause: unknown): void {
  // oxlint-disable-next-line no-console -- the one place where a failure is only logged, as the product's rules ask for some loads
  console.warn(`${what}:`, cause);
}
