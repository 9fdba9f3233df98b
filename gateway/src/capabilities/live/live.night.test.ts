import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { storedTypes } from "#entities/entity-types.ts";
import { readLive } from "#testing/live-reader.ts";
import { opened, openGateways, closeGateways, adasToken, gracesToken, idOf, about } from "#testing/live-streams.ts";

beforeAll(openGateways);

afterAll(closeGateways);

const buildNotice = (id: string, more: object = {}) => ({ id, faIcon: "bullhorn", title: id, message: id, createdDateMs: 1, ...more });

describe("a stream", () => {
  it("notifies everyone of edited notices, once for several, and when the time of one comes", async () => {
    const grace = await readLive(opened.two.url, await gracesToken());
    const count = () => about(grace, "notices").length;
    await Promise.all([
      opened.one.entities.create(storedTypes.notices, buildNotice("now")),
      opened.one.entities.create(storedTypes.notices, buildNotice("today")),
      opened.one.entities.create(storedTypes.notices, buildNotice("late", { startMs: Date.now() + 400_000_000_000 })),
    ]);
    await grace.untilReceived({ kind: "changed", topic: "notices", id: null });
    expect(count()).toBeLessThanOrEqual(2);
    // A busy machine reports the new notice after its time, which proves nothing: then with more time.
    for (const aheadMs of [500, 5_000, 30_000]) {
      const startMs = Date.now() + aheadMs;
      const before = count();
      await opened.one.entities.create(storedTypes.notices, buildNotice(`soon ${aheadMs}`, { startMs }));
      await vi.waitUntil(() => count() > before, { timeout: 10_000 });
      if (Date.now() >= startMs) continue;
      const received = count();
      await vi.waitUntil(() => Date.now() >= startMs && count() > received, { timeout: aheadMs + 10_000 });
      break;
    }
    const token = await gracesToken();
    const received = count();
    await opened.two.app.call("PUT", "/notices/viewed", { token, body: ["now"] });
    await vi.waitUntil(() => count() > received);
  });

  it("notifies holders of a role only while they hold it", async () => {
    const [ada, grace] = [await readLive(opened.two.url, await adasToken()), await readLive(opened.two.url, await gracesToken())];
    const report = (id: string) => opened.one.changes.report({ topic: "notices", id, audience: { roles: ["editor"] } });
    report("first");
    await ada.untilReceived({ kind: "changed", topic: "notices", id: "first" });
    const { pool } = opened.one.app.database;
    await pool.query("delete from user_roles where user_id = $1", [idOf("ada")]);
    await opened.one.app.identity.userChanged(idOf("ada"));
    report("second");
    opened.one.changes.report({ topic: "notices", id: "third", audience: "everyone" });
    for (const reader of [ada, grace]) await reader.untilReceived({ kind: "changed", topic: "notices", id: "third" });
    expect(about(grace, "notices").map((message) => message.kind === "changed" && message.id)).toEqual(["third"]);
    expect(ada.text()).not.toContain("second");
    await pool.query("insert into user_roles select $1, id from roles where name = 'editor'", [idOf("ada")]);
    await opened.one.app.identity.userChanged(idOf("ada"));
  });

  it("passes many changes on together: equal ones once, long lists in parts, and more than fit as one that names none", async () => {
    const ada = await readLive(opened.two.url, await adasToken());
    const others = Array.from({ length: 1_000 }, () => crypto.randomUUID());
    for (let time = 0; time < 50; time += 1)
      opened.one.changes.report({ topic: "notices", id: "same", audience: { users: [...others, idOf("ada")] } });
    await ada.untilReceived({ kind: "changed", id: "same" });
    opened.one.changes.report({ topic: "notices", id: "next", audience: "everyone" });
    await ada.untilReceived({ kind: "changed", id: "next" });
    expect(about(ada, "notices").filter((message) => message.kind === "changed" && message.id === "same")).toHaveLength(1);
    for (let number = 0; number < 1_500; number += 1)
      opened.one.changes.report({ topic: "notices", id: String(number), audience: { users: others } });
    await ada.untilReceived({ kind: "everything" });
  });
});
