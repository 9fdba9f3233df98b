import { cacReturnPaths } from "@fairway/contract/cac";
import { Refusal } from "#http/refusal.ts";

/**
 * The redirect address that a code was issued for. A client-supplied one must match this portal's own screen exactly, so that
 * codes issued for other sites cannot be redeemed here.
 */
export function requireRedirectUri(requested: string | undefined, screen: keyof typeof cacReturnPaths, portalOrigin: string): URL {
  const expected = new URL(cacReturnPaths[screen], portalOrigin);
  if (requested === undefined || requested === expected.href) return expected;
  throw new Refusal("invalid-value", `The redirect address has to be ${expected.href}.`, { path: "redirectUri" });
}
