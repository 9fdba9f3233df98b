import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { DatabaseError } from "pg";
import { StartFailure } from "#process/start-failure.ts";
import { firstRecord, isOfFirstRelease, laterRecord, migrationsInTheWay, readMigrationRecord } from "./migration-record.ts";
import { type PortalMigration, type PortalMigrations, migrations } from "./migrations.ts";

/** Held by one gateway at a time. Kysely's migrator, which the first release uses, takes the same lock. */
const migrationLock = sql.lit(3_853_314_791_062_309_107n);

/** A statement that waits for a table makes everybody else wait for that table, too, so it gives up and tries again. */
const defaultWaits = { lockMs: 1_000, pauseMs: 1_000 };
const lockAttempts = 300;

/**
 * Migrates the database to the latest version, while gateways of the last release may be using it. Each migration is one transaction, so
 * that tables are locked as briefly as possible. Gateways may start concurrently. Throws StartFailure if a newer version has removed
 * what this one uses.
 */
export async function migrate(db: Kysely<never>, wanted: PortalMigrations = migrations, waits = defaultWaits): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${migrationLock})`.execute(connection);
    try {
      await applyMissing(connection, wanted, waits);
    } finally {
      // A broken connection has lost the lock already.
      await sql`select pg_advisory_unlock(${migrationLock})`.execute(connection).catch(() => undefined);
    }
  });
}

async function applyMissing(db: Kysely<never>, wanted: PortalMigrations, waits: typeof defaultWaits): Promise<void> {
  await db.transaction().execute((trx) => openRecord(trx, wanted));
  const applied = (await readMigrationRecord({ query: (statement) => sql.raw<never>(statement).execute(db) })) ?? [];
  const inTheWay = migrationsInTheWay(applied, wanted);
  if (inTheWay.length > 0) {
    const names = inTheWay.map(({ name }) => name).join(", ");
    throw new StartFailure(
      `A newer Fairway has changed the database, and this version cannot use it (${names}): install the newer version again, or restore the backup from before the upgrade.`,
    );
  }
  const done = new Set(applied.map(({ name }) => name));
  for (const [name, load] of Object.entries(wanted)) {
    if (!done.has(name)) await apply(db, name, await load(), waits);
  }
}

/** Databases of versions before the second record have later migrations in the first one. */
async function openRecord(trx: Kysely<never>, wanted: PortalMigrations): Promise<void> {
  const columns = "name varchar(255) primary key, timestamp varchar(255) not null";
  await sql.raw(`create table if not exists ${firstRecord} (${columns})`).execute(trx);
  await sql.raw(`create table if not exists ${laterRecord} (${columns}, requires text)`).execute(trx);
  const later = Object.keys(wanted).filter((name) => !isOfFirstRelease(name));
  await sql`
    with moved as (
      insert into ${sql.table(laterRecord)} (name, timestamp)
      select name, timestamp from ${sql.table(firstRecord)} where name = any (${later})
      on conflict do nothing returning name
    )
    delete from ${sql.table(firstRecord)} where name in (select name from moved)`.execute(trx);
}

async function apply(db: Kysely<never>, name: string, migration: PortalMigration, { lockMs, pauseMs }: typeof defaultWaits): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.transaction().execute(async (trx) => {
        await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(trx);
        await migration.up(trx);
        await record(trx, name, migration);
      });
      return;
    } catch (error) {
      if (!isLockTimeout(error) || attempt === lockAttempts) throw new Error(`the migration ${name} failed`, { cause: error });
    }
    await wait(pauseMs);
  }
}

async function record(trx: Kysely<never>, name: string, { requires }: PortalMigration): Promise<void> {
  const timestamp = new Date().toISOString();
  if (!isOfFirstRelease(name)) {
    await sql`
      insert into ${sql.table(laterRecord)} (name, timestamp, requires) values (${name}, ${timestamp}, ${requires ?? null})`.execute(trx);
  }
  // The first release only reads its own record, and must not start either after something was removed.
  if (isOfFirstRelease(name) || requires !== undefined) {
    await sql`insert into ${sql.table(firstRecord)} (name, timestamp) values (${name}, ${timestamp})`.execute(trx);
  }
}

const isLockTimeout = (error: unknown): boolean => error instanceof DatabaseError && error.code === "55P03";
