import { expect, it } from "vitest";
import { testDatabaseForOneTest } from "./postgres.ts";

it("gives each caller a migrated database of its own", async () => {
  const one = await testDatabaseForOneTest();
  const other = await testDatabaseForOneTest();
  await one.pool.query("insert into roles (id, name) values ('r1', 'someone')");
  expect((await one.pool.query("select name from roles")).rows).toEqual([{ name: "someone" }]);
  expect((await other.pool.query("select name from roles")).rows).toEqual([]);
});
