import { expect, it } from "vitest";
import { buildCall, testAudit } from "#testing/audit-app.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { removeOldEvents } from "./retention.ts";

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 21, 9);
const eventsPerDay = 10;

async function filled() {
  const database = await testDatabaseForOneTest();
  const { audit } = await testAudit(database, { auditDays: 100_000 });
  for (let day = 0; day < 40; day++) {
    for (let n = 0; n < eventsPerDay; n++) {
      const label = day > 30 ? "old" : "new";
      audit.recorder.record(buildCall({ timeMs: now - day * dayMs + n, url: `/${label}`, username: label, userAgent: label }));
    }
  }
  await audit.recorder.flush();
  return { database, audit };
}

it("removes events older than the retention period, with rows that only they used, and keeps the rest", async () => {
  const { database, audit } = await filled();
  // Closed first, because its own cleanup would hold the lock.
  await audit.close();
  expect(await removeOldEvents(database.db, 30, now)).toBe(9 * eventsPerDay);
  expect((await audit.page({}, 1)).totalElements).toBe(31 * eventsPerDay);
  expect((await audit.page({ username: "old" }, 1)).content).toEqual([]);
  expect(await audit.usernames()).toEqual(["new"]);
  const { rows } = await database.pool.query(
    "select (select count(*)::int from audit_events) as events, (select array_agg(user_agent) from audit_clients) as agents",
  );
  expect(rows).toEqual([{ events: 31 * eventsPerDay, agents: ["new"] }]);
  expect(await removeOldEvents(database.db, 30, now)).toBe(0);
});

it("loses no recent events when gateways clean up and record concurrently", async () => {
  const { database, audit } = await filled();
  const cleanups = Array.from({ length: 3 }, () => removeOldEvents(database.db, 30, now));
  for (let n = 0; n < 500; n++)
    audit.recorder.record(buildCall({ timeMs: now + 1_000 + n, url: "/old", username: "old", userAgent: "old" }));
  await Promise.all([...cleanups, audit.recorder.flush()]);
  // The log's own cleanup may hold the lock for a moment.
  await expect
    .poll(async () => {
      await removeOldEvents(database.db, 30, now);
      return (await audit.page({}, 1)).totalElements;
    })
    .toBe(31 * eventsPerDay + 500);
  const { content, totalElements } = await audit.page({ username: "old" }, 1);
  expect([content.length, totalElements]).toEqual([50, 500]);
});

it("removes old events when the log opens", async () => {
  const database = await testDatabaseForOneTest();
  const first = await testAudit(database, { auditDays: 100_000 });
  for (const timeMs of [Date.now() - 400 * dayMs, Date.now()]) first.audit.recorder.record(buildCall({ timeMs }));
  // Closed first, because its own cleanup would hold the lock.
  await first.audit.close();
  const { audit, logged } = await testAudit(database);
  await expect.poll(logged).toContain('"removed":1');
  expect((await audit.page({}, 1)).totalElements).toBe(1);
});
