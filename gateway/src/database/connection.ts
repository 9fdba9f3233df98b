import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { BaseLogger } from "pino";
import { GuardedPool } from "./guarded-pool.ts";
import { Outage } from "./outage.ts";
import type { Database } from "./schema.ts";
import { StatementNames } from "./statement-names.ts";

/** Timeouts in milliseconds and numbers of connections. */
export interface DatabaseLimits {
  readonly databaseConnections: number;
  /** Of these, connections of one person, or of one address before the sign-in. */
  readonly databaseConnectionsPerUser: number;
  readonly databaseConnectMs: number;
  readonly databaseStatementMs: number;
  readonly databaseLongStatementMs: number;
}

interface Access {
  readonly db: Kysely<Database>;
  /** For what Kysely does not support: advisory locks on one connection, frequent prepared statements. */
  readonly pool: GuardedPool;
}

/** The application database, one per gateway. Close it before its server stops. Calls reject with DatabaseUnavailable. */
export interface DatabaseConnection extends Access {
  /**
   * For statements that may take long: reads of the audit log, imports, housekeeping. Uses separate connections, so that they
   * do not delay other calls.
   */
  readonly longRunning: Access;
  readonly url: string;
  close(): Promise<void>;
}

const longRunningConnections = 5;
const longRunningPerUser = 2;

/** For work that no user waits for. */
const backgroundLimits: DatabaseLimits = {
  databaseConnections: 5,
  databaseConnectionsPerUser: 5,
  databaseConnectMs: 10_000,
  databaseStatementMs: 60_000,
  databaseLongStatementMs: 60_000,
};

export function connectDatabase(
  url: string,
  options: { limits?: DatabaseLimits; maxConnections?: number; log?: Pick<BaseLogger, "warn" | "info"> } = {},
): DatabaseConnection {
  const { limits = backgroundLimits, log = { warn: () => undefined, info: () => undefined } } = options;
  const outage = new Outage(log);
  const shared = { url, connectMs: limits.databaseConnectMs, outage };
  const maxConnections = options.maxConnections ?? limits.databaseConnections;
  const regular = access(
    new GuardedPool({
      ...shared,
      maxConnections,
      connectionsPerCaller: limits.databaseConnectionsPerUser,
      statementMs: limits.databaseStatementMs,
      statementNames: new StatementNames(),
    }),
  );
  const probe = () => regular.pool.query("select 1");
  const longRunning = access(
    new GuardedPool({
      ...shared,
      maxConnections: longRunningConnections,
      connectionsPerCaller: longRunningPerUser,
      statementMs: limits.databaseLongStatementMs,
      probe,
    }),
  );
  return {
    ...regular,
    longRunning,
    url,
    close: async () => {
      await Promise.all([regular.db.destroy(), longRunning.db.destroy()]);
      // Kysely ends a pool only if it has used it. An open connection would keep a command from exiting.
      await Promise.all([regular.pool.end(), longRunning.pool.end()]);
    },
  };
}

function access(pool: GuardedPool): Access {
  // Kysely's pool type also includes cursors, which are not used.
  return { pool, db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) }) };
}
