import { z } from "zod";
import { credential, loginAnswer } from "./auth.ts";
import { route } from "./route.ts";
import { storableText } from "./text.ts";

/** Values that a browser needs in order to request a code from the card's issuer. */
export const cacConfiguration = z
  .object({
    clientId: z.string(),
    /** Authorization endpoint of the issuer, which reads the card and redirects back with a code. */
    authUrl: z.string(),
    scope: z.string(),
    domain: z.string(),
    /** Whether the issuer supports PKCE with the method S256. */
    pkce: z.boolean(),
    /** Whether the issuer repeats the `nonce`, `nonceOf(codeVerifier)`, in its ID token. */
    nonce: z.boolean(),
  })
  .meta({ id: "CacConfiguration" });
export type CacConfiguration = z.infer<typeof cacConfiguration>;

/** Screens that the issuer may redirect to. */
export const cacReturnPaths = { login: "/login", link: "/manage-cac" } as const;

/** Input of the nonce, which is its SHA-256 in base64url: a nonce in an address does not reveal the verifier. */
export const nonceSource = (codeVerifier: string): string => `nonce.${codeVerifier}`;

/** Parameters of the issuer's redirect, with those that the browser kept for it. */
const cardProof = {
  code: storableText.min(1).max(4_000),
  /** PKCE code verifier (RFC 7636). */
  codeVerifier: z
    .string()
    .regex(/^[\w.~-]{43,128}$/)
    .optional(),
  /** Redirect URI that the code was requested with, without query. Default: the portal's own. */
  redirectUri: z.string().max(2_000).optional(),
};

export const cacStatus = z
  .object({
    linked: z.boolean(),
    /** ISO 8601 UTC; null if no card is linked. */
    linkedTimestamp: z.iso.datetime().nullable(),
  })
  .meta({ id: "CacStatus" });
export type CacStatus = z.infer<typeof cacStatus>;

/** All of them return 404 if no card issuer is configured. */
export const cac = {
  login: route({
    method: "POST",
    path: "/geoAxis/cacLogin",
    access: "public",
    summary: "Sign in with a linked card, by a code of its issuer. Responds like a login with a password.",
    body: z.object(cardProof),
    response: loginAnswer,
    audit: "sign-in",
  }),
  status: route({
    method: "GET",
    path: "/geoAxis/cacStatus",
    access: "signed-in",
    summary: "Whether a card is linked to the user's account, and since when.",
    response: cacStatus,
  }),
  link: route({
    method: "POST",
    path: "/geoAxis/linkCac",
    access: "signed-in",
    summary: "Link a card to the user's account, confirmed with the password. A wrong password does not use up the code.",
    body: z.object({ password: credential, ...cardProof }),
    response: cacStatus,
    audit: "security",
  }),
  unlink: route({
    method: "DELETE",
    path: "/geoAxis/unlinkCac",
    access: "signed-in",
    summary: "Unlink the user's card.",
    response: z.undefined(),
    audit: "security",
  }),
};
