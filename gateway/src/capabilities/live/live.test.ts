import type { LiveMessage } from "@fairway/contract/live";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openNotices } from "#capabilities/notices/capability.ts";
import { openNotifications } from "#capabilities/notifications/capability.ts";
import { openEntityChanges } from "#entities/entity-changes.ts";
import { storedTypes } from "#entities/entity-types.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { LiveChanges } from "#database/live-changes.ts";
import type { Notifier } from "#personal/notify.ts";
import { adasPassword, type IdentityApp, identityApp, rootsAccount, someAccounts } from "#testing/identity-app.ts";
import { type LiveReader, readLive } from "#testing/live-reader.ts";
import { secretKey } from "#testing/secret-key.ts";
import { accessTokenOf, tokensOf } from "#testing/signed-in.ts";
import { openLive } from "./capability.ts";
import { LiveStream } from "./live-stream.ts";

const gracesPassword = "nanoseconds";
const limits = { liveStreams: 6, liveStreamsPerUser: 3 };

interface Gateway {
  readonly app: IdentityApp;
  readonly url: string;
  readonly notifier: Notifier;
  readonly entities: EntityStore;
  readonly changes: LiveChanges;
  /** As by SIGTERM. */
  readonly stop: () => void;
  readonly openStreams: () => number;
}

interface Options {
  readonly accessTokenSeconds?: number;
  readonly sessionCheckMs?: number;
  readonly heartbeatMs?: number;
}

async function openGateway(onClose: (close: () => Promise<void>) => void, peer?: IdentityApp, options: Options = {}): Promise<Gateway> {
  const { accessTokenSeconds = 1_800, ...timing } = options;
  const stopping = new AbortController();
  let parts: Pick<Gateway, "notifier" | "entities" | "changes" | "openStreams"> | undefined;
  const app = await identityApp({
    onClose,
    limits: { accessTokenSeconds },
    headRoutes: true,
    ...(peer ? { peer } : { accounts: someAccounts }),
    capabilities: async ({ db, identity, notifications, log }) => {
      const changes = await LiveChanges.open({ notifications, log });
      const entityChanges = await openEntityChanges(notifications);
      const entities = entityStore(db, log, secretKey, entityChanges.report);
      const notices = openNotices({ db, entities, entityChanges, live: changes, log });
      const notifying = await openNotifications({
        db,
        canRead: async () => true,
        mail: undefined,
        publicUrl: undefined,
        portalTitle: async () => "Harbour Office",
        limits: defaultSecurityLimits,
        live: changes,
        log,
      });
      const live = openLive({
        liveChanges: changes,
        onNoticesChanged: notices.onChanged,
        identity,
        limits,
        build: "b1",
        stopping: stopping.signal,
        log,
        ...timing,
      });
      parts = { notifier: notifying.notifier, entities, changes, openStreams: () => live.gauges?.[0]?.read() ?? -1 };
      return [notices, notifying, live, { routes: {}, close: () => changes.close() }];
    },
  });
  if (parts === undefined) throw new Error("the capabilities have not opened");
  servers.push(app.app.server);
  return { app, url: `${await app.app.listen({ host: "127.0.0.1", port: 0 })}/live`, stop: () => stopping.abort(), ...parts };
}

let one: Gateway;
let two: Gateway;
let ids: Record<string, string>;
const closing: (() => Promise<void>)[] = [];
const servers: FastifyInstance["server"][] = [];
beforeAll(async () => {
  one = await openGateway((close) => closing.push(close));
  two = await openGateway((close) => closing.push(close), one.app);
  const { rows } = await one.app.database.pool.query<{ id: string; username: string }>("select id, username from users");
  ids = Object.fromEntries(rows.map(({ id, username }) => [username, id]));
});
afterAll(async () => {
  // A client may have connected without having sent a request.
  for (const server of servers) server.closeAllConnections();
  for (const close of closing.toReversed()) await close();
});

