import type { LoginAnswer } from "@fairway/contract/auth";
import { verify } from "@node-rs/argon2";
import { afterEach, beforeEach, describe, expect, vi } from "vitest";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import { adasPassword, identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";
import { it } from "#testing/identity-test.ts";

beforeEach(() => {
  vi.mocked(verify).mockClear();
});
afterEach(() => vi.useRealTimers());

const login = async (gateway: IdentityApp, password: string, ip: string, username = "ada") =>
  gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username, password }, ip });
const statusOf = async (...attempt: Parameters<typeof login>) => (await login(...attempt)).status;

/** Moves all recorded times back. */
async function advanceMinutes({ database }: IdentityApp, minutes: number) {
  for (const [table, column] of [
    ["login_rates", "window_start"],
    ["login_failures", "at"],
    ["login_locks", "until"],
  ]) {
    await database.pool.query(`update ${table} set ${column} = ${column} - make_interval(mins => $1)`, [minutes]);
  }
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
}

const ada = async ({ database }: IdentityApp) =>
  (await database.pool.query<{ id: string }>("select id from users where username = 'ada'")).rows[0]?.id ?? "";

describe("lockouts", () => {
  it("lock an account for an address, but no other, after 5 failures from it", async ({ gateway }) => {
    for (let failure = 0; failure < 5; failure++) expect(await statusOf(gateway, "wrong", "192.0.2.1")).toBe(401);
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(401);
    expect(await statusOf(gateway, adasPassword, "192.0.2.2")).toBe(200);
    expect(await statusOf(gateway, "nanoseconds", "192.0.2.1", "grace")).toBe(200);
  });

  it("are not caused by sign-ins that fail because of a database outage", async ({ gateway }) => {
    for (let attempt = 0; attempt < 6; attempt++) {
      vi.mocked(verify).mockRejectedValueOnce(new DatabaseUnavailable("away", new Error("connection terminated")));
      expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(503);
    }
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
    const { rows } = await gateway.database.pool.query("select failures from login_rates");
    expect(rows).toEqual([{ failures: 0 }]);
  });

  it("do not start after 4 failures", async ({ gateway }) => {
    for (let failure = 0; failure < 4; failure++) await login(gateway, "wrong", "192.0.2.1");
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
  });

  it("last 15 minutes from the last failure, regardless of further attempts", async ({ gateway }) => {
    for (let failure = 0; failure < 5; failure++) await login(gateway, "wrong", "192.0.2.1");
    await advanceMinutes(gateway, 14);
    for (let failure = 0; failure < 5; failure++) expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(401);
    await advanceMinutes(gateway, 1);
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
  });

  it("count failures of the last 15 minutes only", async ({ gateway }) => {
    for (let failure = 0; failure < 4; failure++) await login(gateway, "wrong", "192.0.2.1");
    await advanceMinutes(gateway, 15);
    await login(gateway, "wrong", "192.0.2.1");
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
  });

  it("count the addresses of an IPv6 /64 together, and the spellings of a username", async ({ gateway }) => {
    for (const [index, username] of ["ada", "ADA", " Ada", "aDa", "ａｄａ"].entries()) {
      await login(gateway, "wrong", `2001:db8:1:2:${index}::1`, username);
    }
    expect(await statusOf(gateway, adasPassword, "2001:db8:1:2::99")).toBe(401);
    expect(await statusOf(gateway, adasPassword, "2001:db8:1:3::99")).toBe(200);
  });

  it("lock an account for all addresses after 50 failures from anywhere", async ({ gateway }) => {
    await login(gateway, "wrong", "198.51.100.1");
    await gateway.database.pool.query(
      `insert into login_failures (account, address, state)
       select account, '198.51.100.' || n, 'failed' from login_failures, generate_series(2, 49) n`,
    );
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
    await login(gateway, "wrong", "198.51.100.50");
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(401);
    expect(await statusOf(gateway, adasPassword, "203.0.113.1")).toBe(401);
    await advanceMinutes(gateway, 15);
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
  });

  it("also apply to unknown usernames", async ({ gateway }) => {
    for (let failure = 0; failure < 5; failure++) await login(gateway, "wrong", "192.0.2.1", "nobody");
    expect((await gateway.database.pool.query("select from login_locks")).rowCount).toBe(1);
  });

  it("do not affect existing sessions", async ({ gateway }) => {
    const { token } = (await login(gateway, adasPassword, "192.0.2.1")).body;
    for (let failure = 0; failure < 6; failure++) await login(gateway, "wrong", "192.0.2.1");
    expect(await gateway.statusOf(token.access_token)).toBe(200);
    expect((await gateway.call("POST", "/auth/refresh", { body: { refreshToken: token.refresh_token } })).status).toBe(200);
  });

  it("are reported to administrators, who can end them", async ({ gateway }) => {
    const id = await ada(gateway);
    expect(await gateway.identity.isLocked(id)).toBe(false);
    for (let failure = 0; failure < 5; failure++) await login(gateway, "wrong", "192.0.2.1");
    expect(await gateway.identity.isLocked(id)).toBe(true);
    expect(await gateway.identity.unlockUser(id)).toBe(true);
    expect(await gateway.identity.isLocked(id)).toBe(false);
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
  });

  it("limit comparisons to 5 passwords for concurrent sign-ins at two gateways", async () => {
    const limits = { signInsAtOnce: 8, passwordChecksAtOnce: 8 };
    const gateway = await identityApp({ accounts: someAccounts, limits });
    const other = await identityApp({ peer: gateway, limits });
    await Promise.all(Array.from({ length: 24 }, (_, index) => login(index % 2 ? gateway : other, `wrong ${index}`, "192.0.2.1")));
    const { rows } = await gateway.database.pool.query("select state, count(*)::int from login_failures group by state order by state");
    expect(rows).toEqual([
      { state: "failed", count: 5 },
      { state: "void", count: 19 },
    ]);
    const stored = await gateway.database.pool.query<{ password_hash: string }>("select password_hash from users where username = 'ada'");
    expect(vi.mocked(verify).mock.calls.filter(([encoded]) => encoded === stored.rows[0]?.password_hash)).toHaveLength(5);
  });

  it("do not refuse concurrent sign-ins with the right password", async () => {
    const gateway = await identityApp({
      accounts: someAccounts,
      limits: { lockoutFailuresPerAddress: 2, signInsAtOnce: 4, passwordChecksAtOnce: 4 },
    });
    const answers = await Promise.all(Array.from({ length: 12 }, () => statusOf(gateway, adasPassword, "192.0.2.1")));
    expect(answers).toEqual(Array.from({ length: 12 }, () => 200));
  });

  it("count a check whose gateway crashed", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: { lockoutFailuresPerAddress: 2 } });
    await login(gateway, "wrong", "192.0.2.1");
    await gateway.database.pool.query(
      "insert into login_failures (account, address, state, at) select account, address, 'pending', now() - interval '11 seconds' from login_failures",
    );
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(401);
  });
});

