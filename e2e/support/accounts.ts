import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
// Declares the tables of accounts.
import "@fairway/gateway/identity/tables";
import { connectDatabase, type DatabaseConnection } from "@fairway/gateway/database/connection";
import { createUser } from "@fairway/gateway/identity/accounts";
import { homeFolder } from "./platform.ts";

export interface TestAccount {
  username: string;
  password: string;
}

interface AccountOptions {
  /** Must be unique among journeys. Default: generated. */
  username?: string;
  /** Roles of the account; missing ones are created. */
  roles?: readonly string[];
}

/** Creates an account for this journey only, directly in the portal's database. */
export async function createAccount({ username, roles = [] }: AccountOptions = {}): Promise<TestAccount> {
  const account = { username: username ?? `guest-${randomUUID()}`, password: randomUUID() };
  await withDatabase(async ({ db }) => {
    await createUser(db, { ...account, firstName: "Grace", lastName: "Keller", email: "grace@fairway.example", roles });
  });
  return account;
}

/** Makes all sessions of the account look as if signed in an hour ago. */
export const ageSignIns = ({ username }: TestAccount): Promise<void> =>
  withDatabase(async ({ pool }) => {
    const own = "user_id = (select id from users where username = $1)";
    await pool.query(`update sessions set signed_in_at = now() - interval '1 hour' where ${own}`, [username]);
    // Invalidates the gateway's cache of sign-in times.
    await pool.query("select pg_notify('accounts', 'everyone:')");
  });

/** Makes the last checks of the account's alerts a minute older, as if its owner had waited to ask for another one. */
export const ageAlertChecks = ({ username }: TestAccount): Promise<void> =>
  withDatabase(async ({ pool }) => {
    const own = "user_id = (select id from users where username = $1)";
    await pool.query(`update alerts set checked_at = checked_at - interval '1 minute' where ${own}`, [username]);
  });

async function withDatabase(work: (connection: DatabaseConnection) => Promise<void>): Promise<void> {
  const connection = connectDatabase(await databaseUrl(), { maxConnections: 1 });
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}

/** The address of the platform's own PostgreSQL, or the embedded one's, whose port and password are stored in its data folder. */
export async function databaseUrl(): Promise<string> {
  const url = process.env["FAIRWAY_E2E_DATABASE_URL"];
  if (url !== undefined) return url;
  const data = join(homeFolder, "postgres/data");
  const [, , , port] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
  const password = (await readFile(join(data, "fairway-password"), "utf8")).trim();
  return `postgres://fairway:${password}@127.0.0.1:${port}/postgres`;
}
