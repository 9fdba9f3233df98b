import { randomBytes } from "node:crypto";
import { auth, setup } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import { type Limits, defaultLimits } from "@fairway/contract/limits";
import type { PasswordRules } from "@fairway/contract/passwords";
import { profile } from "@fairway/contract/profile";
import { route } from "@fairway/contract/route";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { passkeySignIn, secondFactorSignIn, signInMethods } from "@fairway/contract/second-factors";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import pino from "pino";
import { expect, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { type ApiKeyCallers, openApiKeyCallers } from "#capabilities/api-keys/callers.ts";
import { authRoutes } from "#capabilities/auth.ts";
import { ownChanges } from "#capabilities/entities/own-changes.ts";
import { usersKeeper } from "#capabilities/entities/users-keeper.ts";
import { profileRoutes, securityEventRoutes } from "#capabilities/profile.ts";
import { passkeySignInRoutes, secondFactorRoutes, signInMethodRoutes } from "#capabilities/sign-in-methods.ts";
import { setupRoutes } from "#capabilities/setup.ts";
import { type DatabaseConnection, connectDatabase } from "#database/connection.ts";
import { type Notifications, openNotifications } from "#database/notifications.ts";
import { installErrorHandler } from "#http/error-handler.ts";
import { Gatekeeper } from "#http/gatekeeper.ts";
import { serve } from "#http/serve.ts";
import type { AccountsDescription } from "#identity/accounts.ts";
import { CallRate } from "#identity/call-rate.ts";
import { type Identity, openIdentity } from "#identity/identity.ts";
import { type PasswordPolicy, openPasswordPolicy } from "#identity/password-policy.ts";
import { type SecurityLimits, defaultSecurityLimits } from "#identity/security-limits.ts";
import { type MasterKey, masterKeyOf } from "#master-key.ts";
import { testDatabaseForOneTest } from "./postgres.ts";

/** Routes that only tell who calls. */
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

export interface Answer<Body> {
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

/** A gateway of accounts alone, on a real database. */
export interface IdentityApp {
  readonly database: DatabaseConnection;
  readonly identity: Identity;
  readonly app: FastifyInstance;
  readonly masterKey: MasterKey;
  /** Everything logged so far, at every level. */
  readonly logged: () => string;
  call<Body = ErrorBody>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, options?: CallOptions): Promise<Answer<Body>>;
  /** The status of a call that any signed-in user may make: 200 or 401. */
  statusOf(token: string): Promise<number>;
}

export const adasPassword = "correct horse";

/** `ada` is a reader through her group and an editor herself; `grace` has no role. */
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

interface Options {
  readonly limits?: Partial<SecurityLimits & Limits>;
  readonly accessTokenSeconds?: number;
  readonly accounts?: AccountsDescription;
  readonly localUsernames?: readonly string[];
  readonly secondFactorForAdministrators?: boolean;
  readonly publicUrl?: string;
  readonly passwordRules?: PasswordRules;
  /** Makes this one a second gateway on the same database. */
  readonly beside?: IdentityApp;
  /** Looks on: is called before any route is registered. */
  readonly before?: (app: FastifyInstance, database: DatabaseConnection) => void | Promise<void>;
  /** Registers more routes. */
  readonly more?: (
    app: FastifyInstance,
    gatekeeper: Gatekeeper,
    database: DatabaseConnection,
    parts: {
      masterKey: MasterKey;
      callers: ApiKeyCallers;
      identity: Identity;
      passwordPolicy: PasswordPolicy;
      notifications: Notifications;
      log: FastifyBaseLogger;
    },
  ) => void;
}

/** Closed when the test has finished. */
export async function identityApp({
  limits = {},
  accessTokenSeconds = 1_800,
  accounts,
  localUsernames = [],
  secondFactorForAdministrators = false,
  publicUrl,
  passwordRules = "specification",
  beside,
  before,
  more,
}: Options = {}): Promise<IdentityApp> {
  const database = beside ? secondConnection(beside.database) : await testDatabaseForOneTest();
  const publicLimits = { ...defaultLimits, ...limits };
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const notifications = await openNotifications(database.url, log);
  const masterKey = beside?.masterKey ?? masterKeyOf(randomBytes(32));
  const passwordPolicy = await openPasswordPolicy({
    rules: passwordRules,
    minCharacters: publicLimits.passwordMinCharacters,
    portalTitle: async () => "Harbour Office",
  });
  const identity = await openIdentity({
    database,
    masterKey,
    notifications,
    passwordPolicy,
    securityLimits: { ...defaultSecurityLimits, ...limits },
    accessTokenSeconds,
    localUsernames,
    secondFactorForAdministrators,
    publicUrl,
    log,
  });
  if (accounts) await identity.ensureAccounts(accounts);
  const fastifyLog: FastifyBaseLogger = log;
  const app = Fastify({ loggerInstance: fastifyLog, routerOptions: { maxParamLength: 1_000 } });
  app.decorateRequest("signedIn", undefined);
  installErrorHandler(app);
  await before?.(app, database);
  const callers = await openApiKeyCallers({ db: database.db, masterKey, identity, notifications, limits: publicLimits, log });
  const gatekeeper = new Gatekeeper(identity.tokens, callers, new CallRate(publicLimits.userCallsPerMinute));
  serve(app, gatekeeper, auth, authRoutes(identity));
  const keeper = usersKeeper({ identity, passwordPolicy });
  const noteOwnChange = ownChanges({ db: database.db, keeper, ...defaultSecurityLimits });
  serve(app, gatekeeper, profile, profileRoutes({ identity, noteOwnChange }));
  serve(app, gatekeeper, ownSecurityEvents, securityEventRoutes({ identity }));
  serve(app, gatekeeper, secondFactorSignIn, secondFactorRoutes(identity));
  serve(app, gatekeeper, passkeySignIn, passkeySignInRoutes(identity));
  serve(app, gatekeeper, signInMethods, signInMethodRoutes(identity));
  serve(app, gatekeeper, setup, setupRoutes(identity));
  serve(app, gatekeeper, probe, {
    me: ({ user }) => ({ id: user.id, username: user.username, roles: [...user.roles] }),
    admins: () => undefined,
  });
  more?.(app, gatekeeper, database, { masterKey, callers, identity, passwordPolicy, notifications, log: fastifyLog });
  onTestFinished(async () => {
    await app.close();
    await identity.close();
    await notifications.close();
    if (beside) await database.close();
  });

  const call: IdentityApp["call"] = async (method, path, { token, body, ip, headers = {} } = {}) => {
    const answer = await app.inject({
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
    const text = answer.body;
    return { status: answer.statusCode, body: text === "" ? undefined : JSON.parse(text), headers: answer.headers };
  };
  return {
    database,
    identity,
    app,
    masterKey,
    logged: () => lines.join(""),
    call,
    statusOf: async (token) => (await call("GET", "/probe/me", { token })).status,
  };
}

/** Resolves once `count` connections wait for a lock of the database. */
export async function untilWaiting({ database }: IdentityApp, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rowCount } = await database.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rowCount).toBe(count);
  }, 10_000);
}

const secondConnection = ({ url }: DatabaseConnection) => connectDatabase(url, { maxConnections: 5 });
