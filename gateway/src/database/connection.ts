import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { BaseLogger } from "pino";
import { GuardedPool } from "./guarded-pool.ts";
import { Outage } from "./outage.ts";
import type { Database } from "./schema.ts";
import { StatementNames } from "./statement-names.ts";

/** Milliseconds, and numbers of connections. */
export interface DatabaseLimits {
  readonly databaseConnections: number;
  readonly databaseConnectMs: number;
  readonly databaseStatementMs: number;
  readonly databaseLongStatementMs: number;
}

interface Access {
  readonly db: Kysely<Database>;
  /** For what Kysely does not speak: advisory locks on one connection, hot prepared statements. */
  readonly pool: GuardedPool;
}

/** The application database. One per gateway; `close()` before the server behind it stops. Rejects with DatabaseUnavailable. */
export interface DatabaseConnection extends Access {
  /**
   * For statements that may take long: reads of the audit log, imports, housekeeping. A few connections of their own, so that
   * they hold up no ordinary call.
   */
  readonly longRunning: Access;
  readonly url: string;
  close(): Promise<void>;
}

const longRunningConnections = 5;

/** What nobody waits for at a screen. */
const patient: DatabaseLimits = {
  databaseConnections: 5,
  databaseConnectMs: 10_000,
  databaseStatementMs: 60_000,
  databaseLongStatementMs: 60_000,
};

export function connectDatabase(
  url: string,
  options: { limits?: DatabaseLimits; maxConnections?: number; log?: Pick<BaseLogger, "warn" | "info"> } = {},
): DatabaseConnection {
  const { limits = patient, log = { warn: () => undefined, info: () => undefined } } = options;
  const outage = new Outage(log);
  const shared = { url, connectMs: limits.databaseConnectMs, outage };
  const maxConnections = options.maxConnections ?? limits.databaseConnections;
  const ordinary = access(
    new GuardedPool({ ...shared, maxConnections, statementMs: limits.databaseStatementMs, statementNames: new StatementNames() }),
  );
  const probe = () => ordinary.pool.query("select 1");
  const longRunning = access(
    new GuardedPool({ ...shared, maxConnections: longRunningConnections, statementMs: limits.databaseLongStatementMs, probe }),
  );
  return {
    ...ordinary,
    longRunning,
    url,
    close: async () => {
      await Promise.all([ordinary.db.destroy(), longRunning.db.destroy()]);
    },
  };
}

function access(pool: GuardedPool): Access {
  // Kysely asks for cursors, too, which nothing here uses.
  return { pool, db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) }) };
}
