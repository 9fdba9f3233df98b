import type { LoginAnswer } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import type { OidcRequest } from "@fairway/contract/oidc";
import { expect } from "vitest";
import type { z } from "zod";
import { openOidc } from "#capabilities/oidc/capability.ts";
import type { Capability } from "#http/capability.ts";
import { readConfig } from "#config/config.ts";
import type { SecurityLimits } from "#identity/security-limits.ts";
import type { oidcDetails } from "#openid/oidc-settings.ts";
import { OpenIdProvider } from "#openid/provider.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { administrationOf } from "./administration-app.ts";
import { portalOrigin } from "./card-issuer.ts";
import { type ApiResponse, type CallOptions, type IdentityApp, identityApp, rootsAccount, someAccounts } from "./identity-app.ts";
import type { TestProvider } from "./identity-provider.ts";

/** A response of the provider, as the browser sends it to the portal. */
export interface ProviderReturn {
  readonly request: string;
  readonly code: string;
  readonly state: string;
  readonly iss?: string;
}

export interface OidcApp extends IdentityApp {
  /** Starts a sign-in. */
  request(body?: { again?: boolean }): Promise<OidcRequest>;
  /** Starts a sign-in and signs in at the provider. `browser`: its cookies. */
  returnOf(subject: string, options?: { again?: boolean; browser?: Map<string, string> }): Promise<ProviderReturn>;
  providerLogin(body: Partial<ProviderReturn>, options?: Pick<CallOptions, "ip">): Promise<ApiResponse<LoginAnswer & ErrorBody>>;
  /** Signs in as a person and returns the tokens. */
  signInAs(subject: string): Promise<LoginAnswer["token"]>;
  rolesOf(token: string): Promise<string[]>;
}

interface Options {
  /** Overrides the variables of the environment; undefined removes one. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The part `oidc` of the settings file. */
  readonly details?: z.input<typeof oidcDetails>;
  readonly limits?: Partial<SecurityLimits>;
  readonly peer?: IdentityApp;
  readonly localUsernames?: readonly string[];
  readonly allowed?: readonly string[];
  /** Timeout of a call to the provider. */
  readonly timeoutMs?: number;
  readonly capabilities?: readonly Capability[];
  /** Whether it has the administration of entities. */
  readonly administration?: boolean;
}

/** A gateway with accounts and sign-in at a provider, on a real database. Provider and gateway are configured as by an operator. */
export async function oidcApp(
  provider: Pick<TestProvider, "url" | "clientId" | "clientSecret" | "signIn"> | undefined,
  {
    environment = {},
    details = {},
    limits = {},
    peer,
    localUsernames = [],
    allowed = ["127.0.0.1"],
    timeoutMs,
    capabilities = [],
    administration = false,
  }: Options = {},
): Promise<OidcApp> {
  const lines: string[] = [];
  const { oidc: settings } = readConfig(
    provider
      ? {
          OIDC_ISSUER: provider.url,
          OIDC_CLIENT_ID: provider.clientId,
          OIDC_CLIENT_SECRET: provider.clientSecret,
          OIDC_DISPLAY_NAME: "Harbour ID",
          FAIRWAY_SETTINGS: JSON.stringify({ oidc: details }),
          ...environment,
        }
      : {},
    { demo: false },
  );
  const log = { warn: (details: object, message: string) => void lines.push(JSON.stringify({ ...details, message })) };
  const openIdProvider =
    settings &&
    new OpenIdProvider({ settings, policy: new AddressPolicy(allowed), log, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const app = await identityApp({
    accounts: { ...someAccounts, users: [...someAccounts.users, rootsAccount] },
    limits,
    localUsernames,
    provider: openIdProvider,
    ...(peer ? { peer } : {}),
    capabilities: (parts) => [
      openOidc({ ...parts, provider: openIdProvider, publicUrl: portalOrigin }),
      ...(administration ? [administrationOf(parts)] : []),
      ...capabilities,
    ],
  });
  const oidc: OidcApp = {
    ...app,
    logged: () => app.logged() + lines.join(""),
    async request(body = {}) {
      const { status, body: answer } = await app.call<OidcRequest>("POST", "/oidc/requests", { body });
      expect(status).toBe(200);
      return answer;
    },
    async returnOf(subject, { again = false, browser } = {}) {
      const { address, request } = await oidc.request({ again });
      const redirect = await provider?.signIn(address, subject, browser);
      const { code, state, iss } = Object.fromEntries(redirect?.searchParams ?? []);
      return { request, code: code ?? "", state: state ?? "", ...(iss === undefined ? {} : { iss }) };
    },
    providerLogin: (body, options) => app.call("POST", "/oidc/login", { body, ...options }),
    async signInAs(subject) {
      const { status, body } = await oidc.providerLogin(await oidc.returnOf(subject));
      expect(body.errors).toBeUndefined();
      expect(status).toBe(200);
      return body.token;
    },
    rolesOf: async (token) => (await app.call<{ roles: string[] }>("GET", "/probe/me", { token })).body.roles,
  };
  return oidc;
}
