import type { AuditFilters, AuditPage } from "@fairway/contract/audit";
import type { ErrorBody } from "@fairway/contract/errors";
import { beforeAll, describe, expect, it } from "vitest";
import { type AuditApp, auditApp, buildCall, testAudit } from "#testing/audit-app.ts";
import { testDatabase, testDatabaseForOneTest } from "#testing/postgres.ts";
import type { CallFacts } from "./audited-call.ts";
import type { AuditLog } from "./service.ts";

const dayMs = 86_400_000;
const start = Date.UTC(2026, 2, 1);

/** Fifty days of calls: busy and quiet days, frequent and rare users. */
const calls: CallFacts[] = Array.from({ length: 50 }, (_, day) =>
  Array.from({ length: day % 10 === 0 ? 150 : 10 }, (__, n) =>
    buildCall({
      timeMs: start + day * dayMs + n * 500_000 + (n % 3),
      username: n % 25 === 7 ? "rare" : n % 3 === 0 ? "ada" : "grace",
      userId: null,
      responseCode: n % 11 === 5 ? 500 : n % 7 === 0 ? 404 : 200,
      method: n % 4 === 1 ? "POST" : "GET",
      url: `/api/${n % 5 === 0 ? "Things" : "datasets"}/${n % 13}_%25`,
      userAgent: `agent/${n % 4}`,
    }),
  ),
).flat();

const pathOfCall = (call: CallFacts) => call.url.replace("%25", "%");

/** The expected events, computed by a simple filter. */
function expected(filters: AuditFilters): CallFacts[] {
  const [from, to] = [Date.parse(filters.from ?? "1970-01-01T00:00:00Z"), Date.parse(filters.to ?? "2100-01-01T00:00:00Z")];
  return calls
    .filter(
      (call) =>
        (filters.username === undefined || call.username === filters.username) &&
        (filters.responseCode === undefined || call.responseCode === filters.responseCode) &&
        (filters.method === undefined || call.method === filters.method) &&
        (filters.path === undefined || pathOfCall(call).toLowerCase().includes(filters.path.toLowerCase())) &&
        call.timeMs >= from &&
        call.timeMs <= to,
    )
    .toSorted((a, b) => b.timeMs - a.timeMs);
}

const none: AuditFilters = {};

let filledLog: AuditLog;

beforeAll(async () => {
  const database = await testDatabase();
  const closers: (() => Promise<void>)[] = [];
  const { audit } = await testAudit(database, { auditDays: 100_000 }, (close) => closers.push(close));
  for (const call of calls) audit.recorder.record(call);
  await audit.recorder.flush();
  filledLog = audit;
  return async () => {
    for (const close of closers) await close();
    await database.drop();
  };
});

it.each<AuditFilters>([
  none,
  { username: "ada" },
  { username: "rare" },
  { username: "rare", responseCode: 404 },
  { username: "nobody" },
  { responseCode: 500 },
  { responseCode: 500, method: "POST" },
  { method: "GET", path: "THINGS" },
  { path: "/things/5_%" },
  { path: "_" },
  { path: "no such" },
  { username: "grace", responseCode: 200, method: "POST", path: "data" },
  { username: "grace", path: "data" },
  { responseCode: 404, path: "things" },
  { from: "2026-03-11T01:00:00Z" },
  { to: "2026-03-11T01:00:00.001Z" },
  { from: "2026-03-11T01:00:00Z", to: "2026-03-11T09:00:00Z" },
  { from: "2026-03-11T01:00:00Z", to: "2026-04-10T03:00:00Z", username: "rare" },
  { from: "2026-03-11T00:00:00Z", to: "2026-03-11T00:00:00Z" },
  { from: "0001-01-01T00:00:00Z", to: "9999-12-31T23:59:59.999Z", username: "ada" },
  { from: "2027-01-01T00:00:00Z" },
])("pages through all events that match %j once, newest first, and marks the last page", async (filters) => {
  const audit = filledLog;
  const matching = expected(filters);
  const found: AuditPage["content"] = [];
  for (let pageNumber = 1; ; pageNumber++) {
    const page = await audit.page(filters, pageNumber);
    expect(page).toMatchObject({
      pageable: { pageNumber: pageNumber - 1, pageSize: 50 },
      totalElements: matching.length,
      totalIsLowerBound: false,
    });
    found.push(...page.content);
    expect(page.last).toBe(found.length === matching.length);
    if (page.last) break;
    expect(page.content).toHaveLength(50);
  }
  expect(new Set(found.map(({ id }) => id)).size).toBe(matching.length);
  const summary = (events: AuditPage["content"]) =>
    events.map((event) => [event.requestTimeMs, event.username, event.responseCode, event.method, event.path]);
  expect(summary(found)).toEqual(matching.map((call) => [call.timeMs, call.username, call.responseCode, call.method, pathOfCall(call)]));
  expect(await audit.page(filters, 100_000)).toMatchObject({ content: [], last: true, totalElements: matching.length });
});

