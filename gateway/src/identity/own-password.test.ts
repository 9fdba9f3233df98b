import type { LoginAnswer } from "@fairway/contract/auth";
import { loginAnswer } from "@fairway/contract/auth";
import { describe, expect } from "vitest";
import { adasPassword, identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";
import { it } from "#testing/identity-test.ts";

const login = (gateway: IdentityApp, password = adasPassword) =>
  gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password } });
const tokenOf = async (gateway: IdentityApp, password?: string) => loginAnswer.parse((await login(gateway, password)).body).token;
const change = (gateway: IdentityApp, token: string, password: unknown) =>
  gateway.call("PUT", "/profile/reset-password", { token, body: { password } });
const refresh = (gateway: IdentityApp, refreshToken: string | null) => gateway.call("POST", "/auth/refresh", { body: { refreshToken } });

async function requirePasswordChange(gateway: IdentityApp) {
  await gateway.database.pool.query("update users set require_password_change = true where username = 'ada'");
}

describe("changing one's own password", () => {
  it("[PASSWORD-05] answers 204, and replaces the old password", async ({ gateway }) => {
    const { access_token } = await tokenOf(gateway);
    expect(await change(gateway, access_token, "a new one")).toMatchObject({ status: 204, body: undefined });
    expect((await login(gateway)).status).toBe(401);
    expect((await login(gateway, "a new one")).status).toBe(200);
  });

  it("ends the user's other sessions on every gateway but not this one", async ({ gateway }) => {
    const [mine, other] = [await tokenOf(gateway), await tokenOf(gateway)];
    expect(await gateway.statusOf(other.access_token)).toBe(200);
    await change(gateway, mine.access_token, "a new one");
    expect(await gateway.statusOf(mine.access_token)).toBe(200);
    expect((await refresh(gateway, mine.refresh_token)).status).toBe(200);
    expect(await gateway.statusOf(other.access_token)).toBe(401);
    expect((await refresh(gateway, other.refresh_token)).status).toBe(401);
  });

  it("[PASSWORD-07] unlinks the user's card only, and not if the change is refused", async ({ gateway }) => {
    const { pool } = gateway.database;
    await pool.query("insert into card_links (user_id, issuer, card_hash) select id, 'cards', username from users");
    const idOf = async (username: string) =>
      (await pool.query<{ id: string }>("select id from users where username = $1", [username])).rows[0]?.id ?? "";
    const isLinked = async (username: string) => (await gateway.identity.cardLinkedSince(await idOf(username), "cards")) !== undefined;
    const { access_token } = await tokenOf(gateway);
    await change(gateway, access_token, "ab");
    expect(await isLinked("ada")).toBe(true);
    await change(gateway, access_token, "a new one");
    expect([await isLinked("ada"), await isLinked("grace")]).toEqual([false, true]);
  });

  it("does not affect sessions of other users", async ({ gateway }) => {
    const grace = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "grace", password: "nanoseconds" } });
    await change(gateway, (await tokenOf(gateway)).access_token, "a new one");
    expect(await gateway.statusOf(grace.body.token.access_token)).toBe(200);
  });

  it("requires a new sign-in if the last one was 10 minutes ago, even with a new token", async ({ gateway }) => {
    const first = await tokenOf(gateway);
    await gateway.database.pool.query("update sessions set signed_in_at = now() - interval '10 minutes'");
    const renewed = (await refresh(gateway, first.refresh_token)).body as unknown as { access_token: string };
    const refused = await change(gateway, renewed.access_token, "a new one");
    expect(refused).toMatchObject({ status: 401, body: { errors: [{ code: "sign-in-again" }] } });
    expect((await login(gateway)).status).toBe(200);
    expect((await change(gateway, (await tokenOf(gateway)).access_token, "a new one")).status).toBe(204);
  });

  it("accepts 3 characters and refuses fewer with 400, naming the field", async ({ gateway }) => {
    const { access_token } = await tokenOf(gateway);
    for (const password of ["", "ab", 12_345, null, "abc\0", "x".repeat(1_001)]) {
      const refused = await change(gateway, access_token, password);
      expect([refused.status, refused.body.errors[0]?.path]).toEqual([400, "password"]);
    }
    expect((await change(gateway, access_token, "abc")).status).toBe(204);
    expect((await login(gateway, "abc")).status).toBe(200);
  });

  it("requires a token", async ({ gateway }) => {
    expect((await gateway.call("PUT", "/profile/reset-password", { body: { password: "a new one" } })).status).toBe(401);
  });

  it("keeps only one session when two of them change the password concurrently", async ({ gateway }) => {
    const tokens = [await tokenOf(gateway), await tokenOf(gateway)];
    const statuses = await Promise.all(tokens.map(({ access_token }, index) => change(gateway, access_token, `new ${index}`)));
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401]);
    expect((await gateway.database.pool.query("select from sessions")).rowCount).toBe(1);
  });
});

