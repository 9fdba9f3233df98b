import type { LoginAnswer, TokenWrapper } from "@fairway/contract/auth";
import { type IdentityApp, adasPassword } from "./identity-app.ts";

/** The tokens of a new session. */
export async function tokensOf(gateway: Pick<IdentityApp, "call">, username = "ada", password = adasPassword): Promise<TokenWrapper> {
  return (await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } })).body.token;
}

/** The access token of a new session. */
export const accessTokenOf = async (gateway: Pick<IdentityApp, "call">, username: string, password: string): Promise<string> =>
  (await tokensOf(gateway, username, password)).access_token;

/** Clients of Ada and Grace (see `someAccounts`), created by `clientOf` from their tokens. */
export async function adaAndGrace<Client>(
  gateway: Pick<IdentityApp, "call">,
  clientOf: (token: string, username: string) => Client,
): Promise<{ ada: Client; grace: Client }> {
  return {
    ada: clientOf(await accessTokenOf(gateway, "ada", adasPassword), "ada"),
    grace: clientOf(await accessTokenOf(gateway, "grace", "nanoseconds"), "grace"),
  };
}