const adasToken = () => accessTokenOf(one.app, "ada", adasPassword);
const gracesToken = () => accessTokenOf(one.app, "grace", gracesPassword);
const idOf = (username: string): string => ids[username] ?? "";
const about = (reader: LiveReader, topic: string) =>
  reader.messages.filter((message) => message.kind === "changed" && message.topic === topic);
const buildNotice = (id: string, more: object = {}) => ({ id, faIcon: "bullhorn", title: id, message: id, createdDateMs: 1, ...more });
const end = (reason: string): Partial<LiveMessage> => ({ kind: "end", reason }) as Partial<LiveMessage>;
const untilOpen = (gateway: Gateway, count: number) =>
  vi.waitUntil(() => gateway.openStreams() === count, { timeout: 10_000, interval: 10 });

describe("a stream", () => {
  it("reports at another gateway what has changed for its user, and nothing to others, without any content", async () => {
    const [ada, grace] = [await readLive(two.url, await adasToken()), await readLive(two.url, await gracesToken())];
    expect(ada.headers.get("content-type")).toBe("text/event-stream");
    expect(ada.headers.get("x-accel-buffering")).toBe("no");
    await one.notifier.notify([idOf("ada")], { title: "A secret of Ada's" });
    await ada.untilReceived({ kind: "changed", topic: "notifications", id: null });
    await one.notifier.notify([idOf("grace")], { title: "Grace's" });
    await grace.untilReceived({ kind: "changed", topic: "notifications" });
    expect([about(ada, "notifications").length, about(grace, "notifications").length]).toEqual([1, 1]);
    expect(ada.text()).not.toContain("secret");
    await one.app.call("PUT", "/notifications/read", { token: await adasToken(), body: { all: true } });
    await vi.waitUntil(() => about(ada, "notifications").length === 2);
  });

  it("notifies everyone of edited notices, once for several, and when the time of one comes", async () => {
    const grace = await readLive(two.url, await gracesToken());
    const count = () => about(grace, "notices").length;
    await Promise.all([
      one.entities.create(storedTypes.notices, buildNotice("now")),
      one.entities.create(storedTypes.notices, buildNotice("today")),
      one.entities.create(storedTypes.notices, buildNotice("late", { startMs: Date.now() + 400_000_000_000 })),
    ]);
    await grace.untilReceived({ kind: "changed", topic: "notices", id: null });
    expect(count()).toBeLessThanOrEqual(2);
    // A busy machine reports the new notice after its time, which proves nothing: then with more time.
    for (const aheadMs of [500, 5_000, 30_000]) {
      const startMs = Date.now() + aheadMs;
      const before = count();
      await one.entities.create(storedTypes.notices, buildNotice(`soon ${aheadMs}`, { startMs }));
      await vi.waitUntil(() => count() > before, { timeout: 10_000 });
      if (Date.now() >= startMs) continue;
      const received = count();
      await vi.waitUntil(() => Date.now() >= startMs && count() > received, { timeout: aheadMs + 10_000 });
      break;
    }
    const token = await gracesToken();
    const received = count();
    await two.app.call("PUT", "/notices/viewed", { token, body: ["now"] });
    await vi.waitUntil(() => count() > received);
  });

  it("notifies holders of a role only while they hold it", async () => {
    const [ada, grace] = [await readLive(two.url, await adasToken()), await readLive(two.url, await gracesToken())];
    const report = (id: string) => one.changes.report({ topic: "notices", id, audience: { roles: ["editor"] } });
    report("first");
    await ada.untilReceived({ kind: "changed", topic: "notices", id: "first" });
    const { pool } = one.app.database;
    await pool.query("delete from user_roles where user_id = $1", [idOf("ada")]);
    await one.app.identity.userChanged(idOf("ada"));
    report("second");
    one.changes.report({ topic: "notices", id: "third", audience: "everyone" });
    for (const reader of [ada, grace]) await reader.untilReceived({ kind: "changed", topic: "notices", id: "third" });
    expect(about(grace, "notices").map((message) => message.kind === "changed" && message.id)).toEqual(["third"]);
    expect(ada.text()).not.toContain("second");
    await pool.query("insert into user_roles select $1, id from roles where name = 'editor'", [idOf("ada")]);
    await one.app.identity.userChanged(idOf("ada"));
  });

  it("passes many changes on together: equal ones once, long lists in parts, and more than fit as one that names none", async () => {
    const ada = await readLive(two.url, await adasToken());
    const others = Array.from({ length: 1_000 }, () => crypto.randomUUID());
    for (let time = 0; time < 50; time += 1)
      one.changes.report({ topic: "notices", id: "same", audience: { users: [...others, idOf("ada")] } });
    await ada.untilReceived({ kind: "changed", id: "same" });
    one.changes.report({ topic: "notices", id: "next", audience: "everyone" });
    await ada.untilReceived({ kind: "changed", id: "next" });
    expect(about(ada, "notices").filter((message) => message.kind === "changed" && message.id === "same")).toHaveLength(1);
    for (let number = 0; number < 1_500; number += 1)
      one.changes.report({ topic: "notices", id: String(number), audience: { users: others } });
    await ada.untilReceived({ kind: "everything" });
  });

  it("says that anything may have changed after its gateway could not listen", async () => {
    const ada = await readLive(two.url, await adasToken());
    await one.app.database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fairway notifications' and datname = current_database()",
    );
    await ada.untilReceived({ kind: "everything" });
    // Reported while the gateway may still be without its connection.
    one.changes.report({ topic: "notices", id: "afterwards", audience: "everyone" });
    await ada.untilReceived({ kind: "changed", id: "afterwards" });
    expect(ada.messages.filter(({ kind }) => kind === "end")).toEqual([]);
  });

  it("shows by comments that it lives", async () => {
    const gateway = await openGateway((close) => closing.push(close), one.app, { heartbeatMs: 20 });
    const ada = await readLive(gateway.url, await adasToken());
    await vi.waitUntil(() => ada.text().includes("\n\n:\n\n:\n\n"));
    expect(ada.messages).toEqual([{ kind: "open", build: "b1" }]);
  });
});

