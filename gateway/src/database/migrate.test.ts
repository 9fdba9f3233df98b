import { expect, it, vi } from "vitest";
import { dropName, expanded, firstNames, migrateTo, namesIn, ownDatabase, startFirstRelease } from "#testing/migrated-databases.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";

it("lets a gateway of the first release start on a migrated database", async () => {
  const database = await ownDatabase();
  expect(await namesIn(database, "kysely_migration")).toEqual(firstNames);
  expect(await namesIn(database, "later_migrations")).toEqual(Object.keys(migrations).slice(firstNames.length));
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
