import { expect, it } from "vitest";
import { testDatabase, testDatabaseForOneTest } from "./postgres.ts";

it("gives each caller a separate, migrated database", async () => {
  const one = await testDatabaseForOneTest();
  const other = await testDatabaseForOneTest();
  await one.pool.query("insert into roles (id, name) values ('r1', 'someone')");
  expect((await one.pool.query("select name from roles")).rows).toEqual([{ name: "someone" }]);
  expect((await other.pool.query("select name from roles")).rows).toEqual([]);
});

it("hands out databases empty, with sequences reset and the migrated schema", async () => {
  const seen = new Set<string>();
  for (const change of [
    "insert into roles (id, name) values ('r1', 'someone')",
    "select nextval('audit_writers')",
    "alter table roles add column color text",
    "alter table roles disable trigger all",
    "drop table roles cascade",
    "select 1",
  ]) {
    const database = await testDatabase();
    expect((await database.pool.query("select * from roles")).fields.map(({ name }) => name)).not.toContain("color");
    expect((await database.pool.query("select from roles")).rowCount).toBe(0);
    expect((await database.pool.query("select from pg_trigger where tgenabled = 'D'")).rowCount).toBe(0);
    expect((await database.pool.query("select from pg_sequences where last_value is not null")).rowCount).toBe(0);
    await database.pool.query(change);
    seen.add(database.url);
    await database.drop();
  }
  // The three databases with a changed schema are not reused.
  expect(seen.size).toBeLessThanOrEqual(4);
});
