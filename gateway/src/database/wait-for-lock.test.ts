import { expect, it, onTestFinished } from "vitest";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { connectDatabase } from "./connection.ts";
import { waitForLock } from "./wait-for-lock.ts";

const lock = 4_711;

it("waits for a lock for longer than a statement may take, and until it is asked to stop", async () => {
  const { pool, url } = await testDatabaseForOneTest();
  const waiting = connectDatabase(url, { limits: { ...defaultSecurityLimits, databaseStatementMs: 300 } });
  onTestFinished(() => waiting.close());
  const [holder, client] = [await pool.connect(), await waiting.pool.connect()];
  await holder.query(`select pg_advisory_lock(${lock})`);
  let tries = 0;
  const query = (statement: string) => {
    tries += 1;
    return client.query<{ acquired: boolean }>(statement);
  };

  const stop = new AbortController();
  const stopped = waitForLock(query, lock, stop.signal).catch((error: Error) => error.name);
  await expect.poll(() => tries).toBeGreaterThan(3);
  stop.abort();
  expect(await stopped).toBe("AbortError");

  const taken = waitForLock(query, lock);
  await holder.query(`select pg_advisory_unlock(${lock})`);
  await taken;
  const { rows } = await holder.query<{ acquired: boolean }>(`select pg_try_advisory_lock(${lock}) as acquired`);
  expect(rows).toEqual([{ acquired: false }]);
  client.release();
  holder.release();
});
