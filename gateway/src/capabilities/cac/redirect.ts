import { cacReturnPaths } from "@fairway/contract/cac";
import { Refusal } from "#http/refusal.ts";

/**
 * The address that a code was asked for with. One that is given has to be the bare screen of this very portal, letter by
 * letter: a code that was asked for from elsewhere is nobody's to turn in here.
 */
export function redirectOf(given: string | undefined, screen: keyof typeof cacReturnPaths, portalOrigin: string): URL {
  const expected = new URL(cacReturnPaths[screen], portalOrigin);
  if (given === undefined || given === expected.href) return expected;
  throw new Refusal("invalid-value", `The redirect address has to be ${expected.href}.`, { path: "redirectUri" });
}
