import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Client } from "pg";
import { StartFailure } from "#process/start-failure.ts";
import type { Database } from "./schema.ts";

/** Arbitrary, but must not be used by another advisory lock. */
const gatewayLock = 7_102_091;

/** Held by gateways that take a dataset with how its text files are read; those of r2 refuse to save one. */
const readingsLock = 7_102_092;

/** Name of the session that every gateway keeps open. Gateways of earlier versions hold no lock, but have such a session. */
export const gatewaySession = "fairway notifications";

/** Marks the session as one of a running gateway. Throws StartFailure while a command needs all gateways to be stopped. */
export async function holdGatewayLock(client: Pick<Client, "query">): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock_shared($1::bigint) as held", [gatewayLock]);
  if (rows[0]?.held !== true) throw new StartFailure("A command is replacing the master key: start the portal again when it has ended.");
  await client.query("select pg_advisory_lock_shared($1::bigint)", [readingsLock]);
}

/**
 * Whether every gateway takes a dataset with how its text files are read. Not during a rolling upgrade: what is new must not be
 * stored by itself as long as a gateway of the last release runs.
 */
export async function gatewaysTakeReadings(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ take: boolean }>`
    select not exists (
      select from pg_stat_activity as session
      where datname = current_database() and application_name = ${gatewaySession} and not exists (
        select from pg_locks where pg_locks.pid = session.pid and locktype = 'advisory' and classid = 0 and objid = ${readingsLock}
      )
    ) as take`.execute(db);
  return rows[0]?.take === true;
}

/** The server needs a moment to end the session of a gateway that has stopped. */
const [attempts, intervalMs] = [30, 100];

/** Keeps gateways from starting until the session ends. False if one is running. */
export async function lockOutGateways(client: Pick<Client, "query">): Promise<boolean> {
  for (let attempt = 1; !(await tryToLockOut(client)); attempt += 1) {
    if (attempt === attempts) return false;
    await wait(intervalMs);
  }
  return true;
}

async function tryToLockOut(client: Pick<Client, "query">): Promise<boolean> {
  const { rows } = await client.query<{ isAlone: boolean }>(
    `select pg_try_advisory_lock($1::bigint) and not exists (
        select from pg_stat_activity where datname = current_database() and application_name = $2
      ) as "isAlone"`,
    [gatewayLock, gatewaySession],
  );
  return rows[0]?.isAlone === true;
}
