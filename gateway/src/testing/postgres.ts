import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject, onTestFinished } from "vitest";
import { type DatabaseConnection, connectDatabase } from "#database/connection.ts";

export interface TestDatabase extends DatabaseConnection {
  /** Closes the connection and drops the database. */
  drop(): Promise<void>;
}

/**
 * A database of one's own with every migration applied, on the run's shared PostgreSQL:
 * `const database = await testDatabase()` in a `beforeAll`, `await database.drop()` in the `afterAll`.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { url, template } = inject("testPostgres");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(url, `create database ${name} template ${template}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const connection = connectDatabase(own.href, { maxConnections: 5 });
  const drop = async () => {
    await connection.close();
    await onServer(url, `drop database if exists ${name} with (force)`);
  };
  return { ...connection, drop };
}

/** The same, within one test: dropped when it has finished. */
export async function testDatabaseForOneTest(): Promise<TestDatabase> {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  return database;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
