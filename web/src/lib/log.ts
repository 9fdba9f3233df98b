/** Tells the developer's console of a failure that the person at the screen can do nothing about. */
export function logFailure(what: string, cause: unknown): void {
  // oxlint-disable-next-line no-console -- the one place where a failure is only logged, as the product's rules ask for some loads
  console.warn(`${what}:`, cause);
}
