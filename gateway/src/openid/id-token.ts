import type * as oidc from "openid-client";
import { IssuerFailure } from "./issuer-calls.ts";

/** Difference of clocks between portal and provider that does not matter. */
export const clockToleranceSeconds = 30;
/** ID tokens are made for the response that they come with. */
const maxAgeSeconds = 600;

/**
 * Checks of an ID token beyond those of the client library, whose signature, issuer, audience, nonce and expiry have been verified.
 * Throws IssuerFailure. With `isNew`, it belongs to a new sign-in; a renewal may return the one from before.
 */
export function requireUsableIdToken({ iat, azp }: oidc.IDToken, clientId: string, { isNew }: { isNew: boolean }): void {
  if (azp !== undefined && azp !== clientId) throw new IssuerFailure("its ID token was issued to another client");
  const ageSeconds = Date.now() / 1_000 - iat;
  if (ageSeconds < -clockToleranceSeconds) throw new IssuerFailure("its ID token was issued in the future: compare the clocks");
  if (isNew && ageSeconds > maxAgeSeconds) throw new IssuerFailure("its ID token was issued long ago: compare the clocks");
}

/** When the person authenticated, as of the provider; undefined if it does not say a time that has come. */
export function authenticatedAtMs({ auth_time: authTime }: oidc.IDToken): number | undefined {
  if (authTime === undefined || authTime > Date.now() / 1_000 + clockToleranceSeconds) return undefined;
  return Math.max(0, authTime * 1_000);
}
