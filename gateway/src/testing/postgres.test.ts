import { expect, it } from "vitest";
import { testDatabase, testDatabaseForOneTest } from "./postgres.ts";

it("gives each caller a migrated database of its own", async () => {
  const one = await testDatabaseForOneTest();
  const other = await testDatabaseForOneTest();
  await one.pool.query("insert into roles (id, name) values ('r1', 'someone')");
  expect((await one.pool.query("select name from roles")).rows).toEqual([{ name: "someone" }]);
  expect((await other.pool.query("select name from roles")).rows).toEqual([]);
});

it("gives a database back empty, with its sequences at their start and its schema as the migrations made it", async () => {
  const seen = new Set<string>();
  for (const change of [
    "insert into roles (id, name) values ('r1', 'someone')",
    "select nextval('audit_writers')",
    "alter table roles add column colour text",
    "alter table roles disable trigger all",
    "drop table roles cascade",
    "select 1",
  ]) {
    const database = await testDatabase();
    expect((await database.pool.query("select * from roles")).fields.map(({ name }) => name)).not.toContain("colour");
    expect((await database.pool.query("select from roles")).rowCount).toBe(0);
    expect((await database.pool.query("select from pg_trigger where tgenabled = 'D'")).rowCount).toBe(0);
    expect((await database.pool.query("select from pg_sequences where last_value is not null")).rowCount).toBe(0);
    await database.pool.query(change);
    seen.add(database.url);
    await database.drop();
  }
  // Three changes of the schema made three databases useless.
  expect(seen.size).toBeLessThanOrEqual(4);
});
