import type { LoginAnswer } from "@fairway/contract/auth";
import { afterEach, expect, it, vi } from "vitest";
import { adasPassword, identityApp, someAccounts } from "#testing/identity-app.ts";

afterEach(() => vi.useRealTimers());

it("deletes expired records only", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const gateway = await identityApp({ accounts: someAccounts, limits: { lockoutFailuresPerAddress: 1 } });
  const login = (ip: string, password: string) =>
    gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password }, ip });
  const query = (text: string) => gateway.database.pool.query(text);
  const countAll = async () => {
    const tables = ["sessions", "refresh_tokens", "login_rates", "login_failures", "login_locks", "security_events"];
    const counts = await Promise.all(tables.map(async (table) => [table, (await query(`select from ${table}`)).rowCount]));
    return Object.fromEntries(counts) as Record<string, number>;
  };
  await login("192.0.2.1", adasPassword);
  await login("192.0.2.1", "wrong");
  await query("update sessions set expires_at = now() - interval '1 second'");
  await query("update login_rates set window_start = window_start - interval '1 hour'");
  await query("update login_failures set at = at - interval '1 hour'");
  await query("update login_locks set until = until - interval '1 hour'");
  for (const days of [364, 366]) {
    await query(
      `insert into security_events (user_id, kind, at) select id, 'email-changed', now() - interval '${days} days' from users limit 1`,
    );
  }
  await login("192.0.2.2", adasPassword);
  await login("192.0.2.2", "wrong");
  expect(await countAll()).toEqual({
    sessions: 2,
    refresh_tokens: 2,
    login_rates: 2,
    login_failures: 2,
    login_locks: 2,
    security_events: 2,
  });
  vi.advanceTimersByTime(10 * 60_000);
  await vi.waitFor(async () =>
    expect(await countAll()).toEqual({
      sessions: 1,
      refresh_tokens: 1,
      login_rates: 1,
      login_failures: 1,
      login_locks: 1,
      security_events: 1,
    }),
  );
});

it("deletes a session that cannot be renewed once its last access token has expired, and keeps its spent tokens until then", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const gateway = await identityApp({ accounts: someAccounts });
  const query = (text: string) => gateway.database.pool.query(text);
  const login = async () =>
    (await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })).body.token;
  const refresh = (refreshToken: string | null) => gateway.call("POST", "/auth/refresh", { body: { refreshToken } });
  const swept = async (expected: { sessions: number; tokens: number }) => {
    vi.advanceTimersByTime(10 * 60_000);
    await vi.waitFor(async () => {
      const { rows } = await query(
        "select (select count(*)::int from sessions) sessions, (select count(*)::int from refresh_tokens) tokens",
      );
      expect(rows).toEqual([expected]);
    });
  };
  const abandoned = await login();
  await refresh(abandoned.refresh_token);
  await query("update sessions set signed_in_at = now() - interval '3 days'");
  await query("update refresh_tokens set expires_at = now() - interval '23 hours'");
  const used = await login();
  await refresh(used.refresh_token);
  await query("update sessions set signed_in_at = now() - interval '3 days'");
  await query("update refresh_tokens set expires_at = now() - interval '2 days' where spent");
  await query("delete from login_rates");
  await query("insert into login_rates values ('gone', now() - interval '1 hour', 1, 0)");
  await swept({ sessions: 2, tokens: 4 });
  await vi.waitFor(async () => expect((await query("select from login_rates")).rowCount).toBe(0));
  await query("update refresh_tokens set expires_at = expires_at - interval '2 hours'");
  await swept({ sessions: 1, tokens: 2 });
});
