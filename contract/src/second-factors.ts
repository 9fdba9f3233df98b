import { z } from "zod";
import { loginAnswer } from "./auth.ts";
import { route } from "./route.ts";

/** Six digits, as authenticator apps show them: with or without a space in the middle. */
const oneTimeCode = z
  .string()
  .max(20)
  .transform((text) => text.replaceAll(/\s/g, ""))
  .refine((text) => /^\d{6}$/.test(text), "needs the 6 digits that the authenticator app shows");

/** Letters and digits in groups, in any case. */
const recoveryCode = z
  .string()
  .max(40)
  .transform((text) => text.replaceAll(/[\s-]/g, "").toLowerCase())
  .refine((text) => /^[a-z2-7]{16}$/.test(text), "needs one of the recovery codes, 16 letters and digits");

/** What proves the second factor: one of the two. */
const secondFactorProof = z
  .strictObject({ code: oneTimeCode.optional(), recoveryCode: recoveryCode.optional() })
  .refine(({ code, recoveryCode: recovery }) => (code === undefined) !== (recovery === undefined), "needs either 'code' or 'recoveryCode'");
export type SecondFactorProof = z.infer<typeof secondFactorProof>;

/** The second step of signing in. */
export const secondFactorSignIn = {
  prove: route({
    method: "POST",
    path: "/auth/second-factor",
    access: "second-factor-token",
    summary: "Finish a sign-in with a code of the authenticator app or a recovery code. Answers as the login does.",
    body: secondFactorProof,
    response: loginAnswer,
    audit: "sign-in",
  }),
};

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) }).meta({ id: "RecoveryCodes" });

const signInMethodsAnswer = z
  .object({
    /** The authenticator app; null where none is set up. */
    authenticator: z.object({ addedMs: z.number(), lastUsedMs: z.number().nullable() }).nullable(),
    /** Recovery codes that were not used yet. */
    recoveryCodesLeft: z.int(),
    /** The portal asks this account for a second factor. */
    required: z.boolean(),
  })
  .meta({ id: "SignInMethods" });
export type SignInMethods = z.infer<typeof signInMethodsAnswer>;

/** How one signs in. Every change needs a sign-in younger than the limit, else 401 with `sign-in-again`. */
export const signInMethods = {
  read: route({
    method: "GET",
    path: "/profile/sign-in-methods",
    access: "signed-in",
    summary: "One's own second factor.",
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
    summary: "Use the authenticator app from now on. Answers new recovery codes, which are shown this once.",
    body: z.strictObject({ code: oneTimeCode }),
    response: recoveryCodes,
    audit: "security",
  }),
  removeAuthenticator: route({
    method: "DELETE",
    path: "/profile/sign-in-methods/authenticator",
    access: "signed-in",
    summary: "Sign in without the authenticator app from now on; its recovery codes go with it.",
    response: z.undefined(),
    audit: "security",
  }),
  renewRecoveryCodes: route({
    method: "POST",
    path: "/profile/sign-in-methods/recovery-codes",
    access: "signed-in",
    summary: "Replace one's recovery codes. The old ones stop working.",
    response: recoveryCodes,
    audit: "security",
  }),
};
