import { readFile } from "node:fs/promises";
import { type Migration, Migrator, sql } from "kysely";
import { expect, it, onTestFinished, vi } from "vitest";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";
import { migrate } from "./migrate.ts";
import { type PortalMigration, migrations } from "./migrations.ts";

const firstRelease = new URL("../../../contract/released/r1/migrations.json", import.meta.url);
const firstNames = Object.keys(JSON.parse(await readFile(firstRelease, "utf8")) as Record<string, string>);

/** Not given to other tests afterwards: emptying a database keeps what migrations have written. */
async function ownDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  onTestFinished(async () => {
    await database.close();
    await database.destroy();
  });
  return database;
}

/** The migration that a gateway of the first release runs when it starts. */
async function startFirstRelease({ db }: TestDatabase): Promise<unknown> {
  const known = Object.fromEntries(firstNames.map((name): [string, Migration] => [name, { up: () => Promise.reject(new Error("again")) }]));
  const provider = { getMigrations: () => Promise.resolve(known) };
  return (await new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest()).error;
}

const migrateTo = ({ db }: TestDatabase, wanted: Record<string, PortalMigration>) => migrate(db as never, wanted);

const namesIn = async ({ pool }: TestDatabase, table: string) =>
  (await pool.query<{ name: string }>(`select name from ${table} order by name`)).rows.map(({ name }) => name);

const addColumn: PortalMigration = { up: (db) => sql`alter table roles add column color text`.execute(db).then(() => undefined) };
const dropName: PortalMigration = {
  requires: "9001-color",
  up: (db) => sql`alter table roles drop column name`.execute(db).then(() => undefined),
};
const expanded = { ...migrations, "9001-color": addColumn };

it("lets a gateway of the first release start on a migrated database", async () => {
  const database = await ownDatabase();
  expect(await namesIn(database, "kysely_migration")).toEqual(firstNames);
  expect(await namesIn(database, "later_migrations")).toEqual(Object.keys(migrations).slice(firstNames.length));
  expect(await startFirstRelease(database)).toBeUndefined();
});

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

it("refuses to start after a newer version has removed what this one uses", async () => {
  const database = await ownDatabase();
  await migrateTo(database, { ...expanded, "9002-name": dropName });
  // The version in between no longer uses it.
  await migrateTo(database, expanded);
  await expect(migrateTo(database, migrations)).rejects.toThrow("this version cannot use it (9002-name)");
  expect(await startFirstRelease(database)).toBeInstanceOf(Error);
});

it("refuses to start on a database of a newer version that kept one record", async () => {
  const database = await ownDatabase();
  await database.pool.query("insert into kysely_migration (name, timestamp) values ('9999-later', '')");
  await expect(migrateTo(database, migrations)).rejects.toThrow("this version cannot use it (9999-later)");
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
