import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import type { Database } from "./schema.ts";

/** The application database. One pool per gateway; `close()` before the server behind it stops. */
export interface DatabaseConnection {
  readonly db: Kysely<Database>;
  /** For what Kysely does not speak: LISTEN, advisory locks on one connection, hot prepared statements. */
  readonly pool: Pool;
  readonly url: string;
  close(): Promise<void>;
}

/** `onError` hears of connections that broke while idle; the pool replaces them by itself. */
export function connectDatabase(url: string, options: { maxConnections: number; onError: (error: Error) => void }): DatabaseConnection {
  const pool = new Pool({ connectionString: url, max: options.maxConnections, connectionTimeoutMillis: 10_000 });
  pool.on("error", options.onError);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, url, close: () => db.destroy() };
}
