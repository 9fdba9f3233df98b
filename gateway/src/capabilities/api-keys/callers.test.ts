import type { ApiKey, OwnedApiKey } from "@fairway/contract/api-keys";
import type { LoginAnswer } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import { route } from "@fairway/contract/route";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { adasPassword, identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";

const storms = { datasetCategory: "nature", datasetId: "storms" };

/** Routes that accept API keys: one for any user, which also accepts cookies, and one for administrators. */
const probe = {
  data: route({
    method: "GET",
    path: "/probe/data",
    access: "signed-in",
    summary: "Who calls, and how far.",
    response: z.object({ username: z.string(), roles: z.array(z.string()), datasets: z.array(z.string()).nullable() }),
    apiKey: true,
    cookie: true,
  }),
  adminsData: route({
    method: "GET",
    path: "/probe/admins-data",
    access: { role: "admin" },
    summary: "Data of administrators.",
    response: z.undefined(),
    apiKey: true,
  }),
};
type Probe = z.infer<typeof probe.data.response>;

afterEach(() => void vi.useRealTimers());

interface Options {
  readonly callsPerMinute?: number;
  readonly userCallsPerMinute?: number;
  readonly peer?: IdentityApp;
}

async function gatewayWithKeys({ callsPerMinute = 600, userCallsPerMinute = 6_000, peer }: Options = {}): Promise<IdentityApp> {
  return identityApp({
    ...(peer ? { peer } : { accounts: someAccounts }),
    limits: { apiKeyCallsPerMinute: callsPerMinute, userCallsPerMinute },
    capabilities: () => [{ routes: { probe: implement(probe, probeHandlers) } }],
  });
}

const probeHandlers: Handlers<typeof probe> = {
  data: ({ user: { username, roles, reach } }) => ({
    username,
    roles: [...roles],
    datasets: reach?.datasets.map(({ datasetId }) => datasetId) ?? null,
  }),
  adminsData: () => undefined,
};

const login = async (gateway: IdentityApp, username = "ada", password = adasPassword) =>
  (await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } })).body.token.access_token;

/** Ada with a key for `storms`. */
async function open(options: Options = {}) {
  const gateway = await gatewayWithKeys(options);
  const token = await login(gateway);
  const create = async (name: string, overrides: object = {}) =>
    (await gateway.call<ApiKey>("POST", "/apiKeys", { token, body: { name, datasets: [storms], ...overrides } })).body;
  const { id, key } = await create("Nightly");
  const { rows } = await gateway.database.pool.query<{ id: string }>("select id from users where username = 'ada'");
  return { gateway, token, create, id, key, userId: rows[0]?.id ?? "" };
}

const data = (gateway: IdentityApp, key: string) => gateway.call<Probe & ErrorBody>("GET", "/probe/data", { token: key });
const statusOf = async (gateway: IdentityApp, key: string) => (await data(gateway, key)).status;

/** Freezes the clock, so that no cache entry expires. */
function freezeTime(atMs = Date.now()) {
  vi.useFakeTimers({ toFake: ["Date"], now: atMs });
}