describe("the end of a stream", () => {
  it("comes with its session, its user's lock, and before its access token expires", async () => {
    const signedIn = await tokensOf(one.app);
    const [ada, other, grace] = [
      await readLive(two.url, signedIn.access_token),
      await readLive(two.url, await adasToken()),
      await readLive(two.url, await gracesToken()),
    ];
    await one.app.call("POST", "/auth/logout", { body: { refreshToken: signedIn.refresh_token } });
    await ada.ended;
    expect(ada.messages.at(-1)).toEqual({ kind: "end", reason: "ended" });
    await one.app.identity.lockUser(idOf("grace"));
    await grace.ended;
    expect(grace.messages.at(-1)).toEqual({ kind: "end", reason: "ended" });
    await one.app.identity.unlockUser(idOf("grace"));
    expect(other.messages).not.toContainEqual(end("ended"));
    other.leave();

    const brief = await openGateway((close) => closing.push(close), one.app, { accessTokenSeconds: 2 });
    const token = await accessTokenOf(brief.app, "ada", adasPassword);
    const expiring = await readLive(brief.url, token);
    await expiring.ended;
    expect(expiring.messages.at(-1)).toEqual({ kind: "end", reason: "renew" });
    expect(await brief.app.statusOf(token)).toBe(200);
  });

  it("comes also if the notification of the session's end was lost", async () => {
    const gateway = await openGateway((close) => closing.push(close), one.app, { sessionCheckMs: 50 });
    const ada = await readLive(gateway.url, await adasToken());
    await one.app.database.pool.query("delete from sessions where user_id = $1", [idOf("ada")]);
    await ada.ended;
    expect(ada.messages.at(-1)).toEqual({ kind: "end", reason: "ended" });
  });

  it("comes at once when the gateway stops, with a time to come back that differs; new streams are refused then", async () => {
    const gateway = await openGateway((close) => closing.push(close), one.app);
    const readers = [await readLive(gateway.url, await adasToken()), await readLive(gateway.url, await gracesToken())];
    gateway.stop();
    const returns = await Promise.all(
      readers.map(async (reader) => {
        await reader.ended;
        return /^retry: (\d+)\ndata: {"kind":"end","reason":"stopping"}/m.exec(reader.text())?.[1];
      }),
    );
    expect(Math.min(...returns.map(Number))).toBeGreaterThanOrEqual(500);
    expect(new Set(returns).size).toBe(2);
    const refused = await gateway.app.call("GET", "/live", { token: await adasToken() });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "2"]);
    expect(gateway.openStreams()).toBe(0);
  });

  it("comes when the app closes without being asked to stop before", async () => {
    let close = async () => {};
    const gateway = await openGateway((closeApp) => (close = closeApp), one.app);
    const ada = await readLive(gateway.url, await adasToken());
    await close();
    await ada.ended;
    expect(ada.messages.at(-1)).toEqual({ kind: "end", reason: "stopping" });
  });

  it("is forced on a caller who does not read", async () => {
    const stream = new LiveStream({ id: "u", sessionId: "s", roles: [] }, Date.now() + 60_000);
    const closed = new Promise((resolve) => stream.body.once("close", resolve));
    stream.send({ kind: "open", build: null });
    expect(stream.body.destroyed).toBe(false);
    for (let number = 0; number < 1_000; number += 1) stream.send({ kind: "changed", topic: "notices", id: String(number) });
    await closed;
    expect(stream.body.readableLength).toBeLessThan(20_000);
    stream.beat();
    stream.end("ended");
  });
});