describe("a forced password update", () => {
  it("[LOGIN-04] is announced with requiresPasswordChange, a reset token for 10 minutes and no refresh token", async ({ gateway }) => {
    await requirePasswordChange(gateway);
    expect((await login(gateway)).body).toEqual({
      requiresPasswordChange: true,
      token: { access_token: expect.any(String) as string, refresh_token: null, token_type: "Bearer", expires_in: 600 },
    });
  });

  it("[LOGIN-09] sets the password with the reset token, which then signs in normally", async ({ gateway }) => {
    await requirePasswordChange(gateway);
    const { access_token } = await tokenOf(gateway);
    expect((await change(gateway, access_token, "a new one")).status).toBe(204);
    const answer = await login(gateway, "a new one");
    expect(answer.body.requiresPasswordChange).toBe(false);
    expect(await gateway.statusOf(answer.body.token.access_token)).toBe(200);
  });

  it("does not accept its token for anything else", async ({ gateway }) => {
    await requirePasswordChange(gateway);
    const { access_token } = await tokenOf(gateway);
    expect(await gateway.statusOf(access_token)).toBe(401);
    expect((await gateway.call("GET", "/probe/admins", { token: access_token })).status).toBe(401);
    expect((await refresh(gateway, access_token.slice(0, 999))).status).toBe(401);
  });

  it("accepts its token once, even concurrently, and does not consume it for a short password", async ({ gateway }) => {
    await requirePasswordChange(gateway);
    const { access_token } = await tokenOf(gateway);
    expect((await change(gateway, access_token, "ab")).status).toBe(400);
    const both = await Promise.all([change(gateway, access_token, "one"), change(gateway, access_token, "other")]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401]);
    expect((await change(gateway, access_token, "third")).status).toBe(401);
  });

  it("refuses its token after 10 minutes", async ({ gateway }) => {
    await requirePasswordChange(gateway);
    const { access_token } = await tokenOf(gateway);
    await gateway.database.pool.query("update sessions set expires_at = expires_at - interval '10 minutes'");
    expect((await change(gateway, access_token, "a new one")).status).toBe(401);
  });

  it("does not expire earlier if recent sign-ins expire earlier", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: { freshSignInMinutes: 1 } });
    await requirePasswordChange(gateway);
    const { access_token } = await tokenOf(gateway);
    await gateway.database.pool.query("update sessions set signed_in_at = now() - interval '5 minutes'");
    expect((await change(gateway, access_token, "a new one")).status).toBe(204);
  });

  it("ends when the account is locked", async ({ gateway }) => {
    await requirePasswordChange(gateway);
    const { access_token } = await tokenOf(gateway);
    await gateway.database.pool.query("update users set locked = true");
    expect((await change(gateway, access_token, "a new one")).status).toBe(401);
  });

  it("ends every session and every other reset token of the user", async ({ gateway }) => {
    const ordinary = await tokenOf(gateway);
    await requirePasswordChange(gateway);
    const [one, other] = [await tokenOf(gateway), await tokenOf(gateway)];
    await change(gateway, one.access_token, "a new one");
    expect((await change(gateway, other.access_token, "another")).status).toBe(401);
    expect(await gateway.statusOf(ordinary.access_token)).toBe(401);
  });
});
