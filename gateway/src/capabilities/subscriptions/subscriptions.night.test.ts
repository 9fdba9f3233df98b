import { expect, it, onTestFinished } from "vitest";
import type { QueryEngine } from "#query/engine.ts";
import { cuttableDatabase } from "#testing/cuttable-database.ts";
import { type SubscriptionGatewayOptions, subscriptionsApp } from "#testing/subscriptions-app.ts";

const app = await subscriptionsApp();
const patience = { timeout: 30_000, interval: 10 };

/** A gateway that a test can kill: its connection to the database is cut. */
async function openKillable(options: SubscriptionGatewayOptions = {}) {
  const database = await cuttableDatabase(app.base.database.url);
  const gateway = await app.open({ ...options, database: database.connection });
  onTestFinished(async () => {
    database.restore();
    await gateway.close();
    await database.close();
  });
  return { gateway, kill: () => database.cut() };
}
/** As if the lease of a killed gateway had ended. */
const endLeases = () => app.pool.query("update subscriptions set claimed_until = now() - interval '1 second' where claim is not null");
const sending = async () => (await app.pool.query("select from subscription_deliveries where kind = 'sending'")).rowCount;

it("a gateway that is killed while it gathers is followed by another one, which sends once", async () => {
  let searches = 0;
  const held = (real: QueryEngine): QueryEngine => ({
    ...real,
    features: real.features,
    supportsSort: real.supportsSort,
    aggregate: (...parameters) => {
      searches += 1;
      const { signal } = parameters[4];
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    },
  });
  const { gateway, kill } = await openKillable({ engine: held, gatherMs: 600_000 });
  const { id } = await app.create(gateway, "ada", { savedSearchId: await app.saveSearch(gateway, "ada") });
  await app.makeDue();
  await expect.poll(() => searches, patience).toBe(1);
  kill();
  const other = await app.open();
  await endLeases();
  await app.waitForDeliveries(id, 1);
  expect((await app.deliveries(other, "ada", id)).map(({ kind }) => kind)).toEqual(["sent"]);
  expect(app.received).toHaveLength(1);
});

it("a gateway that is killed once its email was accepted is not followed by a second email", async () => {
  const { gateway, kill } = await openKillable();
  const { id } = await app.create(gateway, "ada", { savedSearchId: await app.saveSearch(gateway, "ada") });
  app.onMail(kill);
  await app.makeDue();
  await expect.poll(() => app.received.length, patience).toBe(1);
  expect(await sending()).toBe(1);
  const other = await app.open();
  await endLeases();
  await app.waitForDeliveries(id, 1);
  expect((await app.deliveries(other, "ada", id)).map(({ kind }) => kind)).toEqual(["unsure"]);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(app.received).toHaveLength(1);
  expect((await app.list(other, "ada")).subscriptions[0]?.nextMs).toBeGreaterThan(Date.now());
});

it("a gateway that is killed before its email is accepted leaves none behind, and it is not sent again that day", async () => {
  const { gateway, kill } = await openKillable();
  const { id } = await app.create(gateway, "ada", { savedSearchId: await app.saveSearch(gateway, "ada") });
  let refused = 0;
  app.onMail(() => {
    kill();
    refused += 1;
    throw new Error("gone");
  });
  await app.makeDue();
  await expect.poll(() => refused, patience).toBe(1);
  expect(await sending()).toBe(1);
  const other = await app.open();
  app.onMail(() => {});
  await endLeases();
  await app.waitForDeliveries(id, 1);
  expect((await app.deliveries(other, "ada", id)).map(({ kind }) => kind)).toEqual(["unsure"]);
  expect(app.received).toEqual([]);
});

it("two gateways send 50 that are due at once, each once, behind the searches of people", async () => {
  const background: (boolean | undefined)[] = [];
  const engine = (real: QueryEngine): QueryEngine => ({
    ...real,
    features: real.features,
    supportsSort: real.supportsSort,
    aggregate: (...parameters) => {
      background.push(parameters[4].isBackground);
      return real.aggregate(...parameters);
    },
    search: (...parameters) => {
      background.push(parameters[2].isBackground);
      return real.search(...parameters);
    },
  });
  const [first] = [await app.open({ engine }), await app.open({ engine })];
  const savedSearchId = await app.saveSearch(first, "ada", {}, { sharedWithRoles: ["*"] });
  await app.pool.query(
    "insert into users (id, username, username_key, email) select 'u' || i, 'u' || i, 'u' || i, 'u' || i || '@example.org' from generate_series(1, 50) as i on conflict do nothing",
  );
  await app.pool.query(
    `insert into subscriptions (id, user_id, name, name_key, saved_search_id, hour, minute, weekdays, zone, only_if_changed, with_rows)
      select 'e' || i, 'u' || i, 'Rows', 'rows', $1, 0, 0, '{1,2,3,4,5,6,7}', 'UTC', true, false from generate_series(1, 50) as i`,
    [savedSearchId],
  );
  await app.makeDue();
  const started = performance.now();
  let longest = 0;
  while (app.received.length < 50 && performance.now() - started < 60_000) {
    const before = performance.now();
    const answer = await app.base.call([], "POST", "/datasets/Tests/rows/search", { filters: [] });
    expect(answer.status).toBe(200);
    longest = Math.max(longest, performance.now() - before);
  }
  expect(new Set(app.received.flatMap(({ to }) => to)).size).toBe(50);
  expect(app.received).toHaveLength(50);
  expect(background.every((one) => one === true)).toBe(true);
  process.stdout.write(`the slowest search beside 50 subscriptions took ${Math.round(longest)} ms\n`);
});
