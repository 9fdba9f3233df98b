import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import type { AuditEvent, AuditPage } from "@fairway/contract/audit";
import { fastify } from "fastify";
import { expect, it, onTestFinished } from "vitest";
import type { CallFacts } from "./audited-call.ts";
import { observeCalls } from "./observe.ts";
import { auditApp } from "#testing/audit-app.ts";
import { adasPassword } from "#testing/identity-app.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";

const summary = ({ content }: AuditPage) =>
  content.map(({ username, method, path, responseCode }) => [username, method, path, responseCode]);

it("[AUDIT-06] [AUDIT-07] records user, time, path, response code, address and client of a call", async () => {
  const { gateway, ada, read } = await auditApp();
  const before = Date.now();
  await gateway.app.inject({
    url: "/things/7?secret=tell-nobody",
    remoteAddress: "198.51.100.4",
    headers: { authorization: `Bearer ${ada}`, "user-agent": windows },
  });
  const { body } = await gateway.call<{ id: string }>("GET", "/probe/me", { token: ada });
  const page = await read("/auditing/events?path=things");
  expect(page).toEqual({
    content: [
      {
        id: expect.stringMatching(/^\d+$/),
        responseCode: 200,
        method: "GET",
        path: "/things/7",
        username: "ada",
        requestTimeMs: expect.any(Number),
        ipAddress: "198.51.100.4",
        client: { browser: "Chrome 126.0.0.0", operatingSystem: "Windows 10", device: "Desktop" },
        details: { durationMs: expect.any(Number), userId: body.id, apiKey: null, route: "/things/:id", userAgent: windows },
      },
    ],
    pageable: { pageNumber: 0, pageSize: 50 },
    last: true,
    totalElements: 1,
    totalIsLowerBound: false,
  });
  const [event] = page.content;
  expect(event?.requestTimeMs).toBeGreaterThanOrEqual(before);
  expect(event?.requestTimeMs).toBeLessThanOrEqual(Date.now());
  expect(await read<AuditEvent>(`/auditing/events/${event?.id}`)).toEqual(event);
});

it("records calls of known users whatever their outcome, and no calls of unknown users", async () => {
  const { gateway, ada, read } = await auditApp();
  for (const [path, token] of [
    ["/things/1", ada],
    ["/probe/admins", ada],
    ["/things/2", "nobody"],
    ["/nothing", ada],
  ] as const) {
    await gateway.call("GET", path, { token });
  }
  expect(summary(await read("/auditing/events?username=ada&method=GET"))).toEqual([
    ["ada", "GET", "/probe/admins", 403],
    ["ada", "GET", "/things/1", 200],
  ]);
});

it("records of refused calls what was withheld, which the answer does not tell, and of others that there were no rows", async () => {
  const { gateway, ada, read } = await auditApp();
  const unknown = await gateway.call("GET", "/things/secret-unknown", { token: ada });
  for (const id of ["secret", "secret-many"]) {
    const { status, body } = await gateway.call("GET", `/things/${id}`, { token: ada });
    expect([status, body]).toEqual([unknown.status, unknown.body]);
  }
  await gateway.call("GET", "/things/empty", { token: ada });
  const { content } = await read("/auditing/events?path=things");
  expect(content.map(({ path, details }) => [path, details.denied])).toEqual([
    ["/things/empty", ["no rows"]],
    ["/things/secret-many", ["dataset", "no rows", "column a", "column b", "column c"]],
    ["/things/secret", ["dataset", "column salary"]],
    ["/things/secret-unknown", undefined],
  ]);
});

