import { z } from "zod";
import { loginAnswer } from "./auth.ts";
import { route } from "./route.ts";
import { storableText } from "./text.ts";

/** What a browser needs to know about the organization's OpenID Connect provider. */
export const oidcConfiguration = z
  .object({
    /** Completes "Sign in with …". */
    displayName: z.string(),
  })
  .meta({ id: "OidcConfiguration" });
export type OidcConfiguration = z.infer<typeof oidcConfiguration>;

/** The screen that the provider redirects to. */
export const oidcReturnPath = "/login";

/** Where a browser goes to sign in at the provider, and what it keeps until it returns. */
export const oidcRequest = z
  .object({
    /** Address at the provider. */
    address: z.string(),
    /** Repeated by the provider's redirect, which belongs to this request only if it is equal. */
    state: z.string(),
    /** Opaque and encrypted. Sent back with the provider's response. */
    request: z.string(),
  })
  .meta({ id: "OidcRequest" });
export type OidcRequest = z.infer<typeof oidcRequest>;

/** What the provider's redirect returns, with what the browser kept for it. */
const providerResponse = {
  request: z.string().min(1).max(4_000),
  code: storableText.min(1).max(4_000),
  state: z.string().min(1).max(200),
  /** The issuer that the redirect names (RFC 9207). */
  iss: z.string().max(2_000).optional(),
};

/** All of them return 404 if no provider is configured. */
export const oidc = {
  request: route({
    method: "POST",
    path: "/oidc/requests",
    access: "public",
    summary: "Start a sign-in at the organization's OpenID Connect provider. It is valid for half an hour and once.",
    body: z.object({
      /** The user is signed in, and has to authenticate again at the provider. */
      again: z.boolean().default(false),
    }),
    response: oidcRequest,
  }),
  login: route({
    method: "POST",
    path: "/oidc/login",
    access: "public",
    summary: "Sign in with the response of the OpenID Connect provider. The first sign-in of a person makes the account.",
    body: z.object(providerResponse),
    response: loginAnswer,
    audit: "sign-in",
  }),
};
