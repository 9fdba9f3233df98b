import { expect, it, onTestFinished, describe } from "vitest";
import type { QueryEngine } from "#query/engine.ts";
import { cuttableDatabase } from "#testing/cuttable-database.ts";
import {
  byMinutes,
  count,
  dataset,
  graphOf,
  mailParts,
  secret,
  type SubscriptionGatewayOptions,
  subscriptionsApp,
  summary,
} from "#testing/subscriptions-app.ts";
import type { Subscription } from "@fairway/contract/subscriptions";

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
  /** As if the lease of the killed gateway had ended. */
  const endLease = async () => {
    // A claim that the gateway had sent before may still be running in the database, and would take the turn again.
    await expect.poll(() => database.sessionCount(app.pool), patience).toBe(0);
    await app.pool.query("update subscriptions set claimed_until = now() - interval '1 second' where claim is not null");
  };
  return { gateway, kill: () => database.cut(), endLease };
}
const sending = async () => (await app.pool.query("select from subscription_deliveries where kind = 'sending'")).rowCount;
const partsOf = (index: number) => mailParts(app.received[index] ?? { from: "", to: [], content: "" });
const kinds = async (gateway: Awaited<ReturnType<typeof app.open>>, id: string) =>
  (await app.deliveries(gateway, "ada", id)).map(({ kind, reason }) => [kind, reason]);

/** Runs a subscription that is sent only if something changed: twice on the same rows, then on others. */
async function sendsOnlyChanges(id: string): Promise<void> {
  await app.run(id);
  await app.run(id);
  expect(app.received).toHaveLength(1);
  await app.writeRows(31);
  await app.run(id);
  expect(app.received).toHaveLength(2);
}

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
  const { gateway, kill, endLease } = await openKillable({ engine: held, gatherMs: 600_000 });
  const { id } = await app.create(gateway, "ada", { savedSearchId: await app.saveSearch(gateway, "ada") });
  await app.makeDue();
  await expect.poll(() => searches, patience).toBe(1);
  kill();
  const other = await app.open();
  await endLease();
  await app.waitForDeliveries(id, 1);
  expect((await app.deliveries(other, "ada", id)).map(({ kind }) => kind)).toEqual(["sent"]);
  expect(app.received).toHaveLength(1);
});

it("a gateway that is killed once its email was accepted is not followed by a second email", async () => {
  const { gateway, kill, endLease } = await openKillable();
  const { id } = await app.create(gateway, "ada", { savedSearchId: await app.saveSearch(gateway, "ada") });
  app.onMail(kill);
  await app.makeDue();
  await expect.poll(() => app.received.length, patience).toBe(1);
  expect(await sending()).toBe(1);
  const other = await app.open();
  await endLease();
  await app.waitForDeliveries(id, 1);
  expect((await app.deliveries(other, "ada", id)).map(({ kind }) => kind)).toEqual(["unsure"]);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(app.received).toHaveLength(1);
  expect((await app.list(other, "ada")).subscriptions[0]?.nextMs).toBeGreaterThan(Date.now());
});

