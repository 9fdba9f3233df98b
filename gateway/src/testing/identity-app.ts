import { randomBytes } from "node:crypto";
import type { ErrorBody } from "@fairway/contract/errors";
import { type Limits, defaultLimits } from "@fairway/contract/limits";
import type { PasswordRules } from "@fairway/contract/passwords";
import { route } from "@fairway/contract/route";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import pino from "pino";
import { expect, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { openApiKeys } from "#capabilities/api-keys/capability.ts";
import type { Reachable } from "#capabilities/api-keys/scope.ts";
import { openAuth } from "#capabilities/auth/capability.ts";
import { ownChanges } from "#capabilities/entities/own-changes.ts";
import { usersRepository } from "#capabilities/entities/users-repository.ts";
import { openProfile } from "#capabilities/profile/capability.ts";
import { openSetup } from "#capabilities/setup/capability.ts";
import { openSignInMethods } from "#capabilities/sign-in-methods/capability.ts";
import { type Capability, implement, serveCapability } from "#http/capability.ts";
import { type DatabaseConnection, connectDatabase } from "#database/connection.ts";
import { type Notifications, openNotifications } from "#database/notifications.ts";
import { installErrorHandler } from "#http/error-handler.ts";
import { type ApiKeyReader, Gatekeeper } from "#http/gatekeeper.ts";
import type { Handlers } from "#http/handlers.ts";
import { readJsonBodies } from "#http/json-body.ts";
import type { AccountsDescription } from "#identity/accounts.ts";
import { CallRates } from "#identity/call-rates.ts";
import { type Identity, openIdentity } from "#identity/identity.ts";
import { type PasswordPolicy, openPasswordPolicy } from "#identity/password-policy.ts";
import { type SecurityLimits, defaultSecurityLimits } from "#identity/security-limits.ts";
import type { SessionProvider } from "#identity/provider-sessions.ts";
import { type MasterKey, masterKeyOf } from "#secrets/master-key.ts";
import { testDatabase } from "./postgres.ts";

/** Routes that return the caller. */
const probe = {
  me: route({
    method: "GET",
    path: "/probe/me",
    access: "signed-in",
    summary: "Who calls.",
    response: z.object({ id: z.string(), username: z.string(), roles: z.array(z.string()) }),
  }),
  admins: route({
    method: "GET",
    path: "/probe/admins",
    access: { role: "admin" },
    summary: "For administrators.",
    response: z.undefined(),
  }),
};

const probeHandlers: Handlers<typeof probe> = {
  me: ({ user }) => ({ id: user.id, username: user.username, roles: [...user.roles] }),
  admins: () => undefined,
};

export interface ApiResponse<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, unknown>;
}

export interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
  /** The client's address; a documentation address by default. */
  readonly ip?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A gateway with accounts and API keys only, on a real database. */
export interface IdentityApp {
  readonly database: DatabaseConnection;
  readonly identity: Identity;
  readonly app: FastifyInstance;
  readonly masterKey: MasterKey;
  readonly apiKeyReader: ApiKeyReader;
  /** Shared with peers by calls of `settle` only, so that tests decide when. */
  readonly callRates: CallRates;
  /** Everything logged so far, at every level. */
  readonly logged: () => string;
  call<Body = ErrorBody>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, options?: CallOptions): Promise<ApiResponse<Body>>;
  /** The status of a call that any signed-in user may make: 200 or 401. */
  statusOf(token: string): Promise<number>;
}

export const adasPassword = "correct horse";

/** Another reader, for tests of what people share. */
export const alansAccount = {
  username: "alan",
  password: "imitation game",
  firstName: "Alan",
  lastName: "Turing",
  email: "alan@example.org",
  groups: [],
  roles: ["reader"],
};

/** `ada` is a reader through her group and an editor directly; `grace` has no role. */
export const someAccounts: AccountsDescription = {
  roles: ["reader", "editor", "admin"],
  groups: [{ name: "readers", roles: ["reader"] }],
  users: [
    {
      username: "ada",
      password: adasPassword,
      firstName: "Ada",
      lastName: "Lovelace",
      email: "ada@example.org",
      groups: ["readers"],
      roles: ["editor"],
    },
    { username: "grace", password: "nanoseconds", firstName: "Grace", lastName: "Hopper", email: "grace@example.org", groups: [] },
  ],
};

/** An administrator, for tests that add one to `someAccounts`. */
export const rootsAccount = {
  username: "root",
  password: "turtles all the way",
  firstName: "Ruth",
  lastName: "Root",
  email: "root@example.org",
  groups: [],
  roles: ["admin"],
};

