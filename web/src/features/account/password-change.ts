import { auth, type LoginAnswer } from "@fairway/contract/auth";
import type { PasskeyRequest } from "@fairway/contract/passkeys";
import { profile } from "@fairway/contract/profile";
import { passkeySignIn, secondFactorSignIn } from "@fairway/contract/second-factors";
import { call } from "#lib/call.ts";
import { requestPasskey } from "#lib/passkeys.ts";
import { currentSession } from "#lib/session/current-session.ts";

export const changePassword = (password: string): Promise<void> => call(profile.resetPassword, { body: { password } });

/** A second step that is left, and what it takes besides a recovery code. */
export interface FreshSignInStep {
  readonly token: string;
  readonly takesCode: boolean;
  readonly passkey: PasskeyRequest | null;
}

/** What came of proving who one is. */
export type FreshSignInOutcome = "signed-in" | "new-password-needed" | FreshSignInStep;

/** Proves the current password by a sign-in that this browser goes on with. */
export const signInFresh = async (username: string, password: string): Promise<FreshSignInOutcome> =>
  goOn(await call(auth.login, { body: { username, password } }));

/** The second step: a code of the authenticator app, or a recovery code in its place. */
export const proveFresh = async (stepToken: string, typed: string): Promise<FreshSignInOutcome> => {
  const isCode = /^[\d\s]*$/.test(typed);
  return goOn(await call(secondFactorSignIn.prove, { body: isCode ? { code: typed } : { recoveryCode: typed } }, { token: stepToken }));
};

/** The second step by passkey. Rejects with a PasskeyError where the browser gives none. */
export const proveFreshByPasskey = async (stepToken: string, request: PasskeyRequest): Promise<FreshSignInOutcome> =>
  goOn(await call(secondFactorSignIn.prove, { body: { passkey: await requestPasskey(request) } }, { token: stepToken }));

/** A passkey in the place of password and code. Rejects with a PasskeyError where the browser gives none. */
export async function signInFreshByPasskey(): Promise<FreshSignInOutcome> {
  const passkey = await requestPasskey(await call(passkeySignIn.request, {}));
  return goOn(await call(passkeySignIn.prove, { body: { passkey } }));
}

function goOn({ requiresPasswordChange, requiresSecondFactor, secondFactors, token }: LoginAnswer): FreshSignInOutcome {
  if (requiresSecondFactor) {
    return { token: token.access_token, takesCode: secondFactors?.code ?? true, passkey: secondFactors?.passkey ?? null };
  }
  return !requiresPasswordChange && currentSession().signIn(token, { leaving: false }) ? "signed-in" : "new-password-needed";
}
