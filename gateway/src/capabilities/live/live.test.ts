import { once } from "node:events";
import type { LiveMessage } from "@fairway/contract/live";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { adasPassword, rootsAccount, someAccounts } from "#testing/identity-app.ts";
import { readLive } from "#testing/live-reader.ts";
import { accessTokenOf, tokensOf } from "#testing/signed-in.ts";
import { LiveStream } from "./live-stream.ts";
import { LiveStreams } from "./live-streams.ts";
import {
  type Gateway,
  openGateway,
  opened,
  closing,
  openGateways,
  closeGateways,
  adasToken,
  gracesToken,
  idOf,
  about,
} from "#testing/live-streams.ts";
import { someUser } from "#testing/some-user.ts";

beforeAll(openGateways);

afterAll(closeGateways);

const end = (reason: string): Partial<LiveMessage> => ({ kind: "end", reason }) as Partial<LiveMessage>;
const untilOpen = (gateway: Gateway, count: number) =>
  vi.waitUntil(() => gateway.openStreams() === count, { timeout: 10_000, interval: 10 });

describe("a stream", () => {
  it("reports at another gateway what has changed for its user, and nothing to others, without any content", async () => {
    const [ada, grace] = [await readLive(opened.two.url, await adasToken()), await readLive(opened.two.url, await gracesToken())];
    expect(ada.headers.get("content-type")).toBe("text/event-stream");
    expect(ada.headers.get("x-accel-buffering")).toBe("no");
    await opened.one.notifier.notify([idOf("ada")], { title: "A secret of Ada's" });
    await ada.untilReceived({ kind: "changed", topic: "notifications", id: null });
    await opened.one.notifier.notify([idOf("grace")], { title: "Grace's" });
    await grace.untilReceived({ kind: "changed", topic: "notifications" });
    expect([about(ada, "notifications").length, about(grace, "notifications").length]).toEqual([1, 1]);
    expect(ada.text()).not.toContain("secret");
    await opened.one.app.call("PUT", "/notifications/read", { token: await adasToken(), body: { all: true } });
    await vi.waitUntil(() => about(ada, "notifications").length === 2);
  });

  it("tells everyone that datasets have changed, once for many, and a user whose roles have, without naming any", async () => {
    const [ada, grace] = [await readLive(opened.two.url, await adasToken()), await readLive(opened.two.url, await gracesToken())];
    for (const id of ["pay", "staff"]) await opened.one.entities.create(storedTypes["datasets/internal"], buildDataset({ id }));
    for (const reader of [ada, grace]) {
      await reader.untilReceived({ kind: "changed", topic: "datasets" });
      expect(about(reader, "datasets")).toEqual([{ kind: "changed", topic: "datasets", id: null }]);
    }
    const { pool } = opened.one.app.database;
    await pool.query("delete from user_roles where user_id = $1", [idOf("ada")]);
    await opened.one.app.identity.everyoneChanged();
    await vi.waitUntil(() => about(ada, "datasets").length === 2);
    await pool.query("insert into user_roles select $1, id from roles where name = 'editor'", [idOf("ada")]);
    await opened.one.app.identity.userChanged(idOf("ada"));
    await vi.waitUntil(() => about(ada, "datasets").length === 3);
    expect(about(grace, "datasets")).toHaveLength(1);
  });

  it("says that anything may have changed after its gateway could not listen", async () => {
    const ada = await readLive(opened.two.url, await adasToken());
    await opened.one.app.database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fairway notifications' and datname = current_database()",
    );
    await ada.untilReceived({ kind: "everything" });
    // Reported while the gateway may still be without its connection.
    opened.one.changes.report({ topic: "notices", id: "afterwards", audience: "everyone" });
    await ada.untilReceived({ kind: "changed", id: "afterwards" });
    expect(ada.messages.filter(({ kind }) => kind === "end")).toEqual([]);
  });

  it("shows by comments that it lives", async () => {
    const gateway = await openGateway((close) => closing.push(close), opened.one.app, { heartbeatMs: 20 });
    const ada = await readLive(gateway.url, await adasToken());
    await vi.waitUntil(() => ada.text().includes("\n\n:\n\n:\n\n"));
    expect(ada.messages).toEqual([{ kind: "open", build: "b1" }]);
  });
});

