import type { Alert } from "@fairway/contract/alerts";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { alertsApp } from "#testing/alerts-app.ts";
import { EngineFailed } from "#query/engine.ts";

const app = await alertsApp();

describe("an alert for new rows", () => {
  it("reports rows that appear after one from the future, and rows that arrive late, each once", async () => {
    const gateway = await app.open();
    const times = ["2024-05-01 10:00:00"];
    await app.writeTimes(times);
    const { id, draft } = await app.create(gateway, "ada");
    for (const time of [
      "2031-01-01 00:00:00",
      "2024-05-01 10:10:00",
      // Late, between and before the others.
      "2024-05-01 10:05:00",
      "2024-04-30 11:00:00",
      // Too late to be looked for.
      "2024-04-28 10:00:00",
      "2031-01-01 00:00:00",
      "2024-05-02 10:00:00",
    ]) {
      times.push(time);
      await app.writeTimes(times);
      await app.check(id);
      await app.check(id);
    }
    expect((await app.history(gateway, "ada", id)).checks.map(({ seen }) => seen?.newRows).toReversed()).toEqual([
      null,
      1,
      0,
      1,
      0,
      1,
      0,
      1,
      0,
      0,
      0,
      1,
      0,
      1,
      0,
    ]);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual(Array(6).fill(`${draft.name}: 1 new row`));
    expect((await app.find(gateway, "ada", id)).seen?.newestMs).toBe(Date.parse("2024-05-02T10:00:00Z"));
  });

  it("does not report a row again when its time has come, nor misses others then", async () => {
    const gateway = await app.open();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-01T12:00:00Z") });
    onTestFinished(() => void vi.useRealTimers());
    const times = ["2026-03-01 11:00:00", "2026-03-01 13:00:00"];
    await app.writeTimes(times);
    const { id } = await app.create(gateway, "ada");
    await app.writeTimes([...times, "2026-03-01 14:00:00", "2026-03-03 14:00:00"]);
    await app.check(id);
    vi.setSystemTime(Date.parse("2026-03-02T12:00:00Z"));
    await app.check(id);
    // One of those with a wrong time leaves as another row comes.
    await app.writeTimes([...times, "2026-03-01 14:00:00", "2026-03-02 11:00:00"]);
    await app.check(id);
    expect((await app.history(gateway, "ada", id)).checks.map(({ seen }) => seen?.newRows).toReversed()).toEqual([null, 2, 0, 1]);
  });

  it("goes on from what an older gateway stored, unless that is a time in the future", async () => {
    const gateway = await app.open();
    const { id } = await app.create(gateway, "ada");
    const stored = (newestMs: number) =>
      app.pool.query("update alerts set memory = memory - 'cells' || jsonb_build_object('newestMs', $2::float8) where id = $1", [
        id,
        newestMs,
      ]);
    await stored(Date.parse("2026-03-01T00:06:00Z"));
    await app.check(id);
    await stored(Date.parse("2031-01-01T00:00:00Z"));
    await app.check(id);
    await app.writeRows(12);
    await app.check(id);
    expect((await app.history(gateway, "ada", id)).checks.map(({ seen }) => seen?.newRows).toReversed()).toEqual([null, 3, null, 2]);
  });

  it("counts rows of datasets without a time, and begins anew if its search is another one", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada", {}, "timeless");
    await app.writeRows(12);
    await app.check(id);
    const search = { queryName: "Other", query: JSON.stringify({ filters: [{ name: "id", operator: "<", value: 4 }] }) };
    expect((await app.call(gateway, "ada", "PUT", `/favorite/queries/${draft.savedSearchId}`, search)).status).toBe(200);
    await app.check(id);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([`${draft.name}: 2 new rows`]);
    expect((await app.history(gateway, "ada", id)).checks.map(({ seen }) => [seen?.rows, seen?.newRows])).toEqual([
      [4, null],
      [12, 2],
      [10, null],
    ]);
  });

  it("watches a saved search with a number beyond 64 bits", async () => {
    const gateway = await app.open();
    const value = "17293822569102704640";
    for (const [operator, rows] of [
      ["<", 10],
      [">=", 0],
    ] as const) {
      const { id } = await app.create(gateway, "ada", {}, "rows", { filters: [{ name: "id", operator, value }] });
      expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "ok", seen: { rows } });
    }
  });
});

describe("an alert for a number of rows", () => {
  it("reports a change by a share", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada", { condition: { kind: "changed", percent: 30 } });
    for (const rows of [12, 13, 14]) {
      await app.writeRows(rows);
      await app.check(id);
    }
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([`${draft.name}: 13 rows, 30% more than 10`]);
  });

  it("while it is snoozed sends nothing, and reports afterwards what still holds", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada", { condition: { kind: "above", rows: 10 } });
    expect((await app.call<Alert>(gateway, "ada", "PUT", `/alerts/${id}/snooze`, { minutes: 60 })).body).toMatchObject({
      state: "snoozed",
    });
    await app.writeRows(11);
    await app.check(id);
    expect(await app.messages(gateway, "ada")).toEqual([]);
    await app.call(gateway, "ada", "PUT", `/alerts/${id}/snooze`, { minutes: null });
    await app.check(id);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([`${draft.name}: 11 rows`]);
  });
});

