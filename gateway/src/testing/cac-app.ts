import type { LoginAnswer } from "@fairway/contract/auth";
import type { z } from "zod";
import { openCac } from "#capabilities/cac/capability.ts";
import { cacSettings } from "#openid/cac-settings.ts";
import type { Capability } from "#http/capability.ts";
import type { SecurityLimits } from "#identity/security-limits.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type CardAuthorization, type TestIssuer, portalOrigin, testClient } from "./card-issuer.ts";
import { type ApiResponse, type CallOptions, type IdentityApp, adasPassword, identityApp, someAccounts } from "./identity-app.ts";

export interface CacApp extends IdentityApp {
  logIn(username?: string, password?: string): Promise<string>;
  cardLogin(authorization: Partial<CardAuthorization>, options?: Pick<CallOptions, "ip">): Promise<ApiResponse<LoginAnswer>>;
  link(
    token: string,
    authorization: CardAuthorization,
    password?: string,
    options?: Pick<CallOptions, "ip">,
  ): Promise<ApiResponse<{ linked: boolean }>>;
  isLinked(token: string): Promise<boolean>;
}

interface Options {
  readonly settings?: Partial<z.input<typeof cacSettings>>;
  readonly limits?: Partial<SecurityLimits>;
  readonly allowed?: readonly string[];
  readonly localUsernames?: readonly string[];
  readonly peer?: IdentityApp;
  /** Further capabilities to serve. */
  readonly capabilities?: readonly Capability[];
}

/** A gateway with accounts and card sign-in through `issuer`, on a real database. */
export async function cacApp(
  issuer: Pick<TestIssuer, "url" | "clientSecret"> | undefined,
  { settings, limits = {}, allowed = ["127.0.0.1"], localUsernames = [], peer, capabilities = [] }: Options = {},
): Promise<CacApp> {
  const lines: string[] = [];
  const app = await identityApp({
    accounts: someAccounts,
    limits,
    localUsernames,
    ...(peer ? { peer } : {}),
    capabilities: ({ identity }) => [
      openCac({
        identity,
        settings:
          issuer &&
          cacSettings.parse({
            clientId: testClient,
            clientSecret: issuer.clientSecret,
            authUrl: `${issuer.url}/auth`,
            issuer: issuer.url,
            ...settings,
          }),
        publicUrl: portalOrigin,
        addresses: new AddressPolicy(allowed),
        log: { warn: (details, message) => void lines.push(JSON.stringify({ ...details, message })) },
      }),
      ...capabilities,
    ],
  });
  return {
    ...app,
    logged: () => app.logged() + lines.join(""),
    async logIn(username = "ada", password = adasPassword) {
      return (await app.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } })).body.token.access_token;
    },
    cardLogin: (body, options) => app.call("POST", "/geoAxis/cacLogin", { body, ...options }),
    link: (token, authorization, password = adasPassword, options = {}) =>
      app.call("POST", "/geoAxis/linkCac", { token, body: { ...authorization, password }, ...options }),
    isLinked: async (token) => (await app.call<{ linked: boolean }>("GET", "/geoAxis/cacStatus", { token })).body.linked,
  };
}
