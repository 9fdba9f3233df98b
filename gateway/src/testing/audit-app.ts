import type { AuditPage } from "@fairway/contract/audit";
import { route } from "@fairway/contract/route";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { CallFacts } from "#capabilities/audit/audited-call.ts";
import { type Auditing, openAuditing } from "#capabilities/audit/capability.ts";
import type { AuditLog, AuditOptions } from "#capabilities/audit/service.ts";
import { installCallers } from "#http/callers.ts";
import { implement } from "#http/capability.ts";
import type { DatabaseConnection } from "#database/connection.ts";
import { findByUsername } from "#identity/accounts.ts";
import { Refusal } from "#http/refusal.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { noteDenied } from "#turns/caller.ts";
import { type IdentityApp, type OnClose, adasPassword, identityApp, rootsAccount, someAccounts } from "./identity-app.ts";
import { accessTokenOf } from "./signed-in.ts";

const thing = z.object({ id: z.string() });

const things = {
  read: route({
    method: "GET",
    path: "/things/:id",
    access: "signed-in",
    summary: "A thing.",
    params: thing,
    response: thing,
  }),
  open: route({
    method: "GET",
    path: "/things/:id/signed/:signature",
    access: "signed-in",
    summary: "A thing for who holds its signature.",
    params: thing.extend({ signature: z.string() }),
    hiddenParams: ["signature"],
    response: thing,
  }),
  wait: route({ method: "GET", path: "/waiting", access: "signed-in", summary: "Answers nobody.", response: z.undefined() }),
};

/** Of which callers are denied something. */
const deniedThings: Readonly<Record<string, readonly string[]>> = {
  secret: ["dataset", "column salary"],
  "secret-many": ["dataset", "no rows", "column a", "column b", "column c", "column d"],
  empty: ["no rows", "dataset"],
};

/** An audit log on a database, with access to its log and metric. */
export interface TestAudit {
  readonly audit: AuditLog;
  /** Records the calls of the app that serves it. */
  readonly capability: Auditing;
  readonly logged: () => string;
  /** Number of dropped calls, as counted by the metric. */
  readonly dropped: () => number;
}

/** Stores calls on `flush` only, unless `limits` sets an interval. Closed when the test has finished, or by `onClose`. */
export async function testAudit(
  database: Pick<DatabaseConnection, "db" | "longRunning">,
  limits: Partial<AuditOptions["limits"]> = {},
  onClose: OnClose = onTestFinished,
): Promise<TestAudit> {
  const lines: string[] = [];
  let dropped = 0;
  const capability = await openAuditing({
    database,
    findUser: (username) => findByUsername(database.db, username),
    limits: { ...defaultSecurityLimits, auditIntervalMs: 2 ** 31 - 1, ...limits },
    metrics: { counter: () => ({ increment: (by = 1) => (dropped += by) }) },
    log: pino({ level: "trace" }, { write: (line: string) => void lines.push(line) }),
  });
  const { audit } = capability;
  onClose(() => audit.close());
  return { audit, capability, logged: () => lines.join(""), dropped: () => dropped };
}

/** A gateway with accounts, an audit log and calls to record, on a real database. `root` is an administrator. */
export interface AuditApp extends TestAudit {
  readonly gateway: IdentityApp;
  /** Access tokens. */
  readonly root: string;
  readonly ada: string;
  /** Flushes the recorder and reads `path` as the administrator. */
  readonly read: <Body = AuditPage>(path: string) => Promise<Body>;
}

export async function auditApp(limits: Partial<AuditOptions["limits"]> = {}): Promise<AuditApp> {
  let test: TestAudit | undefined;
  const opened = () => {
    if (!test) throw new Error("the audit log is not open yet");
    return test;
  };
  const gateway = await identityApp({
    accounts: { ...someAccounts, users: [...someAccounts.users, rootsAccount] },
    capabilities: async ({ database }) => {
      test = await testAudit(database, limits);
      const handlers = {
        read: ({ params }: { params: { id: string } }) => {
          for (const what of deniedThings[params.id] ?? []) noteDenied(what);
          if (params.id.startsWith("secret")) throw new Refusal("not-found", "There is no such thing.");
          return params;
        },
        open: ({ params }: { params: { id: string } }) => params,
        wait: () => new Promise<undefined>(() => undefined),
      };
      const callers = { install: (app: FastifyInstance) => installCallers(app, (ip) => ip), routes: {} };
      return [callers, test.capability, { routes: { things: implement(things, handlers) } }];
    },
  });
  const root = await accessTokenOf(gateway, "root", rootsAccount.password);
  return {
    ...opened(),
    gateway,
    root,
    ada: await accessTokenOf(gateway, "ada", adasPassword),
    async read<Body = AuditPage>(path: string) {
      await opened().audit.recorder.flush();
      return (await gateway.call<Body>("GET", path, { token: root })).body;
    },
  };
}

/** A recorded call with defaults for everything but `overrides`. */
export const buildCall = (overrides: Partial<CallFacts> = {}): CallFacts => ({
  timeMs: Date.UTC(2026, 4, 17, 12),
  durationMs: 7,
  responseCode: 200,
  method: "GET",
  url: "/api/datasets",
  shape: undefined,
  userId: "u-ada",
  username: "ada",
  apiKey: null,
  ip: "192.0.2.9",
  userAgent: "curl/8.5.0",
  ...overrides,
});