describe("an API key", () => {
  it("authenticates its owner as a bearer token and in its own header, within its scope", async () => {
    const { gateway, token, key } = await open();
    const response = { username: "ada", roles: ["editor", "reader"], datasets: ["storms"] };
    expect(await data(gateway, key)).toMatchObject({ status: 200, body: response });
    const byHeader = await gateway.app.inject({ url: "/probe/data", headers: { "x-api-key": key } });
    expect(byHeader.json()).toEqual(response);
    expect((await data(gateway, token)).body.datasets).toBeNull();
  });

  it("is refused on all other routes: its owner's keys, sessions and password, and the administration", async () => {
    const { gateway, key } = await open();
    for (const [method, path, body] of [
      ["GET", "/apiKeys", undefined],
      ["POST", "/apiKeys", { name: "More", datasets: [storms] }],
      ["PUT", "/apiKeys", { name: "Nightly", datasets: [storms] }],
      ["DELETE", "/apiKeys/Nightly", undefined],
      ["POST", "/apiKeys/Nightly/rotate", {}],
      ["GET", "/admin/apiKeys", undefined],
      ["DELETE", "/admin/apiKeys/1", undefined],
      ["PUT", "/profile/reset-password", { password: "taken over" }],
      ["GET", "/probe/me", undefined],
      ["GET", "/probe/admins", undefined],
    ] as const) {
      const response = await gateway.call(method, path, { token: key, ...(body ? { body } : {}) });
      expect([path, response.status, response.body.errors[0]?.code]).toEqual([path, 403, "forbidden"]);
    }
    expect((await gateway.call("GET", "/probe/admins-data", { token: key })).status).toBe(403);
    expect((await gateway.call("POST", "/auth/refresh", { body: { refreshToken: key } })).status).toBe(401);
  });

  it("is refused with 401 if it does not exist, whatever its format", async () => {
    const { gateway, key } = await open();
    const last = key.at(-1) === "A" ? "E" : "A";
    for (const invalid of [key.slice(0, -1) + last, key.slice(0, -1), `${key}A`, key.toUpperCase(), "fwk_", "fwk_'or'1", key.slice(4)]) {
      expect([invalid, await statusOf(gateway, invalid)]).toEqual([invalid, 401]);
      expect((await gateway.app.inject({ url: "/probe/data", headers: { "x-api-key": invalid } })).statusCode).toBe(401);
    }
    expect((await gateway.app.inject({ url: "/probe/data", headers: { "x-api-key": "" } })).statusCode).toBe(401);
  });

  it("is not replaced by a valid cookie when it is wrong, and is ignored beside a bearer token", async () => {
    const { gateway, token, key } = await open();
    const request = async (headers: Record<string, string>) => (await gateway.app.inject({ url: "/probe/data", headers })).statusCode;
    expect(await request({ cookie: `JWT=${token}` })).toBe(200);
    expect(await request({ cookie: `JWT=${token}`, "x-api-key": "fwk_wrong" })).toBe(401);
    expect(await request({ authorization: "Bearer nobody", "x-api-key": key })).toBe(401);
    expect(await request({ authorization: "Basic YTpi", "x-api-key": key })).toBe(200);
    expect(await request({ cookie: `JWT=${key}` })).toBe(401);
  });

  it("cannot be forged or moved to another user with write access to the database alone", async () => {
    const { gateway, create, key } = await open();
    const other = await create("Other");
    const pool = gateway.database.pool;
    // The hash of a known value with the ciphertext of another.
    const known = `fwk_${"A".repeat(43)}`;
    await pool.query("update api_key_values set hash = encode(sha256(convert_to($2, 'UTF8')), 'hex') where key_id = $1", [other.id, known]);
    expect(await statusOf(gateway, known)).toBe(401);
    await pool.query("update api_keys set user_id = (select id from users where username = 'grace') where name = 'Nightly'");
    expect(await statusOf(gateway, key)).toBe(401);
  });

  it("stops working immediately on every gateway when it is deleted", async () => {
    const { gateway, token, key } = await open();
    const second = await gatewayWithKeys({ peer: gateway });
    expect([await statusOf(gateway, key), await statusOf(second, key)]).toEqual([200, 200]);
    freezeTime();
    expect((await gateway.call("DELETE", "/apiKeys/Nightly", { token })).status).toBe(204);
    expect(await statusOf(gateway, key)).toBe(401);
    await vi.waitFor(async () => expect(await statusOf(second, key)).toBe(401));
  });

  it("applies edits of its scope immediately", async () => {
    const { gateway, token, key } = await open();
    expect((await data(gateway, key)).body.datasets).toEqual(["storms"]);
    freezeTime();
    await gateway.call("PUT", "/apiKeys", { token, body: { name: "Nightly", datasets: [{ ...storms, datasetId: "quakes" }] } });
    expect((await data(gateway, key)).body.datasets).toEqual(["quakes"]);
  });

  it("stops working immediately when its owner is locked, and works again after unlocking", async () => {
    const { gateway, key, userId } = await open();
    const second = await gatewayWithKeys({ peer: gateway });
    expect([await statusOf(gateway, key), await statusOf(second, key)]).toEqual([200, 200]);
    freezeTime();
    await gateway.identity.lockUser(userId);
    expect(await statusOf(gateway, key)).toBe(401);
    await vi.waitFor(async () => expect(await statusOf(second, key)).toBe(401));
    await gateway.identity.unlockUser(userId);
    expect(await statusOf(gateway, key)).toBe(200);
  });

  it("acts with the chosen roles of its owner only, and only while the owner has them", async () => {
    const { gateway, token, create, userId } = await open();
    const keys = { one: await create("One", { roles: ["reader"] }), none: await create("None", { roles: [] }) };
    const rolesOf = async ({ key }: ApiKey) => (await data(gateway, key)).body.roles;
    expect([await rolesOf(keys.one), await rolesOf(keys.none)]).toEqual([["reader"], []]);
    await gateway.call("PUT", "/apiKeys", { token, body: { name: "One", datasets: [storms], roles: ["editor"] } });
    expect(await rolesOf(keys.one)).toEqual(["editor"]);
    await gateway.call("PUT", "/apiKeys", { token, body: { name: "None", datasets: [storms], roles: null } });
    expect(await rolesOf(keys.none)).toEqual(["editor", "reader"]);
    await gateway.database.pool.query("delete from user_roles where user_id = $1", [userId]);
    await gateway.identity.userChanged(userId);
    expect(await rolesOf(keys.one)).toEqual([]);
  });

  it("loses roles with its owner, and stops working immediately when its owner is deleted", async () => {
    const { gateway, key, userId } = await open();
    expect((await data(gateway, key)).body.roles).toEqual(["editor", "reader"]);
    freezeTime();
    await gateway.database.pool.query("delete from user_groups");
    await gateway.identity.userChanged(userId);
    expect((await data(gateway, key)).body.roles).toEqual(["editor"]);
    await gateway.database.pool.query("delete from users where username = 'ada'");
    await gateway.identity.userChanged(userId);
    expect(await statusOf(gateway, key)).toBe(401);
    expect((await gateway.database.pool.query("select from api_key_values")).rowCount).toBe(0);
  });

  it("stops working when it expires, even if cached, and works again when the expiry is extended", async () => {
    const { gateway, token, create } = await open();
    const now = Date.now();
    const { key } = await create("Short", { expiresAtMs: now + 3_000 });
    expect(await statusOf(gateway, key)).toBe(200);
    freezeTime(now + 3_001);
    expect(await statusOf(gateway, key)).toBe(401);
    vi.useRealTimers();
    await gateway.database.pool.query("update api_keys set expires_at = now() - interval '1 second' where name = 'Short'");
    freezeTime(now + 20_000);
    expect(await statusOf(gateway, key)).toBe(401);
    const extended = await gateway.call("PUT", "/apiKeys", {
      token,
      body: { name: "Short", datasets: [storms], expiresAtMs: now + 3_600_000 },
    });
    expect(extended.status).toBe(200);
    expect(await statusOf(gateway, key)).toBe(200);
  });

  it("records its last use to the minute, ignoring refused calls", async () => {
    const { gateway, token, create, key } = await open();
    const other = await create("Other");
    const lastUsed = async () =>
      Object.fromEntries(
        (await gateway.call<ApiKey[]>("GET", "/apiKeys", { token })).body.map(({ name, lastUsedMs }) => [name, lastUsedMs]),
      );
    expect(await lastUsed()).toEqual({ Nightly: null, Other: null });
    await data(gateway, key);
    await statusOf(gateway, `${other.key.slice(0, -3)}AAA`);
    const { Nightly: first, Other: never } = await lastUsed();
    expect([typeof first, never]).toEqual(["number", null]);
    await gateway.database.pool.query("update api_keys set last_used_at = now() - interval '2 minutes' where name = 'Nightly'");
    freezeTime(Date.now() + 6_000);
    await data(gateway, key);
    expect((await lastUsed())["Nightly"]).toBeGreaterThanOrEqual(first ?? Infinity);
  });

  it("is limited in calls per minute with 429 and Retry-After, without affecting other keys and sessions", async () => {
    const { gateway, token, create, key } = await open({ callsPerMinute: 5 });
    const other = await create("Other");
    freezeTime();
    const statuses: number[] = [];
    for (let call = 0; call < 7; call += 1) statuses.push(await statusOf(gateway, key));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const refused = await data(gateway, key);
    expect(refused.body.errors[0]?.code).toBe("too-many-requests");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect([await statusOf(gateway, other.key), await statusOf(gateway, token)]).toEqual([200, 200]);
    freezeTime(Date.now() + 121_000);
    expect(await statusOf(gateway, key)).toBe(200);
  });

  it("counts toward its owner's limit of calls per minute, together with other keys and sessions", async () => {
    const { gateway, token, create, key } = await open({ userCallsPerMinute: 8 });
    const other = await create("Other");
    freezeTime(Date.now() + 121_000);
    const statuses: number[] = [];
    for (const credential of [key, key, key, other.key, other.key, token, token, token, token, key])
      statuses.push(await statusOf(gateway, credential));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 429, 429]);
    const refused = await data(gateway, token);
    const seconds = Number(refused.headers["retry-after"]);
    expect(seconds).toBeGreaterThan(0);
    expect(refused.body.errors).toEqual([
      { code: "too-many-requests", message: `Your account may make 8 calls a minute. Try again in ${seconds} s.` },
    ]);
  });

  it("is never logged, however it is sent", async () => {
    const { gateway, key } = await open();
    await data(gateway, key);
    await gateway.app.inject({ url: "/probe/data", headers: { "x-api-key": key } });
    await gateway.call("GET", "/probe/me", { token: key });
    expect(gateway.logged()).toContain("/probe/data");
    expect(gateway.logged()).not.toContain(key.slice(4));
  });
});

