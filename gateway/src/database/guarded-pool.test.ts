import pino from "pino";
import { DatabaseError } from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { GuardedPool } from "./guarded-pool.ts";
import { Outage } from "./outage.ts";
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
