import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { addColumn, expanded, firstNames, migrateTo, namesIn, ownDatabase, startFirstRelease } from "#testing/migrated-databases.ts";
import { migrations, type PortalMigration } from "./migrations.ts";
import { migrate } from "./migrate.ts";

it("brings over a database that records all migrations in one table, and repeats none", async () => {
  const database = await ownDatabase();
  await database.pool.query("insert into kysely_migration select name, timestamp from later_migrations");
  await database.pool.query("drop table later_migrations");
  expect(await startFirstRelease(database)).toBeInstanceOf(Error);
  await migrateTo(database, migrations);
  expect(await namesIn(database, "later_migrations")).toEqual(Object.keys(migrations).slice(firstNames.length));
  expect(await startFirstRelease(database)).toBeUndefined();
});

it("lets several gateways migrate an empty database at the same time", async () => {
  const database = await ownDatabase();
  await database.pool.query("drop schema public cascade; create schema public");
  await Promise.all([migrateTo(database, migrations), migrateTo(database, migrations)]);
  expect(await namesIn(database, "later_migrations")).toEqual(Object.keys(migrations).slice(firstNames.length));
});

it("starts on a database to which a newer version has only added something", async () => {
  const database = await ownDatabase();
  await migrateTo(database, expanded);
  await migrateTo(database, migrations);
  expect(await startFirstRelease(database)).toBeUndefined();
});

it("leaves nothing of a migration that fails, and repeats it at the next start", async () => {
  const database = await ownDatabase();
  const failing: PortalMigration = {
    up: async (db) => {
      await addColumn.up(db);
      await sql`select 1 / 0`.execute(db);
    },
  };
  await expect(migrateTo(database, { ...migrations, "9001-color": failing })).rejects.toThrow("the migration 9001-color failed");
  await migrateTo(database, expanded);
  expect((await database.pool.query("select color from roles")).rows).toEqual([]);
});

it("does not make others wait for a table that is in use", { timeout: 60_000 }, async () => {
  const database = await ownDatabase();
  const reader = await database.pool.connect();
  await reader.query("begin");
  await reader.query("select from roles");
  const migrating = migrate(database.db as never, expanded, { lockMs: 200, pauseMs: 50 });
  const isWaiting = async () => {
    const { rowCount } = await database.pool.query("select from pg_locks where relation = 'roles'::regclass and not granted");
    return rowCount === 1;
  };
  await vi.waitUntil(isWaiting, { timeout: 30_000, interval: 20 });
  await vi.waitUntil(async () => !(await isWaiting()), { timeout: 30_000, interval: 20 });
  await reader.query("commit");
  reader.release();
  await migrating;
  expect((await database.pool.query("select color from roles")).rows).toEqual([]);
});
