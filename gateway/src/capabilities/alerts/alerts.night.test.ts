import type { Alert } from "@fairway/contract/alerts";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { alertsApp } from "#testing/alerts-app.ts";

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
