import { type TokenWrapper, tokenWrapper, userClaims, type UserClaims } from "@fairway/contract/auth";
import { z } from "zod";

/** One sign-in as a tab knows it: the token wrapper and when it came, by this machine's clock. */
export const storedSession = tokenWrapper.extend({
  refresh_token: z.string(),
  receivedMs: z.number(),
  /** Just signed in: the first start of the application need not renew it. */
  fresh: z.boolean().optional(),
});
export type StoredSession = z.infer<typeof storedSession>;

export interface SessionRecord {
  readonly stored: StoredSession;
  /** From the access token's claims. They feed the screen; the gateway judges every call by its own knowledge. */
  readonly user: UserClaims;
}

/** Null where the token carries no claims of a user, or the wrapper no refresh token. */
export function sessionRecord(stored: unknown): SessionRecord | null {
  const parsed = storedSession.safeParse(stored);
  if (!parsed.success) return null;
  const user = claimsOf(parsed.data.access_token);
  return user && { stored: parsed.data, user };
}

/** The record of a wrapper that arrived at `receivedMs`. */
export const recordOf = (wrapper: TokenWrapper, receivedMs: number): SessionRecord | null => sessionRecord({ ...wrapper, receivedMs });

/** When the access token ends, by this machine's clock. */
export const expiresMs = ({ stored }: SessionRecord): number => stored.receivedMs + stored.expires_in * 1000;

/** The user whom an access token names; null when it is none. */
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
