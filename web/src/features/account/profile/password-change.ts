import { auth, type LoginAnswer } from "@fairway/contract/auth";
import type { PasskeyRequest } from "@fairway/contract/passkeys";
import { profile } from "@fairway/contract/profile";
import { passkeySignIn, secondFactorSignIn } from "@fairway/contract/second-factors";
import { call } from "#lib/gateway/call.ts";
import { requestPasskey } from "#lib/session/passkeys.ts";
import { currentSession } from "#lib/session/current-session.ts";

export const changePassword = (password: string): Promise<void> => call(profile.resetPassword, { body: { password } });

/** A pending second step and what it accepts besides a recovery code. */
export interface FreshSignInStep {
  readonly token: string;
  readonly takesCode: boolean;
  readonly passkey: PasskeyRequest | null;
}

/** The outcome of a sign-in step. */
export type FreshSignInOutcome = "signed-in" | "new-password-needed" | FreshSignInStep;

/** Signs in with the current password. The session continues with the new sign-in. */
export const signInFresh = async (username: string, password: string): Promise<FreshSignInOutcome> =>
  toOutcome(await call(auth.login, { body: { username, password } }));

/** The second step: a code of the authenticator app or a recovery code. */
export const proveFresh = async (stepToken: string, typed: string): Promise<FreshSignInOutcome> => {
  const isCode = /^[\d\s]*$/.test(typed);
  return toOutcome(
    await call(secondFactorSignIn.prove, { body: isCode ? { code: typed } : { recoveryCode: typed } }, { token: stepToken }),
  );
};

/** The second step by passkey. Rejects with a PasskeyError when the browser provides none. */
export const proveFreshByPasskey = async (stepToken: string, request: PasskeyRequest): Promise<FreshSignInOutcome> =>
  toOutcome(await call(secondFactorSignIn.prove, { body: { passkey: await requestPasskey(request) } }, { token: stepToken }));

/** Signs in with a passkey instead of password and code. Rejects with a PasskeyError when the browser provides none. */
export async function signInFreshByPasskey(): Promise<FreshSignInOutcome> {
  const passkey = await requestPasskey(await call(passkeySignIn.request, {}));
  return toOutcome(await call(passkeySignIn.prove, { body: { passkey } }));
}

function toOutcome({ requiresPasswordChange, requiresSecondFactor, secondFactors, token }: LoginAnswer): FreshSignInOutcome {
  if (requiresSecondFactor) {
    return { token: token.access_token, takesCode: secondFactors?.code ?? true, passkey: secondFactors?.passkey ?? null };
  }
  return !requiresPasswordChange && currentSession().signIn(token, { leaving: false }) ? "signed-in" : "new-password-needed";
}
