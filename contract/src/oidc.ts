import { z } from "zod";
import { loginAnswer } from "./auth.ts";
import { route } from "./route.ts";
import { storableText } from "./text.ts";

/** Values that a browser needs to know about the organization's OpenID Connect provider. */
export const oidcConfiguration = z
  .object({
    /** Completes "Sign in with …". */
    displayName: z.string(),
  })
  .meta({ id: "OidcConfiguration" });
export type OidcConfiguration = z.infer<typeof oidcConfiguration>;

/** Screens that the provider may redirect to. */
export const oidcReturnPaths = { login: "/login", link: "/sign-in-methods" } as const;

/** Whether one's account can be signed in to with the provider. */
export const oidcLink = z
  .object({
    linked: z.boolean(),
    /** ISO 8601 UTC; null if the account is not linked. */
    linkedTimestamp: z.iso.datetime().nullable(),
  })
  .meta({ id: "OidcLink" });
export type OidcLink = z.infer<typeof oidcLink>;

/** Address at which a browser signs in at the provider, and values that it keeps until it returns. */
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

/** Parameters of the provider's redirect, with those that the browser kept for it. */
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
  logout: route({
    method: "POST",
    path: "/oidc/logout",
    access: "public",
    summary: "End the session that a refresh token belongs to, and say where the browser signs out at the provider.",
    body: z.object({ refreshToken: z.string().min(1).max(1_000) }),
    response: z.object({
      /** Null if there is nothing to sign out of. */
      address: z.string().nullable(),
    }),
  }),
  backchannelLogout: route({
    method: "POST",
    path: "/oidc/backchannel-logout",
    access: "public",
    summary:
      "For the OpenID Connect provider, which tells here that a session there or all of a person have ended. The body is a form with the field `logout_token` (OpenID Connect Back-Channel Logout 1.0).",
    rawBody: true,
    response: z.undefined(),
    status: 200,
  }),
  link: route({
    method: "GET",
    path: "/oidc/link",
    access: "signed-in",
    summary: "Whether the user's account is linked to a person of the OpenID Connect provider, and since when.",
    response: oidcLink,
  }),
  requestLink: route({
    method: "POST",
    path: "/oidc/link/requests",
    access: "signed-in",
    summary:
      "Start to link the user's account to a person of the OpenID Connect provider. Needs a recent sign-in, else 401 with `sign-in-again`.",
    response: oidcRequest,
  }),
  addLink: route({
    method: "POST",
    path: "/oidc/link",
    access: "signed-in",
    summary: "Link the user's account to the person whom the provider's response names.",
    body: z.object(providerResponse),
    response: oidcLink,
    audit: "security",
  }),
  removeLink: route({
    method: "DELETE",
    path: "/oidc/link",
    access: "signed-in",
    summary: "Unlink the user's account, which needs a password of its own. Needs a recent sign-in, else 401 with `sign-in-again`.",
    response: z.undefined(),
    audit: "security",
  }),
};
