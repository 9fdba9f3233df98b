import type { TokenWrapper } from "@fairway/contract/auth";
import { tokenWrapper } from "@fairway/contract/auth";
import { describe, expect, it } from "vitest";
import { identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";
import { tokensOf } from "#testing/signed-in.ts";

const refresh = (gateway: IdentityApp, refreshToken: string | null) =>
  gateway.call<TokenWrapper>("POST", "/auth/refresh", { body: { refreshToken } });
const refreshed = async (gateway: IdentityApp, refreshToken: string | null) =>
  tokenWrapper.parse((await refresh(gateway, refreshToken)).body);
const logout = (gateway: IdentityApp, refreshToken: string | null) => gateway.call("POST", "/auth/logout", { body: { refreshToken } });

const over = { status: 401, body: { errors: [{ code: "invalid-refresh-token" }] } };

describe("refreshing", () => {
  it("[SESSION-07] answers a new wrapper whose access token works", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const first = await tokensOf(gateway);
    const answer = await refresh(gateway, first.refresh_token);
    expect(answer.status).toBe(200);
    const second = tokenWrapper.parse(answer.body);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second).toMatchObject({ token_type: "Bearer", expires_in: 1_800 });
    expect(await gateway.statusOf(second.access_token)).toBe(200);
  });

  it("tells the roles of now, not those of the sign-in", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const first = await tokensOf(gateway);
    await gateway.database.pool.query("delete from user_roles");
    const { access_token } = await refreshed(gateway, first.refresh_token);
    const claims = JSON.parse(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString()) as { roles: string[] };
    expect(claims.roles).toEqual(["reader"]);
  });

  it("[SESSION-08] refuses a token that is unknown, an access token, or expired with 401", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const { access_token, refresh_token } = await tokensOf(gateway);
    expect(await refresh(gateway, "unknown")).toMatchObject(over);
    expect(await refresh(gateway, access_token.slice(0, 1_000))).toMatchObject(over);
    await gateway.database.pool.query("update refresh_tokens set expires_at = now()");
    expect(await refresh(gateway, refresh_token)).toMatchObject(over);
  });

  it("refuses a body without a refresh token with 400", async () => {
    const gateway = await identityApp();
    for (const body of [{}, { refreshToken: "" }, { refreshToken: null }, { refreshToken: "x".repeat(1_001) }]) {
      const answer = await gateway.call("POST", "/auth/refresh", { body });
      expect({ status: answer.status, path: answer.body.errors[0]?.path }).toEqual({ status: 400, path: "refreshToken" });
    }
  });

  it("is refused with 429 and Retry-After beyond an address's rate, for that address alone", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: { refreshesPerMinute: 3 } });
    let { refresh_token } = await tokensOf(gateway);
    for (let round = 0; round < 2; round++) ({ refresh_token } = await refreshed(gateway, refresh_token));
    expect((await refresh(gateway, "no such token")).status).toBe(401);
    const refused = await refresh(gateway, refresh_token);
    expect(refused).toMatchObject({ status: 429, body: { errors: [{ code: "too-many-requests" }] } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    const elsewhere = await gateway.call("POST", "/auth/refresh", { body: { refreshToken: refresh_token }, ip: "198.51.100.1" });
    expect(elsewhere.status).toBe(200);
  });

  it("lives 12 hours after the last refresh and 30 days after the sign-in, by default", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    await tokensOf(gateway);
    const { rows } = await gateway.database.pool.query(
      `select round(extract(epoch from t.expires_at - now()) / 3600)::int as idle_hours,
              round(extract(epoch from s.expires_at - now()) / 86400)::int as days
       from refresh_tokens t join sessions s on s.id = t.session_id`,
    );
    expect(rows).toEqual([{ idle_hours: 12, days: 30 }]);
  });

  it("ends with the session's longest life, and no access token outlives it", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const first = await tokensOf(gateway);
    await gateway.database.pool.query("update sessions set expires_at = now() + interval '100 seconds'");
    const second = await refreshed(gateway, first.refresh_token);
    expect(second.expires_in).toBeLessThanOrEqual(100);
    await gateway.database.pool.query("update sessions set expires_at = now()");
    expect(await refresh(gateway, second.refresh_token)).toMatchObject(over);
  });

  it("stores no token, only its hash", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const { refresh_token } = await tokensOf(gateway);
    expect(Buffer.from(refresh_token ?? "", "base64url")).toHaveLength(32);
    const { rows } = await gateway.database.pool.query("select * from refresh_tokens");
    expect(JSON.stringify(rows)).not.toContain(refresh_token);
  });
});

