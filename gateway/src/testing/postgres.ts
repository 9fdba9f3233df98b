import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject, onTestFinished } from "vitest";
import { type DatabaseConnection, connectDatabase } from "#database/connection.ts";
import { emptyDatabase } from "./empty-database.ts";

export interface TestDatabase extends DatabaseConnection {
  /** Closes the connection and gives the database back; nothing may use it afterwards. */
  drop(): Promise<void>;
  /** Takes the database away under everybody who uses it. */
  destroy(): Promise<void>;
}

interface PooledDatabase {
  readonly name: string;
  /** Stays connected: on a new connection every statement is slow once. */
  readonly client: Client;
}

/** Databases that are as a migration leaves them, for the next tests of this worker: emptying one is quicker than creating one. */
const idle: PooledDatabase[] = [];

/**
 * A database of one's own with every migration applied, on the run's shared PostgreSQL:
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
  const giveBack = async () => {
    await connection.close();
    if (await isEmptied(pooled)) idle.push(pooled);
    else await destroy();
  };
  return { ...connection, drop: () => (dropping ??= giveBack()), destroy };
}

/** The same, within one test: given back when it has finished. */
export async function testDatabaseForOneTest(): Promise<TestDatabase> {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  return database;
}

async function createDatabase(): Promise<PooledDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(`create database ${name} template ${inject("testPostgres").template}`);
  const client = new Client({ connectionString: urlOf(name) });
  // Some tests end every session of their database.
  client.on("error", () => undefined);
  await client.connect();
  return { name, client };
}

function urlOf(name: string): string {
  const url = new URL(inject("testPostgres").url);
  url.pathname = `/${name}`;
  return url.href;
}

async function isEmptied({ client }: PooledDatabase): Promise<boolean> {
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