describe("the end of a stream", () => {
  const user = someUser({ username: "ada" });

  it("comes with its session, its user's lock, and its access token", async () => {
    const signedIn = await tokensOf(opened.one.app);
    const [ada, other, grace] = [
      await readLive(opened.two.url, signedIn.access_token),
      await readLive(opened.two.url, await adasToken()),
      await readLive(opened.two.url, await gracesToken()),
    ];
    await opened.one.app.call("POST", "/auth/logout", { body: { refreshToken: signedIn.refresh_token } });
    await ada.ended;
    expect(ada.messages.at(-1)).toEqual({ kind: "end", reason: "ended" });
    await opened.one.app.identity.lockUser(idOf("grace"));
    await grace.ended;
    expect(grace.messages.at(-1)).toEqual({ kind: "end", reason: "ended" });
    await opened.one.app.identity.unlockUser(idOf("grace"));
    expect(other.messages).not.toContainEqual(end("ended"));
    other.leave();

    const brief = await openGateway((close) => closing.push(close), opened.one.app, { accessTokenSeconds: 2 });
    const token = await accessTokenOf(brief.app, "ada", adasPassword);
    const expiring = await readLive(brief.url, token);
    await expiring.ended;
    expect(expiring.messages.at(-1)).toEqual({ kind: "end", reason: "renew" });
  });

  it("comes before its access token expires", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
    const streams = new LiveStreams({
      identity: { usersOf: async () => new Map([["s", user]]), onSessionsChanged: () => undefined },
      limits: { liveStreams: 10, liveStreamsPerUser: 10 },
      build: null,
      stopping: new AbortController().signal,
      log: { warn: () => {} },
    });
    try {
      for (const lifetimeMs of [2_000, 1_800_000]) {
        const expiresMs = Date.now() + lifetimeMs;
        const { body } = streams.open(user, expiresMs);
        const ended = once(body, "end").then(() => Date.now());
        body.resume();
        while (streams.size > 0 && Date.now() < expiresMs) await vi.advanceTimersByTimeAsync(lifetimeMs / 200);
        expect(streams.size).toBe(0);
        expect(await ended).toBeLessThan(expiresMs);
      }
    } finally {
      vi.useRealTimers();
      await streams.close();
    }
  });

  it("comes also if the notification of the session's end was lost", async () => {
    const gateway = await openGateway((close) => closing.push(close), opened.one.app, { sessionCheckMs: 50 });
    const ada = await readLive(gateway.url, await adasToken());
    await opened.one.app.database.pool.query("delete from sessions where user_id = $1", [idOf("ada")]);
    await ada.ended;
    expect(ada.messages.at(-1)).toEqual({ kind: "end", reason: "ended" });
  });

  it("comes at once when the gateway stops, with a time to come back that differs; new streams are refused then", async () => {
    const gateway = await openGateway((close) => closing.push(close), opened.one.app);
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
    const gateway = await openGateway((closeApp) => (close = closeApp), opened.one.app);
    const ada = await readLive(gateway.url, await adasToken());
    await close();
    await ada.ended;
    expect(ada.messages.at(-1)).toEqual({ kind: "end", reason: "stopping" });
  });

  it("is forced on a caller who does not read", async () => {
    const stream = new LiveStream({ id: "u", sessionId: "s", roles: [], groupNames: [] }, Date.now() + 60_000);
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
    expect((await opened.one.app.call("GET", "/live")).status).toBe(401);
    const token = await adasToken();
    const created = await opened.one.app.call<{ key: string }>("POST", "/apiKeys", {
      token,
      body: { name: "live", datasets: [{ datasetCategory: "a", datasetId: "b" }] },
    });
    expect(created.status).toBe(201);
    expect((await opened.one.app.call("GET", "/live", { token: created.body.key })).status).toBe(403);
  });

  it("above the limits of a user and of the gateway, until others have ended", async () => {
    const gateway = await openGateway((close) => closing.push(close), opened.one.app);
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
    const before = opened.two.openStreams();
    const response = await fetch(opened.two.url, { method: "HEAD", headers: { authorization: `Bearer ${await adasToken()}` } });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(opened.two.openStreams()).toBe(before);
  });
});
