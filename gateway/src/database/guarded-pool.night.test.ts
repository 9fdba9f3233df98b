import pino from "pino";
import { DatabaseError } from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { GuardedPool } from "./guarded-pool.ts";
import { Outage } from "./outage.ts";
import { StatementNames } from "./statement-names.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/** A pool with one connection, and its log lines. */
function singleConnectionPool(limits: { connectMs?: number; statementMs?: number }): { pool: GuardedPool; logged: () => string[] } {
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const options = { url: inject("testPostgres").url, maxConnections: 1, connectMs: 10_000, statementMs: 10_000, ...limits };
  const pool = new GuardedPool({ ...options, outage: new Outage(log) });
  onTestFinished(() => pool.end());
  return { pool, logged: () => lines };
}

const backendPid = async (pool: GuardedPool): Promise<unknown> => (await pool.query("select pg_backend_pid() as pid")).rows[0]?.pid;

it("rejects a slow statement as unavailable and keeps its connection", async () => {
  const { pool, logged } = singleConnectionPool({ statementMs: 200 });
  const pid = await backendPid(pool);
  for (let run = 0; run < 3; run += 1) {
    const failure: unknown = await pool.query("select pg_sleep(60)").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseUnavailable);
    expect(failure).toMatchObject({ reason: "busy" });
  }
  expect(await backendPid(pool)).toBe(pid);
  // An outage is logged once.
  expect(logged()).toHaveLength(1);
});

it("rejects an invalid statement with its own error", async () => {
  const { pool, logged } = singleConnectionPool({});
  await expect(pool.query("select 1 / 0")).rejects.toBeInstanceOf(DatabaseError);
  await expect(pool.query("select from nowhere")).rejects.toMatchObject({ code: "42P01" });
  expect(logged()).toEqual([]);
});

it("limits the wait for a connection", async () => {
  const { pool } = singleConnectionPool({ connectMs: 2_000 });
  const client = await pool.connect();
  await expect(pool.query("select 1")).rejects.toBeInstanceOf(DatabaseUnavailable);
  client.release();
  expect((await pool.query("select 1")).rowCount).toBe(1);
});

it("does not time out because the event loop was blocked", async () => {
  const { pool } = singleConnectionPool({ connectMs: 500, statementMs: 500 });
  const answer = pool.query("select 1");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  expect((await answer).rowCount).toBe(1);
});

describe("named statements", () => {
  const poolWithNames = async () => {
    const { url } = await testDatabaseForOneTest();
    const pool = new GuardedPool({
      url,
      maxConnections: 1,
      connectMs: 10_000,
      statementMs: 10_000,
      outage: new Outage(pino({ level: "silent" })),
      statementNames: new StatementNames(),
    });
    onTestFinished(() => pool.end());
    await pool.query("create table things (id integer)");
    await pool.query("insert into things values (7)");
    return pool;
  };
  const preparedStatements = async (pool: GuardedPool) =>
    (await pool.query<{ statement: string }>("select statement from pg_prepared_statements order by statement")).rows.map(
      ({ statement }) => statement,
    );
  const find = "select * from things where id = $1";

  it("are prepared once they recur, if they have a plan", async () => {
    const pool = await poolWithNames();
    for (let run = 0; run < 2; run += 1) await pool.query(find, [7]);
    expect(await preparedStatements(pool)).toEqual([]);
    for (let run = 0; run < 3; run += 1) expect((await pool.query(find, [7])).rows).toEqual([{ id: 7 }]);
    for (let run = 0; run < 5; run += 1) await pool.query("select set_config('application_name', 'x', false)");
    for (let run = 0; run < 5; run += 1) await pool.query("begin", []).then(() => pool.query("commit", []));
    expect(await preparedStatements(pool)).toEqual([find]);
  });

  it("still work after their table has changed", async () => {
    const pool = await poolWithNames();
    for (let run = 0; run < 4; run += 1) await pool.query(find, [7]);
    const before = await backendPid(pool);
    await pool.query("alter table things add column name text");
    expect((await pool.query(find, [7])).rows).toEqual([{ id: 7, name: null }]);
    // The connection with the outdated plan is not reused.
    expect(await backendPid(pool)).not.toBe(before);
  });

  it.each(["select * from things where id = $1", "select things.* from things where id = $1", "update things set id = $1 returning *"])(
    "have no plan in a transaction that a new column could outdate: %s",
    async (text) => {
      const pool = await poolWithNames();
      for (let run = 0; run < 4; run += 1) await pool.query(text, [7]);
      await pool.query("alter table things add column name text");
      const client = await pool.connect();
      await client.query("begin");
      expect((await client.query(text, [7])).rows).toEqual([{ id: 7, name: null }]);
      await client.query("commit");
      client.release();
    },
  );

  it("fail a transaction after the type of a column has changed, but not the next one", async () => {
    const pool = await poolWithNames();
    const ids = "select id from things where id = $1";
    for (let run = 0; run < 4; run += 1) await pool.query(ids, [7]);
    await pool.query("alter table things alter column id type bigint");
    const client = await pool.connect();
    await client.query("begin");
    await expect(client.query(ids, [7])).rejects.toMatchObject({ code: "0A000" });
    await client.query("rollback");
    client.release();
    expect((await pool.query(ids, [7])).rows).toEqual([{ id: "7" }]);
  });

  it("are limited to 300 and exclude long statements", () => {
    const names = new StatementNames();
    const nameOf = (text: string) => [1, 2, 3].map(() => names.nameOf(text)).at(-1);
    expect(nameOf(`select ${"1, ".repeat(2_000)} 1`)).toBeUndefined();
    const assigned = Array.from({ length: 400 }, (_, index) => nameOf(`select ${index}`));
    expect(new Set(assigned.filter((name) => name !== undefined)).size).toBe(300);
    expect(assigned[299]).toBe(names.nameOf("select 299"));
    expect(assigned[300]).toBeUndefined();
  });
});