it("leaves out successful background reads, in pages, totals and combined with every other filter", async () => {
  const { audit } = await testAudit(await testDatabaseForOneTest(), { auditDays: 100_000 });
  const add = (url: string, overrides: Partial<CallFacts> = {}) => audit.recorder.record(buildCall({ url, ...overrides }));
  for (let day = 0; day < 3; day++) {
    const timeMs = start + day * dayMs;
    for (const path of ["live", "notices/new", "favorite/graphTemplates", "favorite/queries", "datasets/Air/flights/profile/thumbnail"]) {
      add(`/api/${path}`, { timeMs, username: day === 1 ? "grace" : "ada", responseCode: day === 2 ? 304 : 200 });
    }
  }
  const noon = start + dayMs + dayMs / 2;
  for (const [url, overrides] of [
    ["/api/notices/new", { responseCode: 500 }],
    ["/api/favorite/queries", { method: "POST", username: "grace" }],
    ["/api/favorite/queries/7", {}],
    ["/api/datasets/Air/flights/profile", { responseCode: 404 }],
    ["/api/datasets/Air/flights/columns/notices/new", { username: "grace" }],
  ] as const) {
    add(url, { timeMs: noon, ...overrides });
  }
  await audit.recorder.flush();
  const found = async (filters: AuditFilters) => {
    const { content, totalElements, last } = await audit.page({ hideBackground: true, ...filters }, 1);
    expect([content.length, last]).toEqual([totalElements, true]);
    return content.map(({ method, path, responseCode }) => `${method} ${path} ${responseCode}`).toSorted((a, b) => a.localeCompare(b));
  };
  const all = [
    "GET /api/datasets/Air/flights/columns/notices/new 200",
    "GET /api/datasets/Air/flights/profile 404",
    "GET /api/favorite/queries/7 200",
    "GET /api/notices/new 500",
    "POST /api/favorite/queries 200",
  ];
  expect(await found({})).toEqual(all);
  expect(await found({ username: "grace" })).toEqual([all[0], all[4]]);
  expect(await found({ username: "grace", path: "notices" })).toEqual([all[0]]);
  expect(await found({ path: "queries" })).toEqual([all[2], all[4]]);
  expect(await found({ responseCode: 200, method: "GET" })).toEqual([all[0], all[2]]);
  expect(await found({ from: new Date(start + dayMs + 1).toISOString(), to: new Date(noon).toISOString() })).toEqual(all);
  expect(await found({ to: new Date(noon - 1).toISOString() })).toEqual([]);
  expect((await audit.page({}, 1)).totalElements).toBe(20);
});

it("caps the total of a filter at 100,000 as a lower bound; without a filter the total is exact", async () => {
  const database = await testDatabaseForOneTest();
  const { audit } = await testAudit(database, { auditDays: 100_000 });
  audit.recorder.record(buildCall());
  await audit.recorder.flush();
  await database.pool.query("update audit_facet_counts set n = 100000");
  expect(await audit.page({ username: "ada" }, 1)).toMatchObject({ totalElements: 100_000, totalIsLowerBound: false });
  await database.pool.query("update audit_facet_counts set n = 100001");
  await database.pool.query("update audit_counts set n = 100001");
  expect(await audit.page({ username: "ada" }, 1)).toMatchObject({ totalElements: 100_000, totalIsLowerBound: true });
  expect(await audit.page({}, 1)).toMatchObject({ totalElements: 100_001, totalIsLowerBound: false });
});

