import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { UnreadableCiphertext, masterKeyOf } from "#master-key.ts";
import { identityApp, type IdentityApp, someAccounts, untilWaiting } from "#testing/identity-app.ts";
import { tokensOf } from "#testing/signed-in.ts";
import { openIdentity } from "./identity.ts";
import { keyIdOf } from "./jwt.ts";
import { defaultSecurityLimits } from "./security-limits.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The time stands still, so that nothing is forgotten because it got old. */
const stopTheClock = (atMs: number) => vi.useFakeTimers({ toFake: ["Date"], now: atMs });

describe("signing keys", () => {
  const kids = async ({ database }: IdentityApp) =>
    (await database.pool.query<{ kid: string }>("select kid from signing_keys order by created_at")).rows.map((row) => row.kid);
  const age = ({ database }: IdentityApp, days: number) =>
    database.pool.query("update signing_keys set created_at = created_at - make_interval(days => $1)", [days]);

  it("are one for gateways that start at once", async () => {
    const gateway = await identityApp();
    await gateway.database.pool.query("delete from signing_keys");
    const blocker = await gateway.database.pool.connect();
    await blocker.query("begin; lock table signing_keys in share mode");
    const starting = Promise.all(Array.from({ length: 4 }, () => identityApp({ peer: gateway, accounts: someAccounts })));
    await untilWaiting(gateway, 4);
    await blocker.query("commit");
    blocker.release();
    const others = await starting;
    expect(await kids(gateway)).toHaveLength(1);
    const tokens = await Promise.all(others.map(async (other) => (await tokensOf(other)).access_token));
    for (const token of tokens) for (const other of others) expect(await other.statusOf(token)).toBe(200);
  });

  it("lie encrypted in the database, and another master key cannot open them", async () => {
    const gateway = await identityApp();
    const { rows } = await gateway.database.pool.query("select * from signing_keys");
    expect(JSON.stringify(rows)).not.toContain("PRIVATE KEY");
    const opening = openIdentity({
      database: gateway.database,
      masterKey: masterKeyOf(randomBytes(32)),
      notifications: { on: async () => {}, onReconnect: () => {}, notify: async () => {} },
      passwordPolicy: { requireAcceptable: async () => {} },
      securityLimits: defaultSecurityLimits,
      accessTokenSeconds: 60,
      log: { info: () => {}, warn: () => {} },
    });
    await expect(opening).rejects.toThrow(UnreadableCiphertext);
  });

  it("are replaced at 30 days; tokens of the old one keep working, and every gateway hears of the new one", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const beside = await identityApp({ peer: gateway });
    const old = (await tokensOf(gateway)).access_token;
    await age(gateway, 30);
    // A gateway looks at the age of its key by its own clock; a start reads it anew.
    const started = await identityApp({ peer: gateway });
    const fresh = (await tokensOf(started)).access_token;
    expect(keyIdOf(fresh)).not.toBe(keyIdOf(old));
    expect(await kids(gateway)).toEqual([keyIdOf(old), keyIdOf(fresh)]);
    await vi.waitFor(async () => expect(keyIdOf((await tokensOf(beside)).access_token)).toBe(keyIdOf(fresh)));
    for (const token of [old, fresh]) for (const one of [gateway, beside, started]) expect(await one.statusOf(token)).toBe(200);
  });

  it("are replaced by a gateway that runs for that long", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const [first] = await kids(gateway);
    await age(gateway, 29);
    stopTheClock(Date.now() + 120_000);
    expect(keyIdOf((await tokensOf(gateway)).access_token)).toBe(first);
    await age(gateway, 1);
    stopTheClock(Date.now() + 120_000);
    expect(keyIdOf((await tokensOf(gateway)).access_token)).not.toBe(first);
  });

  it("are dropped when no token of theirs can live any more", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const [first] = await kids(gateway);
    await age(gateway, 60);
    const second = await identityApp({ peer: gateway });
    expect(await kids(gateway)).toHaveLength(2);
    await age(gateway, 30);
    const third = await identityApp({ peer: gateway });
    expect(await kids(gateway)).toHaveLength(2);
    expect(await kids(gateway)).not.toContain(first);
    expect(await second.statusOf((await tokensOf(third)).access_token)).toBe(200);
  });

  it("are found by a gateway that missed the news", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const beside = await identityApp({ peer: gateway });
    await beside.database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fairway notifications' and datname = current_database()",
    );
    await age(gateway, 30);
    const token = (await tokensOf(await identityApp({ peer: gateway }))).access_token;
    expect(await beside.statusOf(token)).toBe(200);
  });

  it("are looked for once a second at most, however many unknown ones are invented", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    const { access_token } = await tokensOf(gateway);
    const rest = access_token.slice(access_token.indexOf("."));
    const headerOf = (kid: string) => Buffer.from(JSON.stringify({ alg: "ES256", typ: "JWT", kid })).toString("base64url");
    stopTheClock(Date.now() + 10_000);
    const query = vi.spyOn(Client.prototype, "query");
    const invented = Array.from({ length: 200 }, (_, index) => headerOf(`invented-${index}`) + rest);
    await Promise.all(invented.map((token) => gateway.statusOf(token)));
    for (const token of invented) expect(await gateway.statusOf(token)).toBe(401);
    expect(query).toHaveBeenCalledTimes(1);
  });
});
