import { auth } from "@fairway/contract/auth";
import { profile } from "@fairway/contract/profile";
import { call } from "#lib/call.ts";
import { GatewayError } from "#lib/gateway-error.ts";
import { currentSession } from "#lib/session/current-session.ts";

/** `sign-in-again`: the gateway wants to see the current password first. Rejects with GatewayError otherwise. */
export async function changePassword(password: string): Promise<"changed" | "sign-in-again"> {
  try {
    await call(profile.resetPassword, { body: { password } });
    return "changed";
  } catch (error) {
    if (error instanceof GatewayError && error.errors[0]?.code === "sign-in-again") return "sign-in-again";
    throw error;
  }
}

/** Proves the current password by a sign-in that this browser goes on with. False where the account needs a new one at its next login. */
export async function signInFresh(username: string, password: string): Promise<boolean> {
  const { requiresPasswordChange, token } = await call(auth.login, { body: { username, password } });
  return !requiresPasswordChange && currentSession().signIn(token, { leaving: false });
}
