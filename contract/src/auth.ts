import { z } from "zod";
import { passkeyRequest } from "./passkeys.ts";
import { route } from "./route.ts";
import { newKey, storableText } from "./text.ts";

export const tokenWrapper = z
  .object({
    access_token: z.string(),
    /** Opaque, single-use. Null in the response to a login that requires a new password. */
    refresh_token: z.string().nullable(),
    token_type: z.literal("Bearer"),
    /** Seconds. */
    expires_in: z.number(),
  })
  .meta({ id: "TokenWrapper" });
export type TokenWrapper = z.infer<typeof tokenWrapper>;

/** Claims of an access token, for display only. Calls are authorized by the user's state in the database. */
export const userClaims = z.object({
  sub: z.string(),
  preferred_username: z.string(),
  name: z.string(),
  given_name: z.string().default(""),
  family_name: z.string().default(""),
  email: z.string().default(""),
  roles: z.array(z.string()),
  /** The session was started at the OpenID Connect provider. */
  from_provider: z.literal(true).optional(),
  /** The account has no password. */
  passwordless: z.literal(true).optional(),
});
export type UserClaims = z.infer<typeof userClaims>;

export const loginAnswer = z
  .object({
    requiresPasswordChange: z.boolean(),
    /** The account has a second factor: the token authorizes only `POST /auth/second-factor`. */
    requiresSecondFactor: z.literal(true).optional(),
    /** Set with `requiresSecondFactor`: what the second step accepts besides a recovery code. */
    secondFactors: z
      .object({
        /** A code of the authenticator app. */
        code: z.boolean(),
        /** Null if the account has no passkey that works at this address. */
        passkey: passkeyRequest.nullable(),
      })
      .optional(),
    token: tokenWrapper,
  })
  .meta({ id: "LoginAnswer" });
export type LoginAnswer = z.infer<typeof loginAnswer>;

export const credential = storableText.min(1).max(1_000);

export const auth = {
  login: route({
    method: "POST",
    path: "/auth/login",
    access: "public",
    summary: "Sign in with username and password.",
    body: z.object({ username: credential, password: credential }),
    response: loginAnswer,
    audit: "sign-in",
  }),
  refresh: route({
    method: "POST",
    path: "/auth/refresh",
    access: "public",
    summary: "Spend a refresh token for a new token wrapper.",
    body: z.object({ refreshToken: z.string().min(1).max(1_000) }),
    response: tokenWrapper,
  }),
  logout: route({
    method: "POST",
    path: "/auth/logout",
    access: "public",
    summary: "End the session that a refresh token belongs to.",
    body: z.object({ refreshToken: z.string().min(1).max(1_000) }),
    response: z.undefined(),
  }),
};

/** Usernames are compared regardless of case, width and look-alike characters. `~` begins the categories of their own datasets. */
export const newUsername = newKey(100, 2).refine((name) => !name.includes("~"), "must not contain '~'");

/** One-time creation of the first administrator, with the link that is printed to the log. */
export const setup = {
  createFirstAdministrator: route({
    method: "POST",
    path: "/setup",
    access: "public",
    summary: "Create the first administrator with the one-time setup token. 404 once anyone exists.",
    body: z.object({ setupToken: credential, username: newUsername, password: credential }),
    response: z.undefined(),
    audit: "sign-in",
  }),
};
