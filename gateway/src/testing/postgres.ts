import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject, onTestFinished } from "vitest";
import { type DatabaseConnection, connectDatabase } from "#database/connection.ts";
import { emptyDatabase } from "./empty-database.ts";

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
}

/** Freshly migrated databases for the next tests of this worker: emptying one is faster than creating one. */
const idle: PooledDatabase[] = [];

/**
 * A separate database with all migrations applied, on the run's shared PostgreSQL:
 * `const database = await testDatabase()` in a `beforeAll`, `await database.drop()` in the `afterAll`.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const pooled = idle.pop() ?? (await createDatabase());
  const connection = connectDatabase(urlOf(pooled.name), { maxConnections: 5 });
  const destroy = async () => {
    await pooled.client.end().catch(() => undefined);
    await onServer(`drop database if exists ${pooled.name} with (force)`);
  };
  let dropping: Promise<void> | undefined;
  const returnToPool = async () => {
    await connection.close();
    if (await tryToEmpty(pooled)) idle.push(pooled);
    else await destroy();
  };
  return { ...connection, drop: () => (dropping ??= returnToPool()), destroy };
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
  return { name, client };
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