describe("a rotation", () => {
  const rotate = (gateway: IdentityApp, token: string, body?: unknown, name = "Nightly") =>
    gateway.call<ApiKey & ErrorBody>("POST", `/apiKeys/${name}/rotate`, { token, ...(body === undefined ? {} : { body }) });

  it("gives a key a new value with the same scope and shows it once; the old one works for another day", async () => {
    const { gateway, token, key, id } = await open();
    const { status, body } = await rotate(gateway, token);
    expect([status, body.id, body.name, body.datasets]).toEqual([200, id, "Nightly", [storms]]);
    expect(body.key).toMatch(/^fwk_[\w-]{43}$/);
    expect(body.key).not.toBe(key);
    expect([await statusOf(gateway, key), await statusOf(gateway, body.key)]).toEqual([200, 200]);
    expect(Math.abs((body.previousKeyEndsMs ?? 0) - Date.now() - 86_400_000)).toBeLessThan(60_000);
    const listed = (await gateway.call<ApiKey[]>("GET", "/apiKeys", { token })).body;
    expect(listed.map(({ key: shown }) => shown)).toEqual([`fwk_…${body.key.slice(-4)}`]);
    expect(gateway.logged()).not.toContain(body.key.slice(4));
  });

  it("ends the old value after the overlap, even if cached", async () => {
    const { gateway, token, key } = await open();
    const { body } = await rotate(gateway, token, { overlapHours: 1 });
    await gateway.database.pool.query("update api_key_values set ends_at = now() + interval '3 seconds' where ends_at is not null");
    expect(await statusOf(gateway, key)).toBe(200);
    freezeTime(Date.now() + 3_100);
    expect(await statusOf(gateway, key)).toBe(401);
    vi.useRealTimers();
    await gateway.database.pool.query("update api_key_values set ends_at = now() - interval '1 second' where ends_at is not null");
    freezeTime(Date.now() + 20_000);
    expect([await statusOf(gateway, key), await statusOf(gateway, body.key)]).toEqual([401, 200]);
    expect((await gateway.call<ApiKey[]>("GET", "/apiKeys", { token })).body[0]?.previousKeyEndsMs).toBeNull();
  });

  it("without an overlap ends the old value immediately on every gateway", async () => {
    const { gateway, token, key } = await open();
    const second = await gatewayWithKeys({ peer: gateway });
    expect([await statusOf(gateway, key), await statusOf(second, key)]).toEqual([200, 200]);
    freezeTime();
    const { body } = await rotate(gateway, token, { overlapHours: 0 });
    expect(body.previousKeyEndsMs).toBeNull();
    expect([await statusOf(gateway, key), await statusOf(gateway, body.key)]).toEqual([401, 200]);
    await vi.waitFor(async () => expect(await statusOf(second, key)).toBe(401));
  });

  it("keeps the last two values when repeated, also concurrently", async () => {
    const { gateway, token, key } = await open();
    const [first, second] = await Promise.all([rotate(gateway, token), rotate(gateway, token)]);
    expect(await statusOf(gateway, key)).toBe(401);
    expect([await statusOf(gateway, first.body.key), await statusOf(gateway, second.body.key)]).toEqual([200, 200]);
    expect((await gateway.database.pool.query("select from api_key_values")).rowCount).toBe(2);
  });

  it("counts calls with both values together", async () => {
    const { gateway, token, key } = await open({ callsPerMinute: 2 });
    const { body } = await rotate(gateway, token);
    expect([await statusOf(gateway, key), await statusOf(gateway, body.key), await statusOf(gateway, key)]).toEqual([200, 200, 429]);
  });

  it("is available to its owner only, and validates the overlap", async () => {
    const { gateway, token, key } = await open();
    const grace = await login(gateway, "grace", "nanoseconds");
    expect((await rotate(gateway, grace)).status).toBe(404);
    expect((await rotate(gateway, token, {}, "Missing")).status).toBe(404);
    for (const overlapHours of [-1, 1.5, 169, "1", null]) {
      expect(await rotate(gateway, token, { overlapHours })).toMatchObject({ status: 400, body: { errors: [{ path: "overlapHours" }] } });
    }
    expect((await rotate(gateway, token, { key: "fwk_mine" })).status).toBe(400);
    expect(await statusOf(gateway, key)).toBe(200);
    expect((await gateway.database.pool.query("select from api_key_values")).rowCount).toBe(1);
  });
});

