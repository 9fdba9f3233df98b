import { z } from "zod";
import { credential, loginAnswer } from "./auth.ts";
import { route } from "./route.ts";
import { storableText } from "./text.ts";

/** What a browser needs to know to ask the card's issuer for a code. */
export const cacConfiguration = z
  .object({
    clientId: z.string(),
    /** Where the card is read; the issuer sends the browser back with a code. */
    authUrl: z.string(),
    scope: z.string(),
    domain: z.string(),
    /** The issuer binds the code to a `code_challenge` of the method S256. */
    pkce: z.boolean(),
    /** The issuer repeats a `nonce` in its ID token: `nonceOf(codeVerifier)`. */
    nonce: z.boolean(),
  })
  .meta({ id: "CacConfiguration" });
export type CacConfiguration = z.infer<typeof cacConfiguration>;

/** The screens that the issuer may send the browser back to. */
export const cacReturnPaths = { login: "/login", link: "/manage-cac" } as const;

/** What the nonce is the SHA-256 of, in base64url: who sees the nonce in an address cannot tell the verifier. */
export const nonceSource = (codeVerifier: string): string => `nonce.${codeVerifier}`;

/** What the issuer's answer is turned in with. */
const proof = {
  code: storableText.min(1).max(4_000),
  /** The secret whose SHA-256 the code was asked for with (RFC 7636). */
  codeVerifier: z
    .string()
    .regex(/^[\w.~-]{43,128}$/)
    .optional(),
  /** The bare address of the screen that the code was asked for with. Default: the portal's own. */
  redirectUri: z.string().max(2_000).optional(),
};

export const cacStatus = z
  .object({
    linked: z.boolean(),
    /** ISO 8601 UTC; null where no card is linked. */
    linkedTimestamp: z.iso.datetime().nullable(),
  })
  .meta({ id: "CacStatus" });
export type CacStatus = z.infer<typeof cacStatus>;

/** All answer 404 where no card issuer is configured. */
export const cac = {
  login: route({
    method: "POST",
    path: "/geoAxis/cacLogin",
    access: "public",
    summary: "Sign in with a linked card, by a code of its issuer. Answers as a login with a password does.",
    body: z.object(proof),
    response: loginAnswer,
    audit: "sign-in",
  }),
  status: route({
    method: "GET",
    path: "/geoAxis/cacStatus",
    access: "signed-in",
    summary: "Whether a card is linked to one's account, and since when.",
    response: cacStatus,
  }),
  link: route({
    method: "POST",
    path: "/geoAxis/linkCac",
    access: "signed-in",
    summary: "Link a card to one's account, confirmed with the password. A password that is refused does not spend the code.",
    body: z.object({ password: credential, ...proof }),
    response: cacStatus,
    audit: "security",
  }),
  unlink: route({
    method: "DELETE",
    path: "/geoAxis/unlinkCac",
    access: "signed-in",
    summary: "Unlink one's card.",
    response: z.undefined(),
    audit: "security",
  }),
};