interface Options {
  readonly limits?: Partial<SecurityLimits & Limits>;
  readonly accounts?: AccountsDescription;
  readonly localUsernames?: readonly string[];
  readonly secondFactorForAdministrators?: boolean;
  readonly publicUrl?: string;
  readonly passwordRules?: PasswordRules;
  readonly provider?: SessionProvider | undefined;
  /** Opens a second gateway on the database of this one. */
  readonly peer?: IdentityApp;
  /** Access that API keys can be created with. Default: anything. */
  readonly reachable?: Reachable;
  /** Registers the function that closes the app. Default: `onTestFinished`. */
  readonly onClose?: OnClose;
  /** Registers a HEAD route for each GET route, as the product does; most tests save the time. */
  readonly headRoutes?: boolean;
  /** Opens further capabilities to serve. */
  readonly capabilities?: (parts: CapabilityParts) => readonly Capability[] | Promise<readonly Capability[]>;
}

/** The parts that a test can build its capabilities from. */
export interface CapabilityParts {
  readonly database: DatabaseConnection;
  readonly db: DatabaseConnection["db"];
  readonly masterKey: MasterKey;
  readonly identity: Identity;
  readonly passwordPolicy: PasswordPolicy;
  readonly notifications: Notifications;
  readonly log: FastifyBaseLogger;
}

const always = () => Promise.resolve(true);
const everything: Reachable = { dataset: always, fileset: always, ecosystem: always };

export type OnClose = (close: () => Promise<void>) => void;

export async function identityApp({
  limits = {},
  accounts,
  localUsernames = [],
  secondFactorForAdministrators = false,
  publicUrl,
  passwordRules = "specification",
  provider,
  peer,
  reachable = everything,
  onClose = onTestFinished,
  headRoutes = false,
  capabilities = () => [],
}: Options = {}): Promise<IdentityApp> {
  const { database, closeDatabase } = await openDatabase(peer);
  const publicLimits = { ...defaultLimits, ...limits };
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const notifications = await openNotifications(database.url, log);
  const masterKey = peer?.masterKey ?? masterKeyOf(randomBytes(32));
  const passwordPolicy = await openPasswordPolicy({
    rules: passwordRules,
    minCharacters: publicLimits.passwordMinCharacters,
    portalTitle: async () => "Harbour Office",
  });
  const callRates = new CallRates(database.db);
  const identity = await openIdentity({
    database,
    callRates,
    masterKey,
    notifications,
    passwordPolicy,
    securityLimits: { ...defaultSecurityLimits, ...limits },
    localUsernames,
    secondFactorForAdministrators,
    publicUrl,
    provider,
    log,
  });
  if (accounts) await identity.ensureAccounts(accounts);
  const fastifyLog: FastifyBaseLogger = log;
  const app = Fastify({ loggerInstance: fastifyLog, routerOptions: { maxParamLength: 1_000 }, exposeHeadRoutes: headRoutes });
  app.decorateRequest("signedIn", undefined);
  installErrorHandler(app);
  readJsonBodies(app);
  const { db } = database;
  const keyLimits = { limits: publicLimits, securityLimits: { ...defaultSecurityLimits, ...limits } };
  const apiKeys = await openApiKeys({ db, masterKey, identity, notifications, callRates, reachable, ...keyLimits, log });
  const users = usersRepository({ identity, passwordPolicy });
  const all: Capability[] = [
    openAuth({ identity }),
    openSignInMethods({ identity }),
    openProfile({ identity, recordOwnChange: ownChanges({ db, users, ...defaultSecurityLimits }) }),
    openSetup({ identity }),
    apiKeys,
    { routes: { probe: implement(probe, probeHandlers) } },
    ...(await capabilities({ database, db, masterKey, identity, passwordPolicy, notifications, log: fastifyLog })),
  ];
  for (const capability of all) capability.install?.(app);
  const gatekeeper = new Gatekeeper(identity.tokens, apiKeys.reader, callRates.rate("user calls", publicLimits.userCallsPerMinute));
  for (const capability of all) serveCapability(app, gatekeeper, capability);
  onClose(async () => {
    await app.close();
    for (const capability of all.toReversed()) await capability.close?.();
    await identity.close();
    await notifications.close();
    await closeDatabase();
  });

  const call: IdentityApp["call"] = async (method, path, { token, body, ip, headers = {} } = {}) => {
    const response = await app.inject({
      method,
      url: path,
      remoteAddress: ip ?? "192.0.2.1",
      headers: {
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const text = response.body;
    return { status: response.statusCode, body: text === "" ? undefined : JSON.parse(text), headers: response.headers };
  };
  return {
    database,
    identity,
    app,
    masterKey,
    apiKeyReader: apiKeys.reader,
    callRates,
    logged: () => lines.join(""),
    call,
    statusOf: async (token) => (await call("GET", "/probe/me", { token })).status,
  };
}

/** Resolves once `count` connections are waiting for a database lock. */
export async function untilWaiting({ database }: IdentityApp, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rowCount } = await database.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rowCount).toBe(count);
  }, 10_000);
}

/** A new database, or a second connection to the peer's. */
async function openDatabase(peer: IdentityApp | undefined): Promise<{ database: DatabaseConnection; closeDatabase: () => Promise<void> }> {
  if (peer) {
    const database = connectDatabase(peer.database.url, { maxConnections: 5 });
    return { database, closeDatabase: () => database.close() };
  }
  const database = await testDatabase();
  return { database, closeDatabase: () => database.drop() };
}
