import type { TokenWrapper } from "@fairway/contract/auth";
import { tokenWrapper } from "@fairway/contract/auth";
import { describe, expect } from "vitest";
import { identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";
import { it } from "#testing/identity-test.ts";
import { tokensOf } from "#testing/signed-in.ts";

const refresh = (gateway: IdentityApp, refreshToken: string | null) =>
  gateway.call<TokenWrapper>("POST", "/auth/refresh", { body: { refreshToken } });
const refreshed = async (gateway: IdentityApp, refreshToken: string | null) =>
  tokenWrapper.parse((await refresh(gateway, refreshToken)).body);
const logout = (gateway: IdentityApp, refreshToken: string | null) => gateway.call("POST", "/auth/logout", { body: { refreshToken } });

const invalidToken = { status: 401, body: { errors: [{ code: "invalid-refresh-token" }] } };

describe("refreshing", () => {
  it("[SESSION-07] returns a new wrapper whose access token works", async ({ gateway }) => {
    const first = await tokensOf(gateway);
    const answer = await refresh(gateway, first.refresh_token);
    expect(answer.status).toBe(200);
    const second = tokenWrapper.parse(answer.body);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second).toMatchObject({ token_type: "Bearer", expires_in: 1_800 });
    expect(await gateway.statusOf(second.access_token)).toBe(200);
  });

  it("returns the current roles, not those at sign-in", async ({ gateway }) => {
    const first = await tokensOf(gateway);
    await gateway.database.pool.query("delete from user_roles");
    const { access_token } = await refreshed(gateway, first.refresh_token);
    const claims = JSON.parse(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString()) as { roles: string[] };
    expect(claims.roles).toEqual(["reader"]);
  });

  it("[SESSION-08] refuses unknown and expired tokens and access tokens with 401", async ({ gateway }) => {
    const { access_token, refresh_token } = await tokensOf(gateway);
    expect(await refresh(gateway, "unknown")).toMatchObject(invalidToken);
    expect(await refresh(gateway, access_token.slice(0, 1_000))).toMatchObject(invalidToken);
    await gateway.database.pool.query("update refresh_tokens set expires_at = now()");
    expect(await refresh(gateway, refresh_token)).toMatchObject(invalidToken);
  });

  it("refuses a body without a refresh token with 400", async () => {
    const gateway = await identityApp();
    for (const body of [{}, { refreshToken: "" }, { refreshToken: null }, { refreshToken: "x".repeat(1_001) }]) {
      const answer = await gateway.call("POST", "/auth/refresh", { body });
      expect({ status: answer.status, path: answer.body.errors[0]?.path }).toEqual({ status: 400, path: "refreshToken" });
    }
  });

  it("is refused with 429 and Retry-After beyond the rate limit of an address, for that address only", async () => {
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

  it("is possible for 12 hours after the last refresh and 30 days after the sign-in, by default", async ({ gateway }) => {
    await tokensOf(gateway);
    const { rows } = await gateway.database.pool.query(
      `select round(extract(epoch from t.expires_at - now()) / 3600)::int as idle_hours,
              round(extract(epoch from s.expires_at - now()) / 86400)::int as days
       from refresh_tokens t join sessions s on s.id = t.session_id`,
    );
    expect(rows).toEqual([{ idle_hours: 12, days: 30 }]);
  });

  it("ends with the session, which no access token outlives", async ({ gateway }) => {
    const first = await tokensOf(gateway);
    await gateway.database.pool.query("update sessions set expires_at = now() + interval '100 seconds'");
    const second = await refreshed(gateway, first.refresh_token);
    expect(second.expires_in).toBeLessThanOrEqual(100);
    await gateway.database.pool.query("update sessions set expires_at = now()");
    expect(await refresh(gateway, second.refresh_token)).toMatchObject(invalidToken);
  });

  it("stores only the hash of a token", async ({ gateway }) => {
    const { refresh_token } = await tokensOf(gateway);
    expect(Buffer.from(refresh_token ?? "", "base64url")).toHaveLength(32);
    const { rows } = await gateway.database.pool.query("select * from refresh_tokens");
    expect(JSON.stringify(rows)).not.toContain(refresh_token);
  });
});

describe("a spent refresh token", () => {
  it("gets another successor while none was used", async ({ gateway }) => {
    const first = await tokensOf(gateway);
    await refresh(gateway, first.refresh_token);
    const again = await refreshed(gateway, first.refresh_token);
    expect(await gateway.statusOf(again.access_token)).toBe(200);
    expect((await refresh(gateway, again.refresh_token)).status).toBe(200);
  });

  it("ends the session if it is reused after its successor", async ({ gateway }) => {
    const first = await tokensOf(gateway);
    const second = await refreshed(gateway, first.refresh_token);
    const third = await refreshed(gateway, second.refresh_token);
    expect(await gateway.statusOf(third.access_token)).toBe(200);
    expect(await refresh(gateway, first.refresh_token)).toMatchObject(invalidToken);
    expect(await refresh(gateway, third.refresh_token)).toMatchObject(invalidToken);
    for (const { access_token } of [first, second, third]) expect(await gateway.statusOf(access_token)).toBe(401);
  });

  it("[SESSION-08] ends the session if it is reused after its successor, even if it has expired", async ({ gateway }) => {
    const mine = await tokensOf(gateway);
    const stolen = await refreshed(gateway, mine.refresh_token);
    const next = await refreshed(gateway, stolen.refresh_token);
    const { pool } = gateway.database;
    await pool.query("update refresh_tokens set expires_at = now() where spent");
    expect(await gateway.statusOf(next.access_token)).toBe(200);
    expect(await refresh(gateway, mine.refresh_token)).toMatchObject(invalidToken);
    expect(await gateway.statusOf(next.access_token)).toBe(401);
    expect(await refresh(gateway, next.refresh_token)).toMatchObject(invalidToken);
  });

  it("is refused if it has expired, without ending the session while no successor was used", async ({ gateway }) => {
    const first = await tokensOf(gateway);
    const second = await refreshed(gateway, first.refresh_token);
    await gateway.database.pool.query("update refresh_tokens set expires_at = now() where spent");
    expect(await refresh(gateway, first.refresh_token)).toMatchObject(invalidToken);
    expect((await refresh(gateway, second.refresh_token)).status).toBe(200);
  });

  it("ends the session if two of its successors are used", async ({ gateway }) => {
    const first = await tokensOf(gateway);
    const mine = await refreshed(gateway, first.refresh_token);
    const stolen = await refreshed(gateway, first.refresh_token);
    const next = await refreshed(gateway, mine.refresh_token);
    expect(await refresh(gateway, stolen.refresh_token)).toMatchObject(invalidToken);
    expect(await refresh(gateway, next.refresh_token)).toMatchObject(invalidToken);
  });

  it("does not affect other sessions of the user", async ({ gateway }) => {
    const other = await tokensOf(gateway);
    const first = await tokensOf(gateway);
    const second = await refreshed(gateway, first.refresh_token);
    await refresh(gateway, second.refresh_token);
    expect(await refresh(gateway, first.refresh_token)).toMatchObject(invalidToken);
    expect(await gateway.statusOf(other.access_token)).toBe(200);
  });

  it("gets a successor for each of many concurrent refreshes at two gateways, and the session continues", async ({ gateway }) => {
    const peer = await identityApp({ peer: gateway });
    const first = await tokensOf(gateway);
    const all = await Promise.all(Array.from({ length: 12 }, (_, index) => refreshed(index % 2 ? gateway : peer, first.refresh_token)));
    expect(new Set(all.map((wrapper) => wrapper.refresh_token)).size).toBe(12);
    for (const { access_token } of all) expect(await gateway.statusOf(access_token)).toBe(200);
    expect((await refresh(gateway, all[5]?.refresh_token ?? null)).status).toBe(200);
  });

  it("cannot bypass the reuse check with concurrent refreshes", async ({ gateway }) => {
    const first = await tokensOf(gateway);
    const siblings = await Promise.all(Array.from({ length: 6 }, () => refreshed(gateway, first.refresh_token)));
    const answers = await Promise.all(siblings.map((sibling) => refresh(gateway, sibling.refresh_token)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await gateway.database.pool.query("select from sessions")).rowCount).toBe(0);
  });
});

describe("logging out", () => {
  it("ends the session and its access tokens immediately", async ({ gateway }) => {
    const first = await tokensOf(gateway);
    const second = await refreshed(gateway, first.refresh_token);
    expect(await gateway.statusOf(second.access_token)).toBe(200);
    expect(await logout(gateway, second.refresh_token)).toMatchObject({ status: 204, body: undefined });
    expect(await gateway.statusOf(first.access_token)).toBe(401);
    expect(await gateway.statusOf(second.access_token)).toBe(401);
    expect(await refresh(gateway, second.refresh_token)).toMatchObject(invalidToken);
  });

  it("answers 204 for unknown, spent, expired and deleted tokens", async ({ gateway }) => {
    const first = await tokensOf(gateway);
    const second = await refreshed(gateway, first.refresh_token);
    await gateway.database.pool.query("update refresh_tokens set expires_at = now()");
    expect((await logout(gateway, "unknown")).status).toBe(204);
    expect((await logout(gateway, second.refresh_token)).status).toBe(204);
    expect(await gateway.statusOf(second.access_token)).toBe(401);
    expect((await logout(gateway, second.refresh_token)).status).toBe(204);
    expect((await logout(gateway, first.refresh_token)).status).toBe(204);
  });

  it("ends this session only", async ({ gateway }) => {
    const one = await tokensOf(gateway);
    const other = await tokensOf(gateway);
    await logout(gateway, one.refresh_token);
    expect(await gateway.statusOf(other.access_token)).toBe(200);
  });
});
