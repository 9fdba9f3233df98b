import { expect, it } from "vitest";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { connectDatabase } from "./connection.ts";

it("closes the connections of both pools, even of one that Kysely has not used", async () => {
  const { url, pool } = await testDatabaseForOneTest();
  const database = connectDatabase(url);
  const pids: unknown[] = [];
  for (const used of [database.pool, database.longRunning.pool]) {
    const { rows } = await used.query<{ pid: number }>("select pg_backend_pid() as pid");
    pids.push(rows[0]?.pid);
  }
  await database.close();
  const stillOpen = async () => (await pool.query("select pid from pg_stat_activity where pid = any($1::int[])", [pids])).rows;
  await expect.poll(stillOpen).toEqual([]);
});
