import type { LoginAnswer } from "@fairway/contract/auth";
import { afterEach, expect, it, vi } from "vitest";
import { adasPassword, identityApp, someAccounts } from "#testing/identity-app.ts";

afterEach(() => vi.useRealTimers());

it("deletes what no longer counts, and nothing else", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const gateway = await identityApp({ accounts: someAccounts, limits: { lockoutFailuresPerAddress: 1 } });
  const login = (ip: string, password: string) =>
    gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password }, ip });
  const query = (text: string) => gateway.database.pool.query(text);
  const countAll = async () => {
    const tables = ["sessions", "refresh_tokens", "login_rates", "login_failures", "login_locks"];
    const counts = await Promise.all(tables.map(async (table) => [table, (await query(`select from ${table}`)).rowCount]));
    return Object.fromEntries(counts) as Record<string, number>;
  };
  await login("192.0.2.1", adasPassword);
  await login("192.0.2.1", "wrong");
  await query("update sessions set expires_at = now() - interval '1 second'");
  await query("update login_rates set window_start = window_start - interval '1 hour'");
  await query("update login_failures set at = at - interval '1 hour'");
  await query("update login_locks set until = until - interval '1 hour'");
  await login("192.0.2.2", adasPassword);
  await login("192.0.2.2", "wrong");
  expect(await countAll()).toEqual({ sessions: 2, refresh_tokens: 2, login_rates: 2, login_failures: 2, login_locks: 2 });
  vi.advanceTimersByTime(10 * 60_000);
  await vi.waitFor(async () =>
    expect(await countAll()).toEqual({ sessions: 1, refresh_tokens: 1, login_rates: 1, login_failures: 1, login_locks: 1 }),
  );
  await query("update refresh_tokens set expires_at = now()");
  vi.advanceTimersByTime(10 * 60_000);
  await vi.waitFor(async () => expect(await countAll()).toMatchObject({ sessions: 1, refresh_tokens: 0 }));
});