describe("rate limits", () => {
  it("refuse the 121st attempt in a minute with 429 and Retry-After, even with the right password", async ({ gateway }) => {
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
    await gateway.database.pool.query("update login_rates set attempts = attempts + 118");
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
    const refused = await gateway.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword }, ip: "192.0.2.1" });
    expect(refused).toMatchObject({ status: 429, body: { errors: [{ code: "too-many-requests" }] } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60);
    expect(await statusOf(gateway, adasPassword, "192.0.2.2")).toBe(200);
    await advanceMinutes(gateway, 1);
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
  });

  it("refuse an address after 30 failures in a minute, spread over many accounts", async ({ gateway }) => {
    expect(await statusOf(gateway, "wrong", "192.0.2.1", "one name")).toBe(401);
    await gateway.database.pool.query("update login_rates set failures = failures + 28");
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
    expect(await statusOf(gateway, "wrong", "192.0.2.1", "another name")).toBe(401);
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(429);
    expect(await statusOf(gateway, adasPassword, "192.0.2.2")).toBe(200);
    await advanceMinutes(gateway, 1);
    expect(await statusOf(gateway, adasPassword, "192.0.2.1")).toBe(200);
  });

  it("apply across gateways and to concurrent attempts", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: { loginFailuresPerMinute: 10 } });
    const other = await identityApp({ peer: gateway, limits: { loginFailuresPerMinute: 10 } });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => statusOf(index % 2 ? gateway : other, "wrong", "192.0.2.1", `name ${index}`)),
    );
    expect(answers.filter((status) => status === 401)).toHaveLength(10);
    expect(answers.filter((status) => status === 429)).toHaveLength(30);
    expect(vi.mocked(verify)).toHaveBeenCalledTimes(10);
    expect(await statusOf(other, adasPassword, "192.0.2.1")).toBe(429);
  });
});
