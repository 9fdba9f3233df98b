import { z } from "zod";
import { isLoopback } from "#process/loopback.ts";

const address = z
  .url({ protocol: /^https?$/ })
  .refine((url) => isCallable(url), "expected https, or http to this machine")
  .refine((url) => new URL(url).username === "" && new URL(url).hash === "", "expected an address without a user name and without '#'");

/** Whether secrets may be sent to a URL: over https, or to this machine. */
export function isCallable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** The card issuer as configured by the operator: an OpenID Connect provider, or an OAuth 2 server with a user info endpoint. */
export const cacSettings = z
  .strictObject({
    clientId: z.string().min(1).max(500),
    /** Overridden by the environment. Omitted: the portal is a public client. */
    clientSecret: z.string().min(1).max(1_000).optional(),
    /** How the client secret is sent: with HTTP Basic, or in the body. */
    clientAuthentication: z.enum(["basic", "post"]).default("basic"),
    /** Authorization endpoint, opened by browsers. */
    authUrl: address,
    /** If set, ID tokens are expected and verified, and omitted URLs are discovered. */
    issuer: address.optional(),
    tokenUrl: address.optional(),
    userInfoUrl: address.optional(),
    /** Claim of the user info that identifies the holder permanently. */
    subjectClaim: z.string().min(1).max(100).default("sub"),
    scope: z.string().min(1).max(500).default("UserProfile.me"),
    domain: z.string().max(200).default("DefaultDomain"),
    /** False for an issuer that refuses `code_challenge`. */
    pkce: z.boolean().default(true),
    /** False for an issuer that returns no ID token. Default: whether there is an `issuer`. */
    nonce: z.boolean().optional(),
    /** Timeout of one call to the issuer. */
    timeoutMs: z.int().min(100).max(60_000).default(10_000),
  })
  .refine(
    ({ issuer, tokenUrl, userInfoUrl }) => issuer !== undefined || (tokenUrl !== undefined && userInfoUrl !== undefined),
    "expected issuer, or both tokenUrl and userInfoUrl",
  )
  .refine(
    ({ issuer, nonce }) => issuer !== undefined || nonce !== true,
    "expected an issuer with nonce: without one no ID token can be checked",
  );
export type CacSettings = z.infer<typeof cacSettings>;

export const expectsIdToken = ({ nonce, issuer }: CacSettings): boolean => nonce ?? issuer !== undefined;
