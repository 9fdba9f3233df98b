import type { AuditEvent, AuditFilters, AuditPage } from "@fairway/contract/audit";
import type { SignInAttempt } from "@fairway/contract/sessions";
import { type Kysely, sql } from "kysely";
import type { BaseLogger } from "pino";
import type { DatabaseConnection } from "#database/connection.ts";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import { type AuditExport, exportEvents } from "./export.ts";
import { findEvent, readPage } from "./pages.ts";
import { Recorder } from "./recorder.ts";
import { removeOldEvents } from "./retention.ts";
import { signInsOf } from "./sign-ins.ts";

/** The log of API calls. */
export interface AuditLog {
  readonly recorder: Recorder;
  page(filters: AuditFilters, pageNumber: number): Promise<AuditPage>;
  /** Refuses with `not-found`. */
  event(id: string): Promise<AuditEvent>;
  usernames(): Promise<string[]>;
  responseCodes(): Promise<number[]>;
  export(filters: AuditFilters): Promise<AuditExport>;
  /** The latest attempts to sign in to an account, newest first. */
  signInsOf(userId: string): Promise<SignInAttempt[]>;
  /** Stores pending calls and stops the retention job. */
  close(): Promise<void>;
}

export interface AuditOptions {
  readonly database: Pick<DatabaseConnection, "longRunning">;
  readonly limits: {
    readonly auditDays: number;
    readonly auditIntervalMs: number;
    readonly auditBufferEvents: number;
    readonly auditExportRows: number;
  };
  readonly dropped: { increment(by?: number): void };
  readonly log: Pick<BaseLogger, "info" | "warn">;
}

const sweepIntervalMs = 3_600_000;

export async function openAudit({ database, limits, dropped, log }: AuditOptions): Promise<AuditLog> {
  const { db, pool } = database.longRunning;
  const recorder = await Recorder.open({
    pool,
    log,
    intervalMs: limits.auditIntervalMs,
    bufferCalls: limits.auditBufferEvents,
    dropped,
  });
  let sweeping = Promise.resolve();
  const sweep = () => {
    sweeping = sweepOnce(db, limits.auditDays, log);
  };
  const timer = setInterval(sweep, sweepIntervalMs).unref();
  sweep();
  return {
    recorder,
    async page(filters, pageNumber) {
      // Shows what this gateway has just answered.
      await recorder.flush();
      return readPage(db, filters, pageNumber);
    },
    async event(id) {
      const event = await findEvent(db, id);
      if (!event) throw new Refusal("not-found", "There is no such audit event.");
      return event;
    },
    async usernames() {
      const { rows } = await sql<{ username: string }>`
        select distinct username collate "C" as username from audit_facets where username <> '' order by 1`.execute(db);
      return rows.map(({ username }) => username);
    },
    async responseCodes() {
      const found = await db.selectFrom("audit_facets").select("response_code").distinct().orderBy("response_code").execute();
      return found.map(({ response_code }) => response_code);
    },
    export: (filters) => exportEvents(db, filters, limits.auditExportRows),
    signInsOf: (userId) => signInsOf(db, userId),
    async close() {
      clearInterval(timer);
      await sweeping;
      await recorder.close();
    },
  };
}

async function sweepOnce(db: Kysely<Database>, keepDays: number, log: AuditOptions["log"]): Promise<void> {
  try {
    const removed = await removeOldEvents(db, keepDays);
    if (removed > 0) log.info({ removed }, "removed old audit events");
  } catch (error) {
    log.warn({ err: error }, "could not remove old audit events; retrying in the next run");
  }
}
