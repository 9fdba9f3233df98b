import pino from "pino";
import { DatabaseError } from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { GuardedPool } from "./guarded-pool.ts";
import { Outage } from "./outage.ts";
import { StatementNames } from "./statement-names.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/** A pool of one connection, with what it logged. */
function onePool(limits: { connectMs?: number; statementMs?: number }): { pool: GuardedPool; logged: () => string[] } {
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const options = { url: inject("testPostgres").url, maxConnections: 1, connectMs: 10_000, statementMs: 10_000, ...limits };
  const pool = new GuardedPool({ ...options, outage: new Outage(log) });
  onTestFinished(() => pool.end());
  return { pool, logged: () => lines };
}

const sessionOf = async (pool: GuardedPool): Promise<unknown> => (await pool.query("select pg_backend_pid() as pid")).rows[0]?.pid;

it("a slow statement is refused for the time being, and keeps its connection", async () => {
  const { pool, logged } = onePool({ statementMs: 200 });
  const session = await sessionOf(pool);
  for (let time = 0; time < 3; time += 1) {
    const failure: unknown = await pool.query("select pg_sleep(60)").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseUnavailable);
    expect(failure).toMatchObject({ reason: "busy" });
  }
  expect(await sessionOf(pool)).toBe(session);
  // However often it happens, an outage is logged once.
  expect(logged()).toHaveLength(1);
});

it("a statement that is wrong stays the statement's fault", async () => {
  const { pool, logged } = onePool({});
  await expect(pool.query("select 1 / 0")).rejects.toBeInstanceOf(DatabaseError);
  await expect(pool.query("select from nowhere")).rejects.toMatchObject({ code: "42P01" });
  expect(logged()).toEqual([]);
});

it("a connection that nobody gives back is not waited for without end", async () => {
  const { pool } = onePool({ connectMs: 200 });
  const client = await pool.connect();
  await expect(pool.query("select 1")).rejects.toBeInstanceOf(DatabaseUnavailable);
  client.release();
  expect((await pool.query("select 1")).rowCount).toBe(1);
});

it("an event loop that is held up for longer than the limits costs no answer", async () => {
  const { pool } = onePool({ connectMs: 500, statementMs: 500 });
  const answer = pool.query("select 1");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  expect((await answer).rowCount).toBe(1);
});

describe("statements with names", () => {
  const named = async () => {
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
  const kept = async (pool: GuardedPool) =>
    (await pool.query<{ statement: string }>("select statement from pg_prepared_statements order by statement")).rows.map(
      ({ statement }) => statement,
    );
  const find = "select * from things where id = $1";

  it("are planned by the server once they recur, and only those that have a plan", async () => {
    const pool = await named();
    for (let time = 0; time < 2; time += 1) await pool.query(find, [7]);
    expect(await kept(pool)).toEqual([]);
    for (let time = 0; time < 3; time += 1) expect((await pool.query(find, [7])).rows).toEqual([{ id: 7 }]);
    for (let time = 0; time < 5; time += 1) await pool.query("select set_config('application_name', 'x', false)");
    for (let time = 0; time < 5; time += 1) await pool.query("begin", []).then(() => pool.query("commit", []));
    expect(await kept(pool)).toEqual([find]);
  });

  it("answer as before when somebody has changed the table meanwhile", async () => {
    const pool = await named();
    for (let time = 0; time < 4; time += 1) await pool.query(find, [7]);
    const before = await sessionOf(pool);
    await pool.query("alter table things add column name text");
    expect((await pool.query(find, [7])).rows).toEqual([{ id: 7, name: null }]);
    // The connection that kept the plan is not used again.
    expect(await sessionOf(pool)).not.toBe(before);
  });

  it("fail a transaction that meets a changed table, and the next one works", async () => {
    const pool = await named();
    for (let time = 0; time < 4; time += 1) await pool.query(find, [7]);
    await pool.query("alter table things add column name text");
    const client = await pool.connect();
    await client.query("begin");
    await expect(client.query(find, [7])).rejects.toMatchObject({ code: "0A000" });
    await client.query("rollback");
    client.release();
    expect((await pool.query(find, [7])).rows).toEqual([{ id: 7, name: null }]);
  });

  it("are at most 300, and none that is long", () => {
    const names = new StatementNames();
    const nameOf = (text: string) => [1, 2, 3].map(() => names.nameOf(text)).at(-1);
    expect(nameOf(`select ${"1, ".repeat(2_000)} 1`)).toBeUndefined();
    const given = Array.from({ length: 400 }, (_, index) => nameOf(`select ${index}`));
    expect(new Set(given.filter((name) => name !== undefined)).size).toBe(300);
    expect(given[299]).toBe(names.nameOf("select 299"));
    expect(given[300]).toBeUndefined();
  });
});
