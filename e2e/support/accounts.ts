import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
// Declares the tables of accounts.
import "@fairway/gateway/identity/tables";
import { connectDatabase, type DatabaseConnection } from "@fairway/gateway/database/connection";
import { createUser } from "@fairway/gateway/identity/accounts";
import { homeFolder } from "./platform.ts";

export interface OwnAccount {
  username: string;
  password: string;
}

interface AccountOptions {
  /** Of no other journey; default: one of its own. */
  username?: string;
  requirePasswordChange?: boolean;
  /** Roles of its own; ones that do not exist yet are made. */
  roles?: readonly string[];
}

/** An account that no other journey uses, written to the portal's database. */
export async function createAccount({ username, requirePasswordChange = false, roles = [] }: AccountOptions = {}): Promise<OwnAccount> {
  const account = { username: username ?? `guest-${randomUUID()}`, password: randomUUID() };
  await withDatabase(async ({ db }) => {
    await createUser(db, { ...account, firstName: "Grace", lastName: "Keller", email: "grace@fairway.example", roles });
    if (requirePasswordChange) {
      await db.updateTable("users").set({ require_password_change: true }).where("username", "=", account.username).execute();
    }
  });
  return account;
}

/** As if the account had signed in an hour ago, wherever it is signed in. */
export const ageSignIns = ({ username }: OwnAccount): Promise<void> =>
  withDatabase(async ({ pool }) => {
    const own = "user_id = (select id from users where username = $1)";
    await pool.query(`update sessions set signed_in_at = now() - interval '1 hour' where ${own}`, [username]);
    // The gateway remembers for some seconds when a session was signed in.
    await pool.query("select pg_notify('accounts', 'everyone:')");
  });

/** As an administrator asks for it. */
export const requirePasswordChange = ({ username }: OwnAccount): Promise<void> =>
  withDatabase(async ({ db }) => {
    await db.updateTable("users").set({ require_password_change: true }).where("username", "=", username).execute();
  });

async function withDatabase(work: (connection: DatabaseConnection) => Promise<void>): Promise<void> {
  const connection = connectDatabase(await databaseUrl(), { maxConnections: 1 });
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}

/** Of the PostgreSQL that the portal under test runs: where it listens and its password stand in its data folder. */
async function databaseUrl(): Promise<string> {
  const data = join(homeFolder, "postgres/data");
  const [, , , port] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
  const password = (await readFile(join(data, "fairway-password"), "utf8")).trim();
  return `postgres://fairway:${password}@127.0.0.1:${port}/postgres`;
}
