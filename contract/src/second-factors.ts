import { z } from "zod";
import { loginAnswer } from "./auth.ts";
import { passkey, passkeyAssertion, passkeyCreation, passkeyName, passkeyRegistration, passkeyRequest } from "./passkeys.ts";
import { route } from "./route.ts";

/** Six digits as shown by authenticator apps, with or without a space in the middle. */
const oneTimeCode = z
  .string()
  .max(20)
  .transform((text) => text.replaceAll(/\s/g, ""))
  .refine((text) => /^\d{6}$/.test(text), "needs the 6 digits that the authenticator app shows");

/** Letters and digits in groups of four, ignoring case. Early codes had four groups; current ones have six. */
const recoveryCode = z
  .string()
  .max(40)
  .transform((text) => text.replaceAll(/[\s-]/g, "").toLowerCase())
  .refine((text) => /^(?:[a-z2-7]{16}|[a-z2-7]{24})$/.test(text), "needs one of the recovery codes, letters and digits in groups of four");

/** Proof of the second factor: exactly one of the three. */
const secondFactorProof = z
  .strictObject({ code: oneTimeCode.optional(), recoveryCode: recoveryCode.optional(), passkey: passkeyAssertion.optional() })
  .refine(
    (proof) => Object.values(proof).filter((value) => value !== undefined).length === 1,
    "needs one of 'code', 'recoveryCode' and 'passkey'",
  );
export type SecondFactorProof = z.infer<typeof secondFactorProof>;

/** The second step of signing in. */
export const secondFactorSignIn = {
  prove: route({
    method: "POST",
    path: "/auth/second-factor",
    access: "second-factor-token",
    summary: "Finish a sign-in with a code of the authenticator app, a recovery code or a passkey. Responds like the login.",
    body: secondFactorProof,
    response: loginAnswer,
    audit: "sign-in",
  }),
};

/** Signing in again with only a passkey, for calls that need a recent sign-in. */
export const passkeySignIn = {
  request: route({
    method: "POST",
    path: "/auth/passkey/request",
    access: "signed-in",
    summary: "What to ask the browser for to sign in again with one of the user's passkeys. 404 if none works at this address.",
    response: passkeyRequest,
  }),
  prove: route({
    method: "POST",
    path: "/auth/passkey",
    access: "signed-in",
    summary: "Sign in again with a passkey that verifies its user. Responds like the login.",
    body: z.strictObject({ passkey: passkeyAssertion }),
    response: loginAnswer,
    audit: "sign-in",
  }),
};

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) }).meta({ id: "RecoveryCodes" });

const signInMethodsAnswer = z
  .object({
    /** The authenticator app; null if none is set up. */
    authenticator: z.object({ addedMs: z.number(), lastUsedMs: z.number().nullable() }).nullable(),
    /** Number of unused recovery codes. */
    recoveryCodesLeft: z.int(),
    /** In the order they were added. */
    passkeys: z.array(passkey),
    /** Whether the portal requires a second factor of this account. */
    required: z.boolean(),
  })
  .meta({ id: "SignInMethods" });
export type SignInMethods = z.infer<typeof signInMethodsAnswer>;

/** A user's own sign-in methods. Every change needs a recent sign-in; otherwise it returns 401 with `sign-in-again`. */
export const signInMethods = {
  read: route({
    method: "GET",
    path: "/profile/sign-in-methods",
    access: "signed-in",
    summary: "The user's second factors.",
    response: signInMethodsAnswer,
  }),
  beginAuthenticator: route({
    method: "POST",
    path: "/profile/sign-in-methods/authenticator",
    access: "signed-in",
    summary: "Start to set up an authenticator app. Nothing changes until a code of it is confirmed.",
    response: z.object({
      /** Base32, to type into the app. */
      secret: z.string(),
      /** `otpauth://totp/…`, to be shown as a QR code. */
      uri: z.string(),
    }),
    audit: "security",
  }),
  confirmAuthenticator: route({
    method: "PUT",
    path: "/profile/sign-in-methods/authenticator",
    access: "signed-in",
    summary:
      "Use the authenticator app from now on. Returns new recovery codes, which are shown only once; none if the account already has some.",
    body: z.strictObject({ code: oneTimeCode }),
    response: recoveryCodes,
    audit: "security",
  }),
  removeAuthenticator: route({
    method: "DELETE",
    path: "/profile/sign-in-methods/authenticator",
    access: "signed-in",
    summary: "Sign in without the authenticator app from now on. With the last second factor the recovery codes go, too.",
    response: z.undefined(),
    audit: "security",
  }),
  beginPasskey: route({
    method: "POST",
    path: "/profile/sign-in-methods/passkeys/creation",
    access: "signed-in",
    summary: "Start to add a passkey: answers what to ask the browser for. Needs https and a host name, or localhost.",
    body: z.strictObject({ name: passkeyName }),
    response: passkeyCreation,
    audit: "security",
  }),
  addPasskey: route({
    method: "POST",
    path: "/profile/sign-in-methods/passkeys",
    access: "signed-in",
    summary:
      "Add the passkey that the browser made. Returns new recovery codes, which are shown only once; none if the account already has some.",
    body: z.strictObject({ passkey: passkeyRegistration }),
    response: z.object({ passkey, recoveryCodes: z.array(z.string()) }),
    status: 201,
    audit: "security",
  }),
  renamePasskey: route({
    method: "PUT",
    path: "/profile/sign-in-methods/passkeys/:id",
    access: "signed-in",
    summary: "Rename a passkey.",
    params: z.object({ id: z.string() }),
    body: z.strictObject({ name: passkeyName }),
    response: passkey,
  }),
  removePasskey: route({
    method: "DELETE",
    path: "/profile/sign-in-methods/passkeys/:id",
    access: "signed-in",
    summary: "Remove a passkey. With the last second factor the recovery codes go, too.",
    params: z.object({ id: z.string() }),
    response: z.undefined(),
    audit: "security",
  }),
  renewRecoveryCodes: route({
    method: "POST",
    path: "/profile/sign-in-methods/recovery-codes",
    access: "signed-in",
    summary: "Replace the user's recovery codes. The old ones stop working.",
    response: recoveryCodes,
    audit: "security",
  }),
};
