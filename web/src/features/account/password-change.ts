import { auth, type LoginAnswer } from "@fairway/contract/auth";
import { profile } from "@fairway/contract/profile";
import { secondFactorSignIn } from "@fairway/contract/second-factors";
import { call } from "#lib/call.ts";
import { currentSession } from "#lib/session/current-session.ts";

export const changePassword = (password: string): Promise<void> => call(profile.resetPassword, { body: { password } });

/** What came of proving who one is: a second step may be left, with its token. */
export type FreshSignInOutcome = "signed-in" | "new-password-needed" | { readonly stepToken: string };

/** Proves the current password by a sign-in that this browser goes on with. */
export const signInFresh = async (username: string, password: string): Promise<FreshSignInOutcome> =>
  goOn(await call(auth.login, { body: { username, password } }));

/** The second step: a code of the authenticator app, or a recovery code in its place. */
export const proveFresh = async (stepToken: string, typed: string): Promise<FreshSignInOutcome> => {
  const isCode = /^[\d\s]*$/.test(typed);
  return goOn(await call(secondFactorSignIn.prove, { body: isCode ? { code: typed } : { recoveryCode: typed } }, { token: stepToken }));
};

function goOn({ requiresPasswordChange, requiresSecondFactor, token }: LoginAnswer): FreshSignInOutcome {
  if (requiresSecondFactor) return { stepToken: token.access_token };
  return !requiresPasswordChange && currentSession().signIn(token, { leaving: false }) ? "signed-in" : "new-password-needed";
}
