import { expect, it } from "vitest";
import { connectDatabase } from "#database/connection.ts";
import { buildCall, testAudit } from "#testing/audit-app.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { storeCalls } from "./store.ts";

it("stores calls at each interval", async () => {
  const database = await testDatabaseForOneTest();
  const { audit } = await testAudit(database, { auditIntervalMs: 20 });
  audit.recorder.record(buildCall());
  await expect.poll(async () => (await audit.page({}, 1)).totalElements).toBe(1);
});

it("stores many calls without waiting for the interval", async () => {
  const database = await testDatabaseForOneTest();
  const { audit } = await testAudit(database);
  for (let call = 0; call < 500; call++) audit.recorder.record(buildCall());
  await expect.poll(() => audit.recorder.waiting).toBe(0);
});

it("stores calls whose common parts were removed since it stored them", async () => {
  const database = await testDatabaseForOneTest();
  const { audit } = await testAudit(database);
  for (const table of ["audit_shapes", "audit_clients"]) {
    audit.recorder.record(buildCall());
    await audit.recorder.flush();
    await database.pool.query(`delete from ${table}`);
  }
  audit.recorder.record(buildCall());
  await audit.recorder.flush();
  const { rows } = await database.pool.query("select count(*)::int as n from audit_events");
  expect([audit.recorder.waiting, rows]).toEqual([0, [{ n: 3 }]]);
});

it("stores pending calls on close", async () => {
  const database = await testDatabaseForOneTest();
  const { audit } = await testAudit(database);
  // Recent ones, because gateways remove old events when they open.
  const nowMs = Date.now();
  for (let call = 0; call < 1_234; call++) audit.recorder.record(buildCall({ timeMs: nowMs + (call >> 3) }));
  await audit.close();
  const { rows } = await database.pool.query("select count(*)::int as n from audit_events");
  expect(rows).toEqual([{ n: 1_234 }]);
});

it("keeps calls during a database outage; calls beyond the buffer are counted as dropped in the log and the metric", async () => {
  const database = await testDatabaseForOneTest();
  const { audit, logged, dropped } = await testAudit(database, { auditBufferEvents: 10 });
  await database.pool.query("alter table audit_events rename to elsewhere");
  for (let call = 0; call < 13; call++) audit.recorder.record(buildCall({ url: `/${call}` }));
  await audit.recorder.flush();
  await audit.recorder.flush();
  expect([audit.recorder.waiting, dropped()]).toEqual([10, 3]);
  expect(logged().match(/cannot write the audit log/g)).toHaveLength(1);
  expect(logged()).toContain('"dropped":3');

  await database.pool.query("alter table elsewhere rename to audit_events");
  await audit.recorder.flush();
  expect((await audit.page({}, 1)).totalElements).toBe(10);
  expect([audit.recorder.waiting, dropped()]).toEqual([0, 3]);
  expect(logged()).toContain("writing the audit log again");
});

it("neither loses nor duplicates calls when the connection breaks", async () => {
  const database = await testDatabaseForOneTest();
  const { audit } = await testAudit(database);
  const other = connectDatabase(database.url, { maxConnections: 1 });
  await other.pool.query("begin");
  await other.pool.query("lock table audit_events");
  for (let call = 0; call < 5; call++) audit.recorder.record(buildCall({ url: `/${call}` }));
  const first = audit.recorder.flush();
  // The retention job may be waiting for the table, too.
  const blockedInserts =
    "pg_locks join pg_stat_activity using (pid) where not granted and relation = 'audit_events'::regclass and query ~ 'insert'";
  await expect.poll(async () => (await database.pool.query(`select from ${blockedInserts}`)).rowCount).toBe(1);
  await database.pool.query(`select pg_terminate_backend(pid) from ${blockedInserts}`);
  await first;
  await other.pool.query("rollback");
  await other.close();
  expect(audit.recorder.waiting).toBe(5);
  await audit.recorder.flush();
  expect(await audit.page({}, 1)).toMatchObject({ totalElements: 5, content: Array.from({ length: 5 }, () => expect.anything()) });
});

it("does not count calls again that are sent twice", async () => {
  const database = await testDatabaseForOneTest();
  const call = { ...buildCall(), id: 123_456_789n, durable: false };
  await storeCalls(database.pool, [call, { ...call, id: 123_456_790n }]);
  await storeCalls(database.pool, [call, { ...call, id: 123_456_791n }]);
  const { rows } = await database.pool.query(
    "select sum(n)::int as n, (select count(*)::int from audit_events) as stored from audit_counts where shape_id > 0",
  );
  expect(rows).toEqual([{ n: 3, stored: 3 }]);
});

it.each([
  ["that the database rejects", { responseCode: 70_000 }],
  // Fastify's types promise a string, but the value can be undefined.
  ["that cannot be serialized", { ip: undefined as unknown as string }],
])("drops a call %s and stores the others", async (_, broken) => {
  const database = await testDatabaseForOneTest();
  const { audit, dropped, logged } = await testAudit(database);
  for (let call = 0; call < 9; call++) audit.recorder.record(buildCall(call === 4 ? broken : {}));
  await audit.recorder.flush();
  expect((await audit.page({}, 1)).totalElements).toBe(8);
  expect([audit.recorder.waiting, dropped()]).toEqual([0, 1]);
  expect(logged()).toContain("dropped a call that the database rejects");
});

it("stores each call once when several gateways record concurrently", async () => {
  const database = await testDatabaseForOneTest();
  const gateways = await Promise.all(Array.from({ length: 3 }, () => testAudit(database)));
  // The same milliseconds and shapes, in different orders. Recent ones, because gateways remove old events when they open.
  const nowMs = Date.now();
  for (let round = 0; round < 5; round++) {
    gateways.forEach(({ audit }, gateway) => {
      for (let call = 0; call < 200; call++) {
        const thing = gateway === 1 ? 199 - call : call;
        audit.recorder.record(buildCall({ url: `/things/${thing}`, userAgent: `agent ${thing}`, timeMs: nowMs + (call % 3) }));
      }
    });
    await Promise.all(gateways.map(({ audit }) => audit.recorder.flush()));
  }
  expect(gateways.map(({ audit, dropped }) => [audit.recorder.waiting, dropped()])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  const { rows } = await database.pool.query(`
    select (select count(*)::int from audit_events) as stored, (select count(*)::int from audit_shapes) as shapes,
      (select n from audit_counts where shape_id = 0) as counted, (select sum(n)::int from audit_counts where shape_id > 0) as by_shape`);
  expect(rows).toEqual([{ stored: 3_000, shapes: 200, counted: 3_000, by_shape: 3_000 }]);
});