describe("a spent refresh token", () => {
  it("gets another successor while none was used: its answer was lost", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const first = await tokensOf(gateway);
    await refresh(gateway, first.refresh_token);
    const again = await refreshed(gateway, first.refresh_token);
    expect(await gateway.statusOf(again.access_token)).toBe(200);
    expect((await refresh(gateway, again.refresh_token)).status).toBe(200);
  });

  it("ends the whole session when it comes back after its successor was used", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const first = await tokensOf(gateway);
    const second = await refreshed(gateway, first.refresh_token);
    const third = await refreshed(gateway, second.refresh_token);
    expect(await gateway.statusOf(third.access_token)).toBe(200);
    expect(await refresh(gateway, first.refresh_token)).toMatchObject(over);
    expect(await refresh(gateway, third.refresh_token)).toMatchObject(over);
    for (const { access_token } of [first, second, third]) expect(await gateway.statusOf(access_token)).toBe(401);
  });

  it("[SESSION-08] ends it also when its own time is over: whoever comes back late finds that somebody else went on", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const mine = await tokensOf(gateway);
    const stolen = await refreshed(gateway, mine.refresh_token);
    const next = await refreshed(gateway, stolen.refresh_token);
    const { pool } = gateway.database;
    await pool.query("update refresh_tokens set expires_at = now() where spent");
    expect(await gateway.statusOf(next.access_token)).toBe(200);
    expect(await refresh(gateway, mine.refresh_token)).toMatchObject(over);
    expect(await gateway.statusOf(next.access_token)).toBe(401);
    expect(await refresh(gateway, next.refresh_token)).toMatchObject(over);
  });

  it("that is over opens nothing, and leaves the session alone while none of its successors was used", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const first = await tokensOf(gateway);
    const second = await refreshed(gateway, first.refresh_token);
    await gateway.database.pool.query("update refresh_tokens set expires_at = now() where spent");
    expect(await refresh(gateway, first.refresh_token)).toMatchObject(over);
    expect((await refresh(gateway, second.refresh_token)).status).toBe(200);
  });

  it("ends the session when two of its successors are used: two parties hold it", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const first = await tokensOf(gateway);
    const mine = await refreshed(gateway, first.refresh_token);
    const stolen = await refreshed(gateway, first.refresh_token);
    const next = await refreshed(gateway, mine.refresh_token);
    expect(await refresh(gateway, stolen.refresh_token)).toMatchObject(over);
    expect(await refresh(gateway, next.refresh_token)).toMatchObject(over);
  });

  it("leaves the user's other sessions alone", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const other = await tokensOf(gateway);
    const first = await tokensOf(gateway);
    const second = await refreshed(gateway, first.refresh_token);
    await refresh(gateway, second.refresh_token);
    expect(await refresh(gateway, first.refresh_token)).toMatchObject(over);
    expect(await gateway.statusOf(other.access_token)).toBe(200);
  });

  it("is spent once for each of many at once, through two gateways, and the session goes on", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const beside = await identityApp({ peer: gateway });
    const first = await tokensOf(gateway);
    const all = await Promise.all(Array.from({ length: 12 }, (_, index) => refreshed(index % 2 ? gateway : beside, first.refresh_token)));
    expect(new Set(all.map((wrapper) => wrapper.refresh_token)).size).toBe(12);
    for (const { access_token } of all) expect(await gateway.statusOf(access_token)).toBe(200);
    expect((await refresh(gateway, all[5]?.refresh_token ?? null)).status).toBe(200);
  });

  it("cannot race its way past the reuse check", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const first = await tokensOf(gateway);
    const siblings = await Promise.all(Array.from({ length: 6 }, () => refreshed(gateway, first.refresh_token)));
    const answers = await Promise.all(siblings.map((sibling) => refresh(gateway, sibling.refresh_token)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await gateway.database.pool.query("select from sessions")).rowCount).toBe(0);
  });
});

describe("logging out", () => {
  it("ends the session and its access tokens at once", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const first = await tokensOf(gateway);
    const second = await refreshed(gateway, first.refresh_token);
    expect(await gateway.statusOf(second.access_token)).toBe(200);
    expect(await logout(gateway, second.refresh_token)).toMatchObject({ status: 204, body: undefined });
    expect(await gateway.statusOf(first.access_token)).toBe(401);
    expect(await gateway.statusOf(second.access_token)).toBe(401);
    expect(await refresh(gateway, second.refresh_token)).toMatchObject(over);
  });

  it("answers 204 for a token that is unknown, spent, expired or gone already", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const first = await tokensOf(gateway);
    const second = await refreshed(gateway, first.refresh_token);
    await gateway.database.pool.query("update refresh_tokens set expires_at = now()");
    expect((await logout(gateway, "unknown")).status).toBe(204);
    expect((await logout(gateway, second.refresh_token)).status).toBe(204);
    expect(await gateway.statusOf(second.access_token)).toBe(401);
    expect((await logout(gateway, second.refresh_token)).status).toBe(204);
    expect((await logout(gateway, first.refresh_token)).status).toBe(204);
  });

  it("ends this session only", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const one = await tokensOf(gateway);
    const other = await tokensOf(gateway);
    await logout(gateway, one.refresh_token);
    expect(await gateway.statusOf(other.access_token)).toBe(200);
  });
});
