import { expect, it } from "vitest";
import { dropName, expanded, firstNames, migrateTo, namesIn, ownDatabase, startFirstRelease } from "#testing/migrated-databases.ts";
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