it("records a call once with 499 when the caller disconnects", async () => {
  const { gateway, ada, read } = await auditApp();
  await gateway.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = gateway.app.server.address() as AddressInfo;
  const requested = once(gateway.app.server, "request");
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET /waiting HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${ada}\r\n\r\n`);
  await requested;
  // The token is read shortly after the request arrives.
  await gateway.call("GET", "/things/1", { token: ada });
  socket.destroy();
  await expect.poll(async () => summary(await read("/auditing/events?path=waiting"))).toEqual([["ada", "GET", "/waiting", 499]]);
});

it("records the address of a caller who has disconnected", async () => {
  const recorded: CallFacts[] = [];
  const app = fastify();
  onTestFinished(() => app.close());
  const recorder = { record: (facts: CallFacts) => void recorded.push(facts), recordNow: () => Promise.resolve() };
  observeCalls(app, { recorder, findUser: () => Promise.resolve(undefined) });
  app.addHook("onRequest", async (request) => {
    request.caller = { id: "1", username: "ada" } as typeof request.caller;
  });
  app.get("/things", (request) => once(request.raw.socket, "close"));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const requested = once(app.server, "request");
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /things HTTP/1.1\r\nhost: here\r\n\r\n");
  await requested;
  socket.destroy();
  await expect.poll(() => recorded).toMatchObject([{ url: "/things", responseCode: 499, ip: "127.0.0.1" }]);
});

it("stores sign-in attempts before responding, with usernames of existing users only", async () => {
  const { gateway, audit, root } = await auditApp();
  const login = (body: unknown) => gateway.call("POST", "/auth/login", { body, ip: "198.51.100.7" });
  await login({ username: " ADA ", password: adasPassword });
  await login({ username: "ada", password: "wrong-Secret-1" });
  await login({ username: "my-Secret-2", password: "x" });
  await login({ username: { $ne: 1 } });
  await login({ username: "a\0b", password: "x" });
  // No flush here: the events were stored before the responses were sent.
  const { body } = await gateway.call<AuditPage>("GET", "/auditing/events?path=/auth/login", { token: root });
  const attempts = body.content.filter(({ ipAddress }) => ipAddress === "198.51.100.7");
  // Events of the same millisecond are in any order.
  expect(attempts.map(({ username, responseCode }) => `${responseCode} ${username}`).toSorted((a, b) => a.localeCompare(b))).toEqual([
    "200 ada",
    "400 ",
    "400 ",
    "401 ",
    "401 ada",
  ]);
  expect(JSON.stringify(body)).not.toMatch(/secret/i);
  expect(audit.recorder.waiting).toBe(1);
});

it("caps malformed sign-ins of unknown users per minute and records all attempted ones, but no unauthenticated calls", async () => {
  const { gateway, audit, root } = await auditApp();
  const login = (body: unknown) => gateway.call("POST", "/auth/login", { body, ip: "198.51.100.9" });
  expect((await gateway.call("PUT", "/profile/reset-password", { body: { password: "x" } })).status).toBe(401);
  for (let call = 0; call < 130; call++) await login({});
  expect((await login({ username: "ada", password: "wrong-Secret-1" })).status).toBe(401);
  await audit.recorder.flush();
  const { rows } = await gateway.database.pool.query("select count(*)::int as calls from audit_events");
  const { body } = await gateway.call<AuditPage>("GET", "/auditing/events?path=reset-password", { token: root });
  expect(body.content).toEqual([]);
  // Two are the sign-ins of this test's own users.
  expect(rows).toEqual([{ calls: 2 + 120 + 1 }]);
});

it("buffers calls without their query string and with a truncated user agent", async () => {
  const recorded: CallFacts[] = [];
  const app = fastify();
  onTestFinished(() => app.close());
  const recorder = { record: (facts: CallFacts) => void recorded.push(facts), recordNow: () => Promise.resolve() };
  observeCalls(app, { recorder, findUser: () => Promise.resolve(undefined) });
  app.addHook("onRequest", async (request) => {
    request.caller = { id: "1", username: "ada" } as typeof request.caller;
  });
  app.get("/things", () => "");
  await app.inject({ url: `/things?${"q".repeat(9_000)}`, headers: { "user-agent": "a".repeat(9_000) } });
  expect(recorded).toMatchObject([{ url: "/things", userAgent: "a".repeat(900) }]);
});

it("stores a password change immediately, as a security event", async () => {
  const { gateway, ada, root } = await auditApp();
  await gateway.call("PUT", "/profile/reset-password", { token: ada, body: { password: "tell-nobody" } });
  const { body } = await gateway.call<AuditPage>("GET", "/auditing/events?path=reset-password", { token: root });
  expect(summary(body)).toEqual([["ada", "PUT", "/profile/reset-password", 204]]);
  expect(JSON.stringify(body)).not.toContain("tell-nobody");
});

it("records no secrets: no bodies, query strings, headers, signatures, keys or tokens", async () => {
  const { gateway, ada, read } = await auditApp();
  const call = (url: string) =>
    gateway.app.inject({
      url,
      headers: { authorization: `Bearer ${ada}`, "x-api-key": "tell-nobody", "user-agent": `bot fwk_tellnobody ${ada}` },
    });
  await call("/things/1/signed/tell-nobody?signature=tell-nobody");
  await call("/things/fwk_tellnobody");
  await call(`/things/${ada.replaceAll(".", "%2E")}`);
  await call("/things/1%3Ftoken=tell-nobody");
  await call("/things/x;password=tell-nobody");
  const page = await read("/auditing/events?path=things");
  expect(page.content.map(({ path }) => path).toReversed()).toEqual([
    "/things/1/signed/:signature",
    "/things/[hidden]",
    "/things/[hidden]",
    "/things/1?token=[hidden]",
    "/things/x;password=[hidden]",
  ]);
  expect(JSON.stringify(page)).not.toMatch(/tell-?nobody|eyJ/);
});

it("stores hostile text as plain text, on one line and truncated", async () => {
  const { gateway, ada, read } = await auditApp();
  const call = (url: string, agent: string) =>
    gateway.app.inject({ url, headers: { authorization: `Bearer ${ada}`, "user-agent": agent } });
  await call("/things/%3Cimg%20src=x%20onerror=alert(1)%3E", "<script>alert(1)</script>");
  await call("/things/a%0Ab%E2%80%AEc", "a\u00ffb");
  await call("/things/a%00b", "=cmd|' /C calc'!A0");
  await call(`/things/${"%F0%9F%90%A6".repeat(90)}/signed/x`, "Mozilla/5.0 ".repeat(1_000));
  await call(`/things/1/signed/${"%F0%9F%90%A6".repeat(20)}`, "");
  const { content } = await read("/auditing/events?path=/things/");
  expect(content.map(({ path }) => path).toReversed()).toEqual([
    "/things/<img src=x onerror=alert(1)>",
    "/things/a\u{fffd}b\u{fffd}c",
    "/things/a\u{fffd}b",
    `/things/${"\u{1f426}".repeat(90)}/signed/:signature`,
    "/things/1/signed/:signature",
  ]);
  expect(content.map(({ details }) => details.userAgent.length).toReversed()).toEqual([25, 3, 18, 300, 0]);
  expect(content[0]?.client).toEqual({ browser: "Unknown", operatingSystem: "Unknown", device: "Unknown" });
  expect(content[4]?.client.browser).toBe("Unknown");
});
