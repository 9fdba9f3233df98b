import type { LoginAnswer, TokenWrapper } from "@fairway/contract/auth";
import { type IdentityApp, adasPassword } from "./identity-app.ts";

/** The tokens of a new session. */
export async function tokensOf(gateway: Pick<IdentityApp, "call">, username = "ada", password = adasPassword): Promise<TokenWrapper> {
  return (await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } })).body.token;
}

/** The access token of a new session. */
export const accessTokenOf = async (gateway: Pick<IdentityApp, "call">, username: string, password: string): Promise<string> =>
  (await tokensOf(gateway, username, password)).access_token;

/** The calls of Ada and Grace, see `someAccounts`, as `callsOf` makes them of a token. */
export async function adaAndGrace<Calls>(
  gateway: Pick<IdentityApp, "call">,
  callsOf: (token: string, username: string) => Calls,
): Promise<{ ada: Calls; grace: Calls }> {
  return {
    ada: callsOf(await accessTokenOf(gateway, "ada", adasPassword), "ada"),
    grace: callsOf(await accessTokenOf(gateway, "grace", "nanoseconds"), "grace"),
  };
}
