import * as oidc from "openid-client";
import { z } from "zod";
import { notStored } from "#secrets/encrypted-column.ts";
import { type MasterKey, UnreadableCiphertext } from "#secrets/master-key.ts";
import type { RequestSecrets } from "#openid/provider.ts";

/** A sign-in that waits at the provider. The browser keeps it encrypted, so that any gateway can finish it. */
export interface PendingRequest extends RequestSecrets {
  /** The redirect address of the request. */
  readonly redirectUri: string;
  /** The signed-in user whose account is to be linked; null for a sign-in. */
  readonly linksUserId: string | null;
  /** The person had to authenticate again. */
  readonly again: boolean;
  readonly startedMs: number;
}

const pendingRequest: z.ZodType<PendingRequest> = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
  linksUserId: z.string().nullable(),
  again: z.boolean(),
  startedMs: z.number(),
});

/** Time for passwords, second factors and forgotten passwords at the provider. */
const lifetimeMs = 30 * 60_000;
const context = notStored("a request to the OpenID Connect provider");

export const newRequest = (redirectUri: URL, { again, linksUserId }: Pick<PendingRequest, "again" | "linksUserId">): PendingRequest => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  codeVerifier: oidc.randomPKCECodeVerifier(),
  redirectUri: redirectUri.href,
  linksUserId,
  again,
  startedMs: Date.now(),
});

export const sealRequest = (key: Pick<MasterKey, "encrypt">, request: PendingRequest): string =>
  key.encrypt(JSON.stringify(request), context);

/** Undefined for a text that no gateway has sealed, and for a request that has expired. */
export function openRequest(key: Pick<MasterKey, "decrypt">, sealed: string): PendingRequest | undefined {
  try {
    const request = pendingRequest.parse(JSON.parse(key.decrypt(sealed, context).toString()));
    return Date.now() - request.startedMs <= lifetimeMs ? request : undefined;
  } catch (error) {
    if (error instanceof UnreadableCiphertext) return undefined;
    throw error;
  }
}
