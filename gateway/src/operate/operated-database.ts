import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BaseLogger } from "pino";
import { Client } from "pg";
import { startEmbeddedPostgres } from "#database/embedded-postgres.ts";
import { lockFolder } from "#database/folder-lock.ts";
import { readMigrationRecord } from "#database/migration-record.ts";
import { migrations } from "#database/migrations.ts";
import { passwordOf, superuser } from "#database/postgres-cluster.ts";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";

const connectMs = 10_000;

/** The portal's database as a command uses it. */
export interface OperatedDatabase {
  /** Contains the password: never print it. */
  readonly url: string;
  /**
   * - `external`: the one of DATABASE_URL; whether gateways use it is unknown
   * - `portal-runs`: the embedded one, run by the portal
   * - `portal-stopped`: the embedded one, run by this command, which keeps the portal from starting meanwhile
   */
  readonly state: "external" | "portal-runs" | "portal-stopped";
  close(): Promise<void>;
}

/** Opens the database, whether the portal runs or not. The embedded one must exist. Throws StartFailure. */
export async function openOperatedDatabase(
  config: { readonly databaseUrl: string | undefined; readonly home: string },
  log: BaseLogger,
): Promise<OperatedDatabase> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, state: "external", close: () => Promise.resolve() };
  const folder = join(config.home, "postgres");
  // Starting the server would create one, without the key that the portal would then ask for.
  await access(join(folder, "data")).catch((error: unknown) => {
    throw new StartFailure(`There is no portal's database in ${config.home}: set FAIRWAY_HOME, or DATABASE_URL.`, { cause: error });
  });
  const lock = await lockFolder(config.home).catch((error: unknown) => {
    if (error instanceof StartFailure) return undefined;
    throw error;
  });
  if (lock === undefined) return { url: await runningServer(join(folder, "data")), state: "portal-runs", close: () => Promise.resolve() };
  try {
    const server = await startEmbeddedPostgres({ folder, log });
    return {
      url: server.url,
      state: "portal-stopped",
      async close() {
        await server.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Throws StartFailure unless exactly the migrations of this version are applied. */
export async function requireMigrated(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  // The next query rejects.
  client.on("error", () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new StartFailure(`The database cannot be reached (${systemCode(error) ?? "unknown"}).`, { cause: error });
  });
  try {
    const applied = new Set((await readMigrationRecord(client))?.map(({ name }) => name));
    const known = Object.keys(migrations);
    if (applied.size === known.length && known.every((name) => applied.has(name))) return;
  } finally {
    await client.end();
  }
  throw new StartFailure("The database is not one of this version: start the portal once with this version, and try again.");
}

/** The server that the portal runs on this folder. */
async function runningServer(data: string): Promise<string> {
  const lines = (await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  const [port = "", status = ""] = [lines[3], lines[7]];
  if (!/^\d+$/.test(port) || status.trim() !== "ready") {
    throw new StartFailure("The portal is starting or stopping, or another command is using its folder: try again in a moment.");
  }
  return `postgres://${superuser}:${await passwordOf(data)}@127.0.0.1:${port}/postgres`;
}
