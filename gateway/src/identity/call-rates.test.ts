import { afterEach, describe, expect, it, vi } from "vitest";
import { type IdentityApp, identityApp, someAccounts } from "#testing/identity-app.ts";
import { tokensOf } from "#testing/signed-in.ts";
import { CallRates } from "./call-rates.ts";

afterEach(() => void vi.useRealTimers());

/** Freezes this process's clock, so that no minute passes. */
const freezeTime = (atMs = Date.now()) => void vi.useFakeTimers({ toFake: ["Date"], now: atMs });

/** Two gateways with one database, and what they admit. */
async function twoGateways(limits: { userCallsPerMinute?: number; refreshesPerMinute?: number }) {
  const first = await identityApp({ accounts: someAccounts, limits });
  const second = await identityApp({ peer: first, limits });
  const settle = async () => {
    await first.callRates.settle();
    await second.callRates.settle();
    await first.callRates.settle();
  };
  return { first, second, settle };
}

async function admitted(gateway: IdentityApp, token: string, calls: number): Promise<number> {
  let count = 0;
  for (let call = 0; call < calls; call += 1) if ((await gateway.statusOf(token)) === 200) count += 1;
  return count;
}

describe("calls per minute", () => {
  it("are counted by all gateways together, so that a user exceeds the limit by the calls between two settlements at most", async () => {
    const { first, second, settle } = await twoGateways({ userCallsPerMinute: 20 });
    const { access_token: token } = await tokensOf(first);
    freezeTime();
    expect(await admitted(first, token, 12)).toBe(12);
    await settle();
    expect(await admitted(second, token, 5)).toBe(5);
    // Calls admitted since the last settlement are all that a user can gain.
    expect(await admitted(first, token, 5)).toBe(5);
    await settle();
    expect([await admitted(first, token, 5), await admitted(second, token, 5)]).toEqual([0, 0]);
  });

  it("are refused at every gateway with a Retry-After that is sufficient there", async () => {
    const { first, second, settle } = await twoGateways({ userCallsPerMinute: 5 });
    const { access_token: token } = await tokensOf(first);
    freezeTime();
    await admitted(first, token, 5);
    await settle();
    const refused = await second.call("GET", "/probe/me", { token });
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([429, "too-many-requests"]);
    freezeTime(Date.now() + Number(refused.headers["retry-after"]) * 1_000);
    expect(await second.statusOf(token)).toBe(200);
  });

  it("count at each gateway alone while the database is away, and are not forgotten by a settlement that fails", async () => {
    const { first, settle } = await twoGateways({ userCallsPerMinute: 5 });
    const { access_token: token } = await tokensOf(first);
    freezeTime();
    await admitted(first, token, 3);
    await first.database.pool.query("alter table call_counts rename to gone");
    await expect(first.callRates.settle()).rejects.toThrow("call_counts");
    await first.database.pool.query("alter table gone rename to call_counts");
    expect(await admitted(first, token, 1)).toBe(1);
    await settle();
    expect(await admitted(first, token, 5)).toBe(1);
  });
});

it("renewals of sessions from one address are counted by all gateways together", async () => {
  const { first, second, settle } = await twoGateways({ refreshesPerMinute: 4 });
  let { refresh_token: refreshToken } = await tokensOf(first);
  const statuses: number[] = [];
  for (const gateway of [first, first, second, second, first]) {
    const { status, body } = await gateway.call<{ refresh_token: string }>("POST", "/auth/refresh", { body: { refreshToken } });
    statuses.push(status);
    if (status === 200) refreshToken = body.refresh_token;
    await settle();
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
});

it("a gateway without calls leaves the database alone, and knows the counts of the others after its next call", async () => {
  const { database } = await identityApp();
  vi.useFakeTimers({ toFake: ["performance"] });
  const [busy, idle] = [new CallRates(database.db), new CallRates(database.db)];
  const rates = [busy.rate("calls", 10), idle.rate("calls", 10)];
  vi.advanceTimersByTime(6_000);
  for (let call = 0; call < 8; call += 1) rates[0]?.tryCount("ada");
  await busy.settle();
  vi.advanceTimersByTime(6_000);
  await database.pool.query("alter table call_counts rename to gone");
  await Promise.all([busy.settle(), idle.settle()]);
  await database.pool.query("alter table gone rename to call_counts");
  expect(rates[1]?.tryCount("ada")).toBeUndefined();
  await idle.settle();
  expect([rates[1]?.tryCount("ada"), rates[1]?.tryCount("ada")]).toEqual([undefined, expect.any(Number)]);
});

it("many keys are settled by one statement, without a wait of one gateway for another, and swept after two minutes", async () => {
  const { database } = await identityApp();
  const gateways = Array.from({ length: 4 }, () => new CallRates(database.db));
  const rates = gateways.map((gateway) => gateway.rate("calls", 1_000));
  for (let round = 0; round < 5; round += 1) {
    for (const [index, rate] of rates.entries()) {
      // Half of them in the opposite order.
      for (let key = 0; key < 300; key += 1) rate.tryCount(String(index % 2 === 0 ? key : 299 - key));
    }
    await Promise.all(gateways.map((gateway) => gateway.settle()));
  }
  const total = async () => {
    const { rows } = await database.pool.query<{ keys: string; calls: string }>(
      "select count(*) as keys, sum(calls) as calls from call_counts",
    );
    return rows[0];
  };
  expect(await total()).toEqual({ keys: "300", calls: String(4 * 5 * 300) });
  await gateways[0]?.sweep();
  expect(await total()).toMatchObject({ keys: "300" });
  await database.pool.query("update call_counts set started_at = now() - interval '3 minutes'");
  await gateways[0]?.sweep();
  expect(await total()).toEqual({ keys: "0", calls: null });
});