describe("streams are refused", () => {
  it("without a token, and with an API key", async () => {
    expect((await one.app.call("GET", "/live")).status).toBe(401);
    const token = await adasToken();
    const created = await one.app.call<{ key: string }>("POST", "/apiKeys", {
      token,
      body: { name: "live", datasets: [{ datasetCategory: "a", datasetId: "b" }] },
    });
    expect(created.status).toBe(201);
    expect((await one.app.call("GET", "/live", { token: created.body.key })).status).toBe(403);
  });

  it("above the limits of a user and of the gateway, until others have ended", async () => {
    const gateway = await openGateway((close) => closing.push(close), one.app);
    const [ada, grace] = [await adasToken(), await gracesToken()];
    const adas = [await readLive(gateway.url, ada), await readLive(gateway.url, ada), await readLive(gateway.url, ada)];
    const refused = await gateway.app.call("GET", "/live", { token: ada });
    expect([refused.status, refused.headers["retry-after"], refused.body.errors[0]?.code]).toEqual([429, "60", "too-many-requests"]);
    for (let count = 0; count < 3; count += 1) await readLive(gateway.url, grace);
    adas[0]?.leave();
    await untilOpen(gateway, 5);
    await readLive(gateway.url, ada);
    await gateway.app.identity.ensureAccounts({ ...someAccounts, users: [rootsAccount] });
    const root = await accessTokenOf(gateway.app, "root", rootsAccount.password);
    const full = await gateway.app.call("GET", "/live", { token: root });
    expect([full.status, full.headers["retry-after"], full.body.errors[0]?.code]).toEqual([503, "60", "not-ready"]);
  });

  it("for a HEAD request, which only asks whether there is one", async () => {
    const before = two.openStreams();
    const response = await fetch(two.url, { method: "HEAD", headers: { authorization: `Bearer ${await adasToken()}` } });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(two.openStreams()).toBe(before);
  });
});
