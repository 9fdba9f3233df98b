import { sql } from "kysely";
import { expect, it } from "vitest";
import { addColumn, expanded, firstNames, migrateTo, namesIn, ownDatabase, startFirstRelease } from "#testing/migrated-databases.ts";
import { migrations, type PortalMigration } from "./migrations.ts";

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
