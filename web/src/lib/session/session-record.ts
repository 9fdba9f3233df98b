import { type TokenWrapper, tokenWrapper, userClaims, type UserClaims } from "@fairway/contract/auth";
import { z } from "zod";

/** A stored session: the token wrapper and when it was received, by this device's clock. */
export const storedSession = tokenWrapper.extend({
  refresh_token: z.string(),
  receivedMs: z.number(),
  /** Just signed in, so the application does not renew it on its first start. */
  fresh: z.boolean().optional(),
});
export type StoredSession = z.infer<typeof storedSession>;

export interface SessionRecord {
  readonly stored: StoredSession;
  /** From the access token's claims. Only for display; the gateway authorizes every call by its own data. */
  readonly user: UserClaims;
}

/** Null if the token has no user claims or the wrapper has no refresh token. */
export function parseSessionRecord(stored: unknown): SessionRecord | null {
  const parsed = storedSession.safeParse(stored);
  if (!parsed.success) return null;
  const user = claimsOf(parsed.data.access_token);
  return user && { stored: parsed.data, user };
}

/** The record of a wrapper received at `receivedMs`. */
export const toSessionRecord = (wrapper: TokenWrapper, receivedMs: number): SessionRecord | null =>
  parseSessionRecord({ ...wrapper, receivedMs });

/** When the access token expires, by this device's clock. */
export const expiresMs = ({ stored }: SessionRecord): number => stored.receivedMs + stored.expires_in * 1000;

/** The user claims of an access token; null if it is invalid. */
export function claimsOf(accessToken: string): UserClaims | null {
  const payload = accessToken.split(".")[1];
  if (payload === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
    return userClaims.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return null;
    throw error;
  }
}