describe("administrators", () => {
  async function withAdministrator() {
    const opened = await open();
    const { gateway } = opened;
    await gateway.database.pool.query(
      "insert into user_roles (user_id, role_id) select users.id, roles.id from users, roles where username = 'grace' and roles.name = 'admin'",
    );
    return { ...opened, admin: await login(gateway, "grace", "nanoseconds") };
  }

  it("can list the keys of all users with their owners, without values", async () => {
    const { gateway, admin, key, id, userId } = await withAdministrator();
    await gateway.call("POST", "/apiKeys", { token: admin, body: { name: "Mine", datasets: [storms] } });
    await gateway.identity.lockUser(userId);
    const { status, body } = await gateway.call<OwnedApiKey[]>("GET", "/admin/apiKeys", { token: admin });
    expect(status).toBe(200);
    expect(body.map(({ name, owner }) => [name, owner.username, owner.locked])).toEqual([
      ["Nightly", "ada", true],
      ["Mine", "grace", false],
    ]);
    expect(body[0]).toMatchObject({ id, datasets: [storms], key: `fwk_…${key.slice(-4)}`, owner: { id: userId } });
    expect(JSON.stringify(body)).not.toContain(key.slice(4));
  });

  it("can revoke any key immediately; other users can neither list nor revoke keys of others", async () => {
    const { gateway, admin, token, key, id } = await withAdministrator();
    expect(await statusOf(gateway, key)).toBe(200);
    freezeTime();
    expect((await gateway.call("GET", "/admin/apiKeys", { token })).status).toBe(403);
    expect((await gateway.call("DELETE", `/admin/apiKeys/${id}`, { token })).status).toBe(403);
    expect((await gateway.call("DELETE", `/admin/apiKeys/${id}`)).status).toBe(401);
    expect(await statusOf(gateway, key)).toBe(200);
    expect((await gateway.call("DELETE", `/admin/apiKeys/${id}`, { token: admin })).status).toBe(204);
    expect(await statusOf(gateway, key)).toBe(401);
    expect((await gateway.call("DELETE", `/admin/apiKeys/${id}`, { token: admin })).status).toBe(404);
  });
});
