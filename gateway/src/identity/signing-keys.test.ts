import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterEach, describe, expect, vi } from "vitest";
import { UnreadableCiphertext, masterKeyOf } from "#secrets/master-key.ts";
import { identityApp, type IdentityApp, someAccounts, untilWaiting } from "#testing/identity-app.ts";
import { it } from "#testing/identity-test.ts";
import { tokensOf } from "#testing/signed-in.ts";
import { CallRates } from "./call-rates.ts";
import { openIdentity } from "./identity.ts";
import { keyIdOf } from "./jwt.ts";
import { defaultSecurityLimits } from "./security-limits.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Freezes the time, so that cache entries do not expire. */
const freezeTime = (atMs: number) => vi.useFakeTimers({ toFake: ["Date"], now: atMs });

describe("signing keys", () => {
  const kids = async ({ database }: IdentityApp) =>
    (await database.pool.query<{ kid: string }>("select kid from signing_keys order by created_at")).rows.map((row) => row.kid);
  const age = ({ database }: IdentityApp, days: number) =>
    database.pool.query("update signing_keys set created_at = created_at - make_interval(days => $1)", [days]);

  it("are shared by gateways that start at the same time", async () => {
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

  it("are stored encrypted, and another master key cannot decrypt them", async () => {
    const gateway = await identityApp();
    const { rows } = await gateway.database.pool.query("select * from signing_keys");
    expect(JSON.stringify(rows)).not.toContain("PRIVATE KEY");
    const opening = openIdentity({
      database: gateway.database,
      masterKey: masterKeyOf(randomBytes(32)),
      callRates: new CallRates(gateway.database.db),
      notifications: { on: async () => {}, onReconnect: () => {}, notify: async () => {} },
      passwordPolicy: { requireAcceptable: async () => {} },
      securityLimits: { ...defaultSecurityLimits, accessTokenSeconds: 60 },
      log: { info: () => {}, warn: () => {} },
    });
    await expect(opening).rejects.toThrow(UnreadableCiphertext);
  });

  it("are replaced after 30 days on every gateway, and tokens of the old key stay valid", async ({ gateway }) => {
    const peer = await identityApp({ peer: gateway });
    const old = (await tokensOf(gateway)).access_token;
    await age(gateway, 30);
    // Running gateways use their own clock for the key's age; a new one reads it from the database.
    const started = await identityApp({ peer: gateway });
    const renewed = (await tokensOf(started)).access_token;
    expect(keyIdOf(renewed)).not.toBe(keyIdOf(old));
    expect(await kids(gateway)).toEqual([keyIdOf(old), keyIdOf(renewed)]);
    await vi.waitFor(async () => expect(keyIdOf((await tokensOf(peer)).access_token)).toBe(keyIdOf(renewed)));
    for (const token of [old, renewed]) for (const app of [gateway, peer, started]) expect(await app.statusOf(token)).toBe(200);
  });

  it("are replaced by a gateway that runs for 30 days", async ({ gateway }) => {
    const [first] = await kids(gateway);
    await age(gateway, 29);
    freezeTime(Date.now() + 120_000);
    expect(keyIdOf((await tokensOf(gateway)).access_token)).toBe(first);
    await age(gateway, 1);
    freezeTime(Date.now() + 120_000);
    expect(keyIdOf((await tokensOf(gateway)).access_token)).not.toBe(first);
  });

  it("are deleted once all their tokens have expired", async ({ gateway }) => {
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

  it("are found by a gateway that missed the notification", async ({ gateway }) => {
    const peer = await identityApp({ peer: gateway });
    await peer.database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fairway notifications' and datname = current_database()",
    );
    await age(gateway, 30);
    const token = (await tokensOf(await identityApp({ peer: gateway }))).access_token;
    expect(await peer.statusOf(token)).toBe(200);
  });

  it("are looked up at most once a second for unknown key ids", async ({ gateway }) => {
    const { access_token } = await tokensOf(gateway);
    const rest = access_token.slice(access_token.indexOf("."));
    const headerOf = (kid: string) => Buffer.from(JSON.stringify({ alg: "ES256", typ: "JWT", kid })).toString("base64url");
    freezeTime(Date.now() + 10_000);
    const query = vi.spyOn(Client.prototype, "query");
    const invented = Array.from({ length: 200 }, (_, index) => headerOf(`invented-${index}`) + rest);
    await Promise.all(invented.map((token) => gateway.statusOf(token)));
    for (const token of invented) expect(await gateway.statusOf(token)).toBe(401);
    expect(query).toHaveBeenCalledTimes(1);
  });
});
