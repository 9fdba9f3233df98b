import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject, onTestFinished } from "vitest";
import { type DatabaseConnection, connectDatabase } from "#database/connection.ts";
import { emptyDatabase, hasUnfinishedSession, keptSession } from "./empty-database.ts";

export interface TestDatabase extends DatabaseConnection {
  /** Closes the connection and returns the database to the pool; it must not be used afterwards. */
  drop(): Promise<void>;
  /** Drops the database, ending all connections to it. */
  destroy(): Promise<void>;
}

interface PooledDatabase {
  readonly name: string;
  /** Stays connected: the first run of each statement is slow on a new connection. */
  readonly client: Client;
  /** That of the test before, for the same reason. */
  connection: DatabaseConnection | undefined;
}

/** Freshly migrated databases for the next tests of this worker: emptying one is faster than creating one. */
const idle: PooledDatabase[] = [];

/**
 * A separate database with all migrations applied, on the run's shared PostgreSQL:
 * `const database = await testDatabase()` in a `beforeAll`, `await database.drop()` in the `afterAll`.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const pooled = idle.pop() ?? (await createDatabase());
  const connection = pooled.connection ?? connect(pooled.name);
  pooled.connection = undefined;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= connection.close());
  const destroy = async () => {
    await pooled.client.end().catch(() => undefined);
    await onServer(`drop database if exists ${pooled.name} with (force)`);
  };
  let dropping: Promise<void> | undefined;
  const returnToPool = async () => {
    const isKept = closing === undefined && (await isUnused(connection, pooled));
    if (!isKept) await close();
    if (await tryToEmpty(pooled)) {
      if (isKept) pooled.connection = connection;
      idle.push(pooled);
      return;
    }
    await close();
    await destroy();
  };
  return { ...connection, url: urlOf(pooled.name), close, drop: () => (dropping ??= returnToPool()), destroy };
}

function connect(name: string): DatabaseConnection {
  const url = new URL(urlOf(name));
  url.searchParams.set("application_name", keptSession);
  return connectDatabase(url.href, { maxConnections: 5 });
}

/** Whether the next test can use the connection as if it were new. */
async function isUnused({ pool, longRunning }: DatabaseConnection, { client }: PooledDatabase): Promise<boolean> {
  if ([pool, longRunning.pool].some(({ metrics }) => metrics.busy > 0 || metrics.waiting > 0)) return false;
  try {
    if (await hasUnfinishedSession(client)) return false;
    // Ends what the test may have made the connection believe of its server.
    await pool.query("select 1");
    return true;
  } catch {
    return false;
  }
}

/** A test database that is returned when the test has finished. */
export async function testDatabaseForOneTest(): Promise<TestDatabase> {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  return database;
}

async function createDatabase(): Promise<PooledDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(`create database ${name} template ${inject("testPostgres").template}`);
  const client = new Client({ connectionString: urlOf(name) });
  // Some tests terminate all sessions of their database.
  client.on("error", () => undefined);
  await client.connect();
  return { name, client, connection: undefined };
}

function urlOf(name: string): string {
  const url = new URL(inject("testPostgres").url);
  url.pathname = `/${name}`;
  return url.href;
}

async function tryToEmpty({ client }: PooledDatabase): Promise<boolean> {
  try {
    return await emptyDatabase(client, inject("testPostgres").fresh);
  } catch {
    return false;
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject("testPostgres").url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
