import type { LoginAnswer } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import type { PasswordRules } from "@fairway/contract/passwords";
import { type Entities, openEntities } from "#capabilities/entities/capability.ts";
import type { WarningParts } from "#capabilities/entities/warnings.ts";
import type { AccountsDescription } from "#identity/accounts.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { JoltRunner } from "#jolt/runner.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type ApiResponse, type CapabilityParts, type IdentityApp, type OnClose, identityApp } from "./identity-app.ts";

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

/** A gateway with accounts and entities, on a real database. */
export interface AdministrationApp {
  /** The roles an API key currently has; undefined if the key is not valid. */
  readonly rolesOfKey: (value: string) => Promise<readonly string[] | undefined>;
  readonly gateway: IdentityApp;
  /** Access tokens. */
  readonly root: string;
  readonly ada: string;
  /** Calls the administration API as `root`. */
  readonly admin: <Body = ErrorBody>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown) => Promise<ApiResponse<Body>>;
  readonly signIn: (username: string, password: string) => Promise<ApiResponse<LoginAnswer>>;
}

interface Options {
  readonly passwordRules?: PasswordRules;
  readonly passwordMinCharacters?: number;
  readonly changeWaitMs?: number;
  /** Registers the function that closes the app. Default: `onTestFinished`. */
  readonly onClose?: OnClose;
}

interface EntityOptions extends Pick<Options, "changeWaitMs"> {
  readonly giveAll?: Parameters<typeof openEntities>[0]["giveAll"];
}

/** The administration of entities, accounts among them. */
export const administrationOf = (
  { database, identity, masterKey, passwordPolicy, log }: CapabilityParts,
  warnings: Partial<WarningParts> = {},
  { giveAll = () => Promise.reject(new Error("nobody owns anything here")), ...waits }: EntityOptions = {},
): Entities =>
  openEntities({
    ...waits,
    giveAll,
    database,
    identity,
    passwordPolicy,
    key: masterKey,
    onChanged: () => undefined,
    addresses: new AddressPolicy([]),
    warnings: { data: () => [], derived: () => [], rules: () => [], keystore: () => [], bucket: () => [], ...warnings },
    jolt: new JoltRunner(),
    limits: defaultSecurityLimits,
    log,
  });

/** With `peer`, a second gateway on the same database. `warnings` replaces checks, which warn of nothing by default. */
export async function administrationApp(
  peer?: AdministrationApp,
  warnings: Partial<WarningParts> = {},
  { passwordRules = "specification", passwordMinCharacters = 3, onClose, ...waits }: Options = {},
): Promise<AdministrationApp> {
  const gateway = await identityApp({
    ...(peer ? { peer: peer.gateway } : { accounts }),
    limits: { loginAttemptsPerMinute: 10_000, passwordMinCharacters },
    passwordRules,
    ...(onClose && { onClose }),
    capabilities: (parts) => [administrationOf(parts, warnings, waits)],
  });
  const signIn: AdministrationApp["signIn"] = (username, password) => gateway.call("POST", "/auth/login", { body: { username, password } });
  const root = peer?.root ?? (await signIn("root", rootsPassword)).body.token.access_token;
  const ada = peer?.ada ?? (await signIn("ada", "correct horse")).body.token.access_token;
  return {
    gateway,
    rolesOfKey: async (value) => (await gateway.apiKeyReader.readApiKey(value))?.roles,
    root,
    ada,
    signIn,
    admin: (method, path, body) => gateway.call(method, `/admin/${path}`, { token: root, ...(body === undefined ? {} : { body }) }),
  };
}
