import type { AuditEvent, AuditFilters } from "@fairway/contract/audit";
import { expect, it } from "vitest";
import { auditApp, buildCall, testAudit } from "#testing/audit-app.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { jsonOf } from "./export.ts";
import type { AuditLog } from "./service.ts";

const hourMs = 3_600_000;
const start = Date.UTC(2026, 2, 1);

/** One call in each hour of 200 days, and a day of thousands. Every fifth is grace's. */
function fill(audit: AuditLog): void {
  for (let n = 0; n < 9_800; n++) {
    const timeMs = n < 4_800 ? start + n * hourMs : start + 100 * 24 * hourMs + n * 2_000;
    audit.recorder.record(buildCall({ timeMs, username: n % 5 === 0 ? "grace" : "ada" }));
  }
}

/** A log of these calls, with the statistics that PostgreSQL gathers of it in time: without them it may plan for an empty one. */
async function filledLog(limits: Parameters<typeof testAudit>[1]): Promise<AuditLog> {
  const database = await testDatabaseForOneTest();
  const { audit } = await testAudit(database, limits);
  fill(audit);
  await audit.recorder.flush();
  await database.pool.query("analyze");
  return audit;
}

async function eventsOf(audit: AuditLog, filters: Parameters<AuditLog["export"]>[0]): Promise<{ cut: boolean; events: AuditEvent[] }> {
  const { cut, chunks } = await audit.export(filters);
  let text = "";
  for await (const part of jsonOf(chunks)) text += part;
  return { cut, events: JSON.parse(text) as AuditEvent[] };
}

it("exports all events that match the filters once, newest first", async () => {
  const audit = await filledLog({ auditDays: 100_000 });
  const cases: readonly [AuditFilters, number | undefined][] = [
    [{}, 9_800],
    [{ username: "grace" }, 1_960],
    [{ username: "grace", from: "2026-06-09T12:00:00Z", to: "2026-06-12T12:00:00Z" }, undefined],
    [{ username: "nobody" }, 0],
  ];
  for (const [filters, count] of cases) {
    const { totalElements } = await audit.page(filters, 1);
    const { cut, events } = await eventsOf(audit, { ...filters, to: filters.to ?? "2030-01-01T00:00:00Z" });
    expect([cut, events.length], JSON.stringify(filters)).toEqual([false, count ?? totalElements]);
    const ids = events.map(({ id }) => BigInt(id));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => (a < b ? 1 : -1)));
    const unexpected = events.filter(({ username }) => filters.username !== undefined && username !== filters.username);
    expect(unexpected).toEqual([]);
  }
});

it("exports the newest events up to the operator's limit and marks the export as cut", async () => {
  const audit = await filledLog({ auditDays: 100_000, auditExportRows: 2_500 });
  const to = "2030-01-01T00:00:00Z";
  const { cut, events } = await eventsOf(audit, { to });
  expect([cut, events.length]).toEqual([true, 2_500]);
  expect(events[0]).toEqual((await audit.page({ to }, 1)).content[0]);
});

it("serves the export as a file, also with the download cookie, and escapes formulas in cells", async () => {
  const { gateway, audit, root } = await auditApp({ auditDays: 100_000, auditExportRows: 2 });
  const before = start - hourMs;
  audit.recorder.record(buildCall({ timeMs: before, url: "/api/x", username: '=cmd|"x"', userAgent: "@SUM(1,2)" }));
  await audit.recorder.flush();
  const headers = { cookie: `JWT=${root}` };
  const csv = await gateway.app.inject({ url: "/auditing/export?to=2026-03-01T00:00:00Z", headers });
  expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
  expect(csv.headers["content-disposition"]).toMatch(/^attachment; filename="audit-events-\d{4}-\d\d-\d\d\.csv"/);
  const [event] = (await audit.page({ to: "2026-03-01T00:00:00Z" }, 1)).content;
  expect(csv.body).toBe(
    "id,time,responseCode,method,path,username,ipAddress,browser,operatingSystem,device,durationMs,userId,apiKey,route,userAgent\r\n" +
      `${event?.id},2026-02-28T23:00:00.000Z,200,GET,/api/x,"'=cmd|""x""",192.0.2.9,Unknown,Unknown,Unknown,7,u-ada,,,"'@SUM(1,2)"\r\n`,
  );
  const json = await gateway.app.inject({ url: "/auditing/export?format=json&to=2026-03-01T00:00:00Z", headers });
  expect(json.json()).toEqual([event]);
  const cut = await gateway.app.inject({ url: "/auditing/export?format=json", headers });
  expect(cut.headers["content-disposition"]).toMatch(/-cut\.json"/);
  expect((await gateway.app.inject({ url: "/auditing/export?format=xml", headers })).statusCode).toBe(400);
});