describe("an administrator", () => {
  let app: AuditApp;
  const get = <Body>(query: string, token = app.root) => app.gateway.call<Body & ErrorBody>("GET", `/auditing/events${query}`, { token });

  it("[AUDIT-08] [AUDIT-16] gets pages of 50 events, counted from one", async () => {
    app = await auditApp({ auditDays: 100_000 });
    for (const call of calls) app.audit.recorder.record(call);
    await app.audit.recorder.flush();
    const third = await get<AuditPage>("?pageNumber=3&to=2026-06-01T00:00:00Z");
    expect(third.body.pageable).toEqual({ pageNumber: 2, pageSize: 50 });
    expect(third.body.content.map(({ requestTimeMs }) => requestTimeMs)).toEqual(
      expected(none)
        .slice(100, 150)
        .map(({ timeMs }) => timeMs),
    );
    expect((await get<AuditPage>("")).body.pageable.pageNumber).toBe(0);
    for (const invalid of ["0", "-1", "1.5", "x", "", "99999999", "1e3"]) {
      expect(await get(`?pageNumber=${invalid}`)).toMatchObject({ status: 400, body: { errors: [{ path: "pageNumber" }] } });
    }
  });

  it("[AUDIT-09] [AUDIT-10] can filter by username and response code, and by method, path and time", async () => {
    app = await auditApp({ auditDays: 100_000 });
    for (const call of calls) app.audit.recorder.record(call);
    await app.audit.recorder.flush();
    for (const [query, filters] of [
      ["username=rare", { username: "rare" }],
      ["responseCode=500", { responseCode: 500 }],
      ["username=ada&responseCode=404&method=&path=", { username: "ada", responseCode: 404 }],
      ["method=POST&path=%2Fthings%2F5_%25", { method: "POST", path: "/things/5_%" }],
      ["hideBackground=true&responseCode=500", { responseCode: 500 }],
      ["hideBackground=false&responseCode=500", { responseCode: 500 }],
      ["from=2026-03-05T00:00:00Z&to=2026-03-05T01:00:00.000Z", { from: "2026-03-05T00:00:00Z", to: "2026-03-05T01:00:00Z" }],
    ] as const) {
      const { body } = await get<AuditPage>(`?to=2026-06-01T00:00:00Z&${query}`.replace(/\?to=[^&]*&(.*to=)/, "?$1"));
      expect([query, body.totalElements]).toEqual([query, expected(filters as AuditFilters).length]);
    }
    for (const [invalid, path] of [
      ["responseCode=600", "responseCode"],
      ["responseCode=2xx", "responseCode"],
      ["method=TRACE", "method"],
      ["username=a%00", "username"],
      ["path=%00", "path"],
      [`path=${"x".repeat(501)}`, "path"],
      ["from=yesterday", "from"],
      ["to=2026-13-01T00:00:00Z", "to"],
      ["from=2026-03-06T00:00:00Z&to=2026-03-05T00:00:00Z", "from"],
      ["username=a&username=b", "username"],
      ["hideBackground=1", "hideBackground"],
    ]) {
      expect(await get(`?${invalid}`)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    }
    const injected = await get<AuditPage>(`?path=${encodeURIComponent("' or 1=1; drop table audit_events; --")}`);
    expect(injected.body).toMatchObject({ content: [], totalElements: 0 });
    expect((await get<AuditPage>("?username=rare")).body.totalElements).toBe(expected({ username: "rare" }).length);
  });

  it("[AUDIT-11] [AUDIT-12] gets the usernames and response codes that occur in the log", async () => {
    app = await auditApp();
    await app.gateway.call("GET", "/things/1", { token: app.ada });
    await app.gateway.call("GET", "/probe/admins", { token: app.ada });
    await app.gateway.call("POST", "/auth/login", { body: { username: "nobody", password: "x" } });
    expect(await app.read("/auditing/usernames")).toEqual(["ada", "root"]);
    expect(await app.read("/auditing/responseCodes")).toEqual([200, 401, 403]);
  });

  it("gets an event by its id, and 404 for any other text", async () => {
    app = await auditApp();
    const [event] = (await app.read("/auditing/events")).content;
    expect(await app.read(`/auditing/events/${event?.id}`)).toEqual(event);
    for (const id of ["1", "x", "-1", "9".repeat(19), "9".repeat(30), "%00", "1%20or%201"]) {
      expect((await app.gateway.call("GET", `/auditing/events/${id}`, { token: app.root })).status).toBe(404);
    }
  });

  it("[AUDIT-15] has exclusive access to the log", async () => {
    app = await auditApp();
    for (const path of ["events", "events/1", "usernames", "responseCodes", "export"]) {
      expect((await app.gateway.call("GET", `/auditing/${path}`, { token: app.ada })).status).toBe(403);
      expect((await app.gateway.call("GET", `/auditing/${path}`)).status).toBe(401);
    }
  });
});