it("a gateway that is killed before its email is accepted leaves none behind, and it is not sent again that day", async () => {
  const { gateway, kill, endLease } = await openKillable();
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
  await endLease();
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

describe("a board by email", () => {
  it("is narrowed by the board's time range, and says of panels what keeps them from being shown", async () => {
    const gateway = await app.open();
    await app.setRoles("bob", ["insider"]);
    const timeRange = { start: "2026-03-01T00:05:00Z", end: "2026-03-01T00:09:00Z" };
    const shared = await app.saveBoard(gateway, "bob", [], { sharedWithRoles: ["*"] });
    const panels = [
      { ...count },
      { ...count, title: "Outside", query: { timeRange: { start: "2026-03-02T00:00:00Z" } } },
      { ...count, title: "Secret", dataset: secret },
      { ...count, title: "Broken", query: { filters: [{ name: "gone", operator: "=", value: 1 }] } },
    ].map((panel, index) => Object.assign(panel, { id: `p${index}`, place: { x: 0, y: index, w: 1, h: 1 } }));
    expect((await app.call(gateway, "bob", "PUT", `/boards/${shared}`, { content: { timeRange, panels }, version: 1 })).status).toBe(200);
    const { id } = await app.create(gateway, "ada", { boardId: shared });
    await app.run(id);
    const html = partsOf(0).get("text/html") ?? "";
    expect(html).toMatch(/Count<\/h2><p [^>]*>5<\/p>/);
    expect(html).toContain("The board’s time range doesn’t overlap this panel’s.");
    expect(html).toContain("you have no access to it.");
    expect(html).not.toContain("Secret");
    expect(html).toContain("&#39;gone&#39;");
  });
});

describe("the graphs of a board by email", () => {
  const chart = summary(null, byMinutes);

  it("are thrown away with the rest where rights are taken while they are drawn", async () => {
    let drawn = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const png = async () => {
      drawn += 1;
      await released;
      return new Uint8Array(8);
    };
    const gateway = await app.open({ charts: { png } });
    await app.setRoles("ada", ["insider"]);
    const boardId = await app.saveBoard(gateway, "ada", [{ ...graphOf("Secret", chart), dataset: secret }, count]);
    const { id } = await app.create(gateway, "ada", { boardId });
    const ran = app.run(id);
    await expect.poll(() => drawn, patience).toBe(1);
    await app.setRoles("ada", []);
    release();
    await ran;
    expect(app.received).toHaveLength(1);
    expect([...partsOf(0).keys()]).toEqual(["text/plain", "text/html"]);
    expect(partsOf(0).get("text/html")).not.toContain("Secret");
    expect(drawn).toBe(1);
  });

  it("are pictures up to 4 MB, and tables beyond", async () => {
    const gateway = await app.open({ charts: { png: () => Promise.resolve(new Uint8Array(900_000)) } });
    const boardId = await app.saveBoard(
      gateway,
      "ada",
      [1, 2, 3, 4, 5].map((number) => graphOf(`Chart ${number}`, chart)),
    );
    const { id } = await app.create(gateway, "ada", { boardId });
    await app.run(id);
    const html = partsOf(0).get("text/html") ?? "";
    expect([html.match(/<img /g)?.length, html.match(/The chart could not be drawn for this email\./g)?.length]).toEqual([4, 1]);
    expect(app.received[0]?.content.match(/^Content-Type: image\/png/gm)).toHaveLength(4);
  });

  it("are a line where they would have more groups than anyone can see, and tables of short texts", async () => {
    const gateway = await app.open({ charts: { png: () => Promise.resolve(null) } });
    const column = { id: "k", model: "*", aggregation: "count", color: "#099bf1" };
    const hours = { title: "", type: "bar", groupingType: "hour", groupings: [], columns: [column] };
    const group = { id: "g", label: "x".repeat(900), color: "#099bf1", conditions: [{ id: "c", model: "id", operator: "<", value: 10 }] };
    const timeRange = { start: "0001-01-01T00:00:00Z", end: "9999-12-31T00:00:00Z" };
    const boardId = await app.saveBoard(gateway, "ada", [
      { ...graphOf("Hours", hours), query: { timeRange } },
      graphOf("Long", { ...hours, groupingType: "custom", groupings: [group] }),
    ]);
    const { id } = await app.create(gateway, "ada", { boardId });
    await app.run(id);
    const html = partsOf(0).get("text/html") ?? "";
    expect(html).toMatch(/Hours<\/h2><p [^>]*>Graph of 30 rows\. <a /);
    expect(html).toContain(`>${"x".repeat(199)}…</td>`);
  });

  it("tell whether something changed, by their figures", async () => {
    const gateway = await app.open({ charts: { png: () => Promise.resolve(null) } });
    const boardId = await app.saveBoard(gateway, "ada", [graphOf("Over time", chart)]);
    const { id } = await app.create(gateway, "ada", { boardId }, { onlyIfChanged: true });
    await sendsOnlyChanges(id);
    expect((await kinds(gateway, id)).map(([kind]) => kind)).toEqual(["sent", "unchanged", "sent"]);
  });
});

describe("a saved search by email", () => {
  it("is not sent while nothing has changed, and always when its owner asks for it", async () => {
    const gateway = await app.open();
    const { id } = await app.create(gateway, "ada", { savedSearchId: await app.saveSearch(gateway, "ada") }, { onlyIfChanged: true });
    await sendsOnlyChanges(id);
    expect((await app.call(gateway, "ada", "POST", `/subscriptions/${id}/send`)).status).toBe(200);
    await app.waitForDeliveries(id, 4);
    expect((await kinds(gateway, id)).map(([kind]) => kind)).toEqual(["sent", "sent", "unchanged", "sent"]);
    expect(await app.call(gateway, "ada", "POST", `/subscriptions/${id}/send`)).toMatchObject({ status: 429 });
  });
});

describe("what is not ready in time", () => {
  it("is named in the message, which has the rest", async () => {
    const gateway = await app.open({
      gatherMs: 300,
      engine: (real): QueryEngine => ({
        ...real,
        features: real.features,
        supportsSort: real.supportsSort,
        search: (_dataset, _query, { signal }) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
        aggregate: (...parameters) => real.aggregate(...parameters),
      }),
    });
    const boardId = await app.saveBoard(gateway, "ada", [count, { kind: "table", title: "Slow", dataset, query: {} }]);
    const { id } = await app.create(gateway, "ada", { boardId });
    await app.run(id);
    expect(partsOf(0).get("text/plain")).toContain("Not ready within 60 seconds: Slow.");
    expect((await app.deliveries(gateway, "ada", id))[0]).toMatchObject({ kind: "sent", notReady: ["Slow"] });
  });
});

describe("a mail server", () => {
  it("that refuses is asked again, and after the last time the subscription pauses until the next chosen day", async () => {
    const gateway = await app.open();
    const { id } = await app.create(gateway, "ada", { savedSearchId: await app.saveSearch(gateway, "ada") });
    let refusals = 2;
    app.onMail(() => {
      if ((refusals -= 1) >= 0) throw new Error("try later");
    });
    await app.run(id);
    expect([app.received.length, await kinds(gateway, id)]).toEqual([1, [["sent", ""]]]);
    refusals = 100;
    await app.run(id);
    expect(refusals).toBe(96);
    expect((await app.list(gateway, "ada")).subscriptions[0]).toMatchObject({
      state: "paused",
      reason: "The mail server did not accept the email.",
      nextMs: expect.any(Number),
    });
  });

  it("gets nothing again that an ended gateway was sending, on that day", async () => {
    const gateway = await app.open();
    const { id } = await app.create(gateway, "ada", { savedSearchId: await app.saveSearch(gateway, "ada") });
    await app.pool.query(
      "insert into subscription_deliveries (subscription_id, started_at, kind, is_asked, not_ready, reason, duration_ms) values ($1, now(), 'sending', false, '{}', '', 0)",
      [id],
    );
    await app.pool.query("update subscriptions set last_day = to_char(now() at time zone 'UTC', 'YYYY-MM-DD')");
    await app.makeDue();
    await app.waitForDeliveries(id, 1);
    expect((await kinds(gateway, id)).map(([kind]) => kind)).toEqual(["unsure"]);
    expect(app.received).toEqual([]);
    await app.run(id);
    expect(app.received).toHaveLength(1);
  });
});

describe("the calls of subscriptions", () => {
  it("send nothing a second time on a day whose time is moved", async () => {
    const gateway = await app.open();
    const savedSearchId = await app.saveSearch(gateway, "ada");
    const { id } = await app.create(gateway, "ada", { savedSearchId });
    await app.run(id);
    const today = new Date().toISOString().slice(0, 10);
    const draft = app.draftOf({ savedSearchId }, { at: { hour: 23, minute: 59, weekdays: [1, 2, 3, 4, 5, 6, 7], zone: "UTC" } });
    const { body } = await app.call<Subscription>(gateway, "ada", "PUT", `/subscriptions/${id}`, draft);
    expect(new Date(body.nextMs ?? 0).toISOString().slice(0, 10) > today).toBe(true);
  });
});
