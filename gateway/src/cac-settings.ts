import { z } from "zod";

/** Whether only this machine reaches the host of a URL. */
const isThisMachine = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

const address = z
  .url({ protocol: /^https?$/ })
  .refine((url) => isCallable(url), "expected https, or http to this machine")
  .refine((url) => new URL(url).username === "" && new URL(url).hash === "", "expected an address without a user name and without '#'");

/** Secrets travel by https, or do not leave this machine. */
export function isCallable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && isThisMachine(hostname));
}

/** The card issuer, as an operator describes it: an OpenID Connect provider, or a plain OAuth 2 server with user information. */
export const cacSettings = z
  .strictObject({
    clientId: z.string().min(1).max(500),
    /** The environment's wins. Without any, the portal is a public client. */
    clientSecret: z.string().min(1).max(1_000).optional(),
    /** How the portal shows its secret: in the header of HTTP Basic, or in the body. */
    clientAuthentication: z.enum(["basic", "post"]).default("basic"),
    /** Where browsers go. */
    authUrl: address,
    /** With it, ID tokens are expected and checked; without the two URLs, they are discovered from it. */
    issuer: address.optional(),
    tokenUrl: address.optional(),
    userInfoUrl: address.optional(),
    /** Which field of the user information tells one holder from another, for ever. */
    subjectClaim: z.string().min(1).max(100).default("sub"),
    scope: z.string().min(1).max(500).default("UserProfile.me"),
    domain: z.string().max(200).default("DefaultDomain"),
    /** False for an issuer that refuses `code_challenge`. */
    pkce: z.boolean().default(true),
    /** False for an issuer whose answers have no ID token. Default: whether there is an `issuer`. */
    nonce: z.boolean().optional(),
    /** How long one call of the issuer may take. */
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
