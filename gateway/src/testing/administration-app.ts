import { userAdministration } from "@fairway/contract/accounts";
import { type AdministeredType, administration } from "@fairway/contract/administration";
import { apiKeys } from "@fairway/contract/api-keys";
import type { LoginAnswer } from "@fairway/contract/auth";
import type { EntityRoutes } from "@fairway/contract/entities";
import type { ErrorBody } from "@fairway/contract/errors";
import type { PasswordRules } from "@fairway/contract/passwords";
import type { ApiKeyCallers } from "#capabilities/api-keys/callers.ts";
import { apiKeyRoutes } from "#capabilities/api-keys/routes.ts";
import { openAdministration } from "#capabilities/entities/open.ts";
import { entityHandlers } from "#capabilities/entities/routes.ts";
import { userAdministrationRoutes } from "#capabilities/entities/user-routes.ts";
import type { WarningParts } from "#capabilities/entities/warnings.ts";
import { defaultLimits } from "@fairway/contract/limits";
import { serve } from "#http/serve.ts";
import type { AccountsDescription } from "#identity/accounts.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { JoltRunner } from "#jolt/runner.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type Answer, type IdentityApp, identityApp } from "./identity-app.ts";

export const rootsPassword = "turtles all the way";

/** `root` administers through the group Administrators; `ada` reads. */
const accounts: AccountsDescription = {
  roles: ["admin", "reader", "editor"],
  groups: [
    { name: "Administrators", roles: ["admin"] },
    { name: "Readers", roles: ["reader"] },
  ],
  users: [
    {
      username: "root",
      password: rootsPassword,
      firstName: "Ruth",
      lastName: "Root",
      email: "root@example.org",
      groups: ["Administrators"],
    },
    { username: "ada", password: "correct horse", firstName: "Ada", lastName: "Lovelace", email: "ada@example.org", groups: ["Readers"] },
  ],
};

/** Accounts and everything that administrators keep, on a real database. */
export interface AdministrationApp {
  /** Whether an API key still opens something, with its owner's roles. */
  readonly rolesOfKey: (value: string) => Promise<readonly string[] | undefined>;
  readonly gateway: IdentityApp;
  /** Tokens. */
  readonly root: string;
  readonly ada: string;
  /** As the administrator. */
  readonly admin: <Body = ErrorBody>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown) => Promise<Answer<Body>>;
  readonly signIn: (username: string, password: string) => Promise<Answer<LoginAnswer>>;
}

interface Options {
  readonly passwordRules?: PasswordRules;
  readonly passwordMinCharacters?: number;
}

/** `beside` makes it a second gateway on the same database. `warnings`: checks in place of none. */
export async function administrationApp(
  beside?: AdministrationApp,
  warnings: Partial<WarningParts> = {},
  { passwordRules = "specification", passwordMinCharacters = 3 }: Options = {},
): Promise<AdministrationApp> {
  let keys: ApiKeyCallers | undefined;
  const gateway = await identityApp({
    ...(beside ? { beside: beside.gateway } : { accounts }),
    limits: { loginAttemptsPerMinute: 10_000, passwordMinCharacters },
    passwordRules,
    more: (app, gatekeeper, { db }, { masterKey, identity, passwordPolicy, callers }) => {
      const things = openAdministration({
        db,
        identity,
        passwordPolicy,
        ...defaultSecurityLimits,
        stored: { key: masterKey, heard: () => undefined },
        addresses: new AddressPolicy([]),
        warnings: { data: () => [], keystore: () => [], ...warnings },
        jolt: new JoltRunner(),
      });
      keys = callers;
      const anything = () => Promise.resolve(true);
      const reachable = { dataset: anything, fileset: anything, ecosystem: anything };
      serve(app, gatekeeper, apiKeys, apiKeyRoutes({ db, masterKey, callers, identity, reachable, limits: defaultLimits }));
      serve(app, gatekeeper, userAdministration, userAdministrationRoutes({ db, identity, users: things.users }));
      for (const [type, routes] of Object.entries(administration)) {
        serve<EntityRoutes>(app, gatekeeper, routes, entityHandlers(things[type as AdministeredType]));
      }
    },
  });
  const signIn: AdministrationApp["signIn"] = (username, password) => gateway.call("POST", "/auth/login", { body: { username, password } });
  const root = beside?.root ?? (await signIn("root", rootsPassword)).body.token.access_token;
  const ada = beside?.ada ?? (await signIn("ada", "correct horse")).body.token.access_token;
  return {
    gateway,
    rolesOfKey: async (value) => (await keys?.readApiKey(value))?.roles,
    root,
    ada,
    signIn,
    admin: (method, path, body) => gateway.call(method, `/admin/${path}`, { token: root, ...(body === undefined ? {} : { body }) }),
  };
}