describe("a message that cannot be stored", () => {
  it("is reported by the next check, because nothing of the failed one is stored", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada");
    await app.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse before insert on notifications for each row execute function refuse()`);
    try {
      await app.writeRows(12);
      await app.check(id);
    } finally {
      await app.pool.query("drop trigger refuse on notifications; drop function refuse()");
    }
    expect(await app.messages(gateway, "ada")).toEqual([]);
    await app.check(id);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([`${draft.name}: 2 new rows`]);
    expect((await app.history(gateway, "ada", id)).checks.map(({ kind }) => kind)).toEqual(["firing", "failed", "ok"]);
  });
});

describe("an alert whose search fails", () => {
  it("pauses after three temporary failures, and reports it once", async () => {
    let isBroken = false;
    const gateway = await app.open({
      engine: (real) => ({
        ...real,
        features: real.features,
        aggregate: (...parameters) =>
          isBroken ? Promise.reject(new EngineFailed("out-of-memory", "The query needs too much memory.")) : real.aggregate(...parameters),
      }),
    });
    const { id, draft } = await app.create(gateway, "ada", { condition: { kind: "above", rows: 100 } });
    isBroken = true;
    for (const state of ["ok", "ok", "paused", "paused"]) {
      await app.check(id);
      expect((await app.find(gateway, "ada", id)).state).toBe(state);
    }
    expect((await app.history(gateway, "ada", id)).checks.map(({ kind, reason }) => [kind, reason]).slice(1, 3)).toEqual([
      ["paused", "The query needs too much memory."],
      ["failed", "The query needs too much memory."],
    ]);
    isBroken = false;
    await app.check(id);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([
      `${draft.name} is paused`,
      `${draft.name} is active again`,
    ]);
  });

  it("is not tried for longer than a check may take, and waits for a busy engine without failing", async () => {
    const first = await app.open();
    const { id } = await app.create(first, "ada", { condition: { kind: "above", rows: 100 } });
    await first.close();
    let failure: EngineFailed | "none" = "none";
    // The time is over once the search runs, however long that takes.
    const checkMs = 50;
    let over = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const timeouts = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => (ms === checkMs ? over.signal : timeout(ms)));
    onTestFinished(() => timeouts.mockRestore());
    const second = await app.open({
      limits: { alertCheckMs: checkMs },
      engine: (real) => ({
        ...real,
        features: real.features,
        aggregate: (_dataset, _aggregations, _groups, _query, { signal }) =>
          new Promise((_, reject) => {
            if (failure !== "none") return reject(failure);
            signal.addEventListener("abort", () => reject(new Error("aborted")));
            over.abort();
          }),
      }),
    });
    await app.check(id);
    const [check] = (await app.history(second, "ada", id)).checks;
    expect([check?.kind, check?.reason]).toEqual(["failed", "The search took longer than 0.05 s and was stopped."]);
    over = new AbortController();
    failure = new EngineFailed("busy", "The query engine is busy.");
    await app.pool.query("update alerts set next_check_at = now()");
    await expect
      .poll(async () => (await app.pool.query("select from alerts where next_check_at > now() and claim is null")).rowCount)
      .toBe(1);
    expect(await app.checksOf(id)).toBe(2);
    expect((await app.pool.query("select failures from alerts")).rows).toEqual([{ failures: 1 }]);
  });
});

describe("the calls of alerts", () => {
  it("pause, resume, edit, check at once and delete an alert", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada");
    const set = async (path: string, body?: unknown) => (await app.call<Alert>(gateway, "ada", "PUT", `/alerts/${id}${path}`, body)).body;
    expect(await set("/pause", { paused: true })).toMatchObject({ state: "paused", pausedBy: "owner", nextCheckMs: null });
    expect((await app.call(gateway, "ada", "POST", `/alerts/${id}/check`)).status).toBe(409);
    await app.writeRows(12);
    expect(await set("", { ...draft, name: "Renamed" })).toMatchObject({ name: "Renamed", state: "paused" });
    await set("/pause", { paused: false });
    await app.waitForChecks(id, 2);
    await app.settled();
    // The rows that came meanwhile are not reported.
    expect(await app.messages(gateway, "ada")).toEqual([]);
    expect((await app.call(gateway, "ada", "POST", `/alerts/${id}/check`)).status).toBe(429);
    await app.pool.query("update alerts set checked_at = checked_at - interval '1 minute'");
    expect((await app.call(gateway, "ada", "POST", `/alerts/${id}/check`)).status).toBe(200);
    await app.waitForChecks(id, 3);
    expect((await app.call(gateway, "ada", "POST", `/alerts/${id}/test`)).status).toBe(200);
    expect((await app.call(gateway, "ada", "POST", `/alerts/${id}/test`)).status).toBe(429);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual(["Renamed: this is a test"]);
    expect((await app.call(gateway, "ada", "DELETE", `/alerts/${id}`)).status).toBe(204);
    expect(await app.checksOf(id)).toBe(0);
    expect(gateway.reported.take()).toContainEqual({ topic: "alerts", audience: { users: ["ada"] } });
  });

  it("page through the history, which is kept for some days", async () => {
    const gateway = await app.open();
    const { id } = await app.create(gateway, "ada");
    await app.pool.query(
      `insert into alert_checks (alert_id, checked_at, kind, is_change, told, reason, duration_ms)
       select $1, now() - make_interval(hours => n), 'ok', false, '{}', '', n from generate_series(1, 60) n`,
      [id],
    );
    const first = await app.history(gateway, "ada", id);
    expect([first.checks.length, first.hasMore]).toEqual([50, true]);
    const second = await app.history(gateway, "ada", id, `?before=${first.checks.at(-1)?.id}`);
    expect([second.checks.length, second.hasMore]).toEqual([11, false]);
    await app.pool.query("update alert_checks set checked_at = now() - interval '31 days' where duration_ms > 10 and not is_change");
    await gateway.alerts.prune();
    expect(await app.checksOf(id)).toBe(11);
  });
});
