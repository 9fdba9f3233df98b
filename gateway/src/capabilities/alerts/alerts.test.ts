import type { AlertList, OwnedAlertList, SavedAlert } from "@fairway/contract/alerts";
import { describe, expect, it } from "vitest";
import { alertsApp } from "#testing/alerts-app.ts";

const app = await alertsApp();

describe("an alert for new rows", () => {
  it("reports rows that are newer than those of the last check, once, with a link that shows them first", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada", {}, "rows", { filters: [{ name: "id", operator: ">=", value: 5 }] });
    expect(await app.find(gateway, "ada", id)).toMatchObject({
      state: "ok",
      seen: { rows: 5, newestMs: Date.parse("2026-03-01T00:09:00Z") },
    });
    await app.check(id);
    expect(await app.messages(gateway, "ada")).toEqual([]);
    await app.writeRows(13);
    await app.check(id);
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "firing" });
    await app.check(id);
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "ok" });
    const messages = await app.messages(gateway, "ada");
    expect(messages.map(({ title }) => title)).toEqual([`${draft.name}: 3 new rows`]);
    const [, fragment = ""] = /^\/search\/[\w-]{36}#1\.([\w-]+)$/.exec(messages[0]?.link ?? "") ?? [];
    expect(JSON.parse(Buffer.from(fragment, "base64url").toString())).toEqual({
      c: "Tests",
      d: "rows",
      f: [["id", ">=", 5]],
      o: [["at", "desc"]],
    });
    expect((await app.history(gateway, "ada", id)).checks.map(({ kind, seen, told }) => [kind, seen?.newRows, told])).toEqual([
      ["ok", 0, []],
      ["firing", 3, ["portal"]],
      ["ok", 0, []],
      ["ok", null, []],
    ]);
    expect((await app.history(gateway, "ada", id, "?changes=true")).checks.map(({ kind }) => kind)).toEqual(["ok", "firing", "ok"]);
  });

  it("finds the first rows of a search that had none, and evaluates a relative time range at each check", async () => {
    const gateway = await app.open();
    const soon = await app.create(gateway, "ada", {}, "rows", { filters: [{ name: "id", operator: ">=", value: 10 }] });
    const relative = await app.create(gateway, "ada", { condition: { kind: "above", rows: 0 } }, "rows", { timeRange: { last: "1h" } });
    await app.writeRows(12);
    await app.check(soon.id);
    // The rows are of March 2026: an hour before now there are none, whatever the saved start and end say.
    await app.check(relative.id);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([`${soon.draft.name}: 2 new rows`]);
  });
});

describe("an alert for a number of rows", () => {
  it("sends one message for each change, however many checks find it", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada", { condition: { kind: "above", rows: 10 }, tellWhenOver: true });
    for (const rows of [11, 12, 13, 9, 8]) {
      await app.writeRows(rows);
      await app.check(id);
    }
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([
      `${draft.name}: 11 rows`,
      `${draft.name}: back to 9 rows`,
    ]);
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "ok", seen: { rows: 8, newestMs: null } });
  });
});

describe("an alert whose owner loses the dataset", () => {
  it("pauses with a reason, hides what it saw, and goes on by itself once the dataset is back", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["insider"]);
    const { id, draft } = await app.create(gateway, "ada", {}, "secret");
    await app.setRoles("ada", []);
    await app.writeRows(15);
    await app.check(id);
    const reason = "The dataset no longer exists, or you no longer have access to it.";
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "paused", pausedBy: "portal", reason, seen: null });
    expect((await app.history(gateway, "ada", id)).checks.map(({ kind, seen }) => [kind, seen])).toEqual([
      ["paused", null],
      ["ok", null],
    ]);
    await app.check(id);
    await app.setRoles("ada", ["insider"]);
    await app.check(id);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([
      `${draft.name} is paused`,
      `${draft.name} is active again`,
      `${draft.name}: 5 new rows`,
    ]);
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "firing", pausedBy: null, reason: "" });
  });

  it("is not notified of results if access is taken away while the search runs", async () => {
    let release = () => {};
    const taken = new Promise<void>((resolve) => (release = resolve));
    let isBlocked = false;
    let searches = 0;
    const gateway = await app.open({
      engine: (real) =>
        new Proxy(real, {
          get: (engine, name) => {
            const value: unknown = Reflect.get(engine, name);
            if (typeof value !== "function") return value;
            if (name !== "aggregate") return value.bind(engine) as unknown;
            return async (...parameters: unknown[]) => {
              if (isBlocked) {
                searches += 1;
                await taken;
              }
              return (value as (...all: unknown[]) => unknown).apply(engine, parameters);
            };
          },
        }),
    });
    await app.setRoles("ada", ["insider"]);
    const { id } = await app.create(gateway, "ada", {}, "secret");
    await app.writeRows(15);
    isBlocked = true;
    const checked = app.check(id);
    // Once it is claimed, it may not yet have been looked up whether she has access.
    await expect.poll(() => searches).toBe(1);
    await app.setRoles("ada", []);
    release();
    await checked;
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([expect.stringContaining("is paused")]);
    expect((await app.find(gateway, "ada", id)).seen).toBeNull();
  });

  it("pauses while the account is locked", async () => {
    const gateway = await app.open();
    const { id } = await app.create(gateway, "ada", { everyMinutes: 1_440 });
    await app.pool.query("update users set locked = true where id = 'ada'");
    await app.check(id);
    // It is seen soon that the account is back.
    expect((await app.pool.query("select from alerts where next_check_at < now() + interval '61 minutes'")).rowCount).toBe(1);
    expect((await app.pool.query("select paused_by, pause_reason from alerts")).rows).toEqual([
      { paused_by: "portal", pause_reason: "The account is locked." },
    ]);
  });
});

describe("an alert whose search fails", () => {
  it("pauses at once if the search is not valid any more, and for good if it is deleted", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada", {}, "rows", { filters: [{ name: "id", operator: ">", value: 1 }] });
    await app.pool.query("update saved_searches set query = $1", [
      JSON.stringify({ filters: [{ name: "gone", operator: "=", value: 1 }] }),
    ]);
    await app.check(id);
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "paused", reason: expect.stringContaining("'gone'") });
    await app.pool.query("delete from saved_searches");
    await app.check(id);
    expect(await app.find(gateway, "ada", id)).toMatchObject({
      state: "paused",
      reason: "Its saved search was deleted.",
      savedSearch: null,
      nextCheckMs: null,
    });
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([`${draft.name} is paused`]);
    expect((await app.call(gateway, "ada", "PUT", `/alerts/${id}/pause`, { paused: false })).status).toBe(409);
  });
});

describe("an alert on a search of somebody else", () => {
  it("watches it while it is shared, and pauses without its name when it is not any more", async () => {
    const gateway = await app.open();
    const saved = await app.saveSearch(gateway, "ada");
    const share = async (shares: readonly object[]) =>
      expect((await app.call(gateway, "ada", "PUT", `/favorite/queries/${saved}/shares`, { shares })).status).toBe(200);
    const draft = app.draftOf(saved);
    expect((await app.call(gateway, "bob", "POST", "/alerts", draft)).status).toBe(404);
    await share([{ to: { kind: "user", id: "bob" }, can: "view" }]);
    const { status, body } = await app.call<SavedAlert>(gateway, "bob", "POST", "/alerts", draft);
    expect([status, body.savedSearch?.id]).toEqual([201, saved]);
    await app.waitForChecks(body.id, 1);
    await app.settled();
    await share([]);
    expect(await app.find(gateway, "bob", body.id)).toMatchObject({ savedSearch: null, link: null });
    await app.check(body.id);
    expect(await app.find(gateway, "bob", body.id)).toMatchObject({
      state: "paused",
      pausedBy: "portal",
      reason: "Its saved search is no longer shared with you.",
      savedSearch: null,
      link: null,
    });
    expect((await app.call(gateway, "bob", "PUT", `/alerts/${body.id}`, draft)).status).toBe(404);
    await share([{ to: { kind: "everyone" }, can: "view" }]);
    await app.check(body.id);
    expect(await app.find(gateway, "bob", body.id)).toMatchObject({ state: "ok", savedSearch: { id: saved } });
    expect((await app.messages(gateway, "bob")).map(({ title }) => title)).toEqual([
      `${draft.name} is paused`,
      expect.stringContaining(draft.name),
    ]);
  });

  it("goes on when its owner gives the search away or is gone, and rests with the account of its own owner", async () => {
    const gateway = await app.open();
    const saved = await app.saveSearch(gateway, "ada");
    await app.call(gateway, "ada", "PUT", `/favorite/queries/${saved}/shares`, {
      shares: [{ to: { kind: "user", id: "bob" }, can: "edit" }],
    });
    const { body } = await app.call<SavedAlert>(gateway, "bob", "POST", "/alerts", app.draftOf(saved));
    await app.waitForChecks(body.id, 1);
    await app.settled();
    await app.pool.query("update saved_searches set user_id = null, former_owner = 'ada'");
    await app.check(body.id);
    expect(await app.find(gateway, "bob", body.id)).toMatchObject({ state: "ok", savedSearch: { id: saved } });
    await app.pool.query("update users set locked = true where id = 'bob'");
    await app.check(body.id);
    expect((await app.pool.query("select pause_reason from alerts")).rows).toEqual([{ pause_reason: "The account is locked." }]);
  });
});

describe("the calls of alerts", () => {
  it("refuse what cannot be watched, and say why", async () => {
    const gateway = await app.open({ limits: { alertLeastMinutes: 5, alertsPerUser: 1 } });
    const saved = await app.saveSearch(gateway, "ada");
    const refused = async (draft: unknown, status: number, path?: string) =>
      expect(await app.call(gateway, "ada", "POST", "/alerts", draft)).toMatchObject({
        status,
        body: { errors: [path === undefined ? {} : { path }] },
      });
    await refused(app.draftOf(saved, { everyMinutes: 4 }), 400, "everyMinutes");
    await refused(app.draftOf(saved, { email: true }), 400, "email");
    await refused(app.draftOf(saved, { condition: { kind: "below", rows: 0 } }), 400, "condition.rows");
    await refused(app.draftOf("nothing"), 404, "savedSearchId");
    await refused(app.draftOf(await app.saveSearch(gateway, "bob")), 404, "savedSearchId");
    await refused(app.draftOf(await app.saveSearch(gateway, "ada", "uncounted")), 400);
    const lost = await app.saveSearch(gateway, "ada");
    await app.pool.query("update saved_searches set dataset_id = 'secret' where id = $1", [lost]);
    await refused(app.draftOf(lost), 404);
    const { id, draft } = await app.create(gateway, "ada");
    await refused(app.draftOf(saved), 409);
    expect((await app.call(gateway, "ada", "PUT", `/alerts/${id}`, { ...draft, everyMinutes: 1 })).status).toBe(400);
  });

  it("keep the limit for alerts of one user that are created at the same time, and names unique", async () => {
    const gateway = await app.open({ limits: { alertsPerUser: 3 } });
    const saved = await app.saveSearch(gateway, "ada");
    const statuses = await Promise.all(Array.from({ length: 6 }, () => app.call(gateway, "ada", "POST", "/alerts", app.draftOf(saved))));
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 409, 409, 409]);
    const { body } = await app.call<AlertList>(gateway, "ada", "GET", "/alerts");
    const [first, second] = body.alerts;
    const rename = await app.call(
      gateway,
      "ada",
      "PUT",
      `/alerts/${second?.id}`,
      app.draftOf(saved, { name: first?.name.toUpperCase() ?? "" }),
    );
    expect(rename).toMatchObject({ status: 409, body: { errors: [{ code: "name-taken", path: "name" }] } });
  });

  it("are for the owner only", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada");
    expect((await app.call<AlertList>(gateway, "bob", "GET", "/alerts")).body).toEqual({
      alerts: [],
      emailAddress: null,
      sendsEmail: false,
    });
    for (const [method, path, body] of [
      ["PUT", "", { ...draft, savedSearchId: await app.saveSearch(gateway, "bob") }],
      ["DELETE", "", undefined],
      ["PUT", "/snooze", { minutes: 5 }],
      ["PUT", "/pause", { paused: true }],
      ["POST", "/check", undefined],
      ["POST", "/test", undefined],
      ["GET", "/history", undefined],
    ] as const) {
      expect((await app.call(gateway, "bob", method, `/alerts/${id}${path}`, body)).status).toBe(404);
    }
    expect(await app.find(gateway, "ada", id)).toMatchObject({ name: draft.name, state: "ok", snoozedUntilMs: null });
  });

  it("show API keys the alerts of their datasets only, without what may be secret of a webhook", async () => {
    const gateway = await app.open();
    const { id, draft } = await app.create(gateway, "ada", { webhookUrl: "https://chat.example.org/T0/secret" });
    const other = await app.create(gateway, "ada", {}, "timeless");
    const key = "ada+key";
    const { body } = await app.call<AlertList>(gateway, key, "GET", "/alerts");
    expect(body.alerts.map(({ name, webhook }) => [name, webhook?.url])).toEqual([[draft.name, "https://chat.example.org"]]);
    expect((await app.call(gateway, key, "GET", `/alerts/${id}/history`)).status).toBe(200);
    expect((await app.call(gateway, key, "GET", `/alerts/${other.id}/history`)).status).toBe(404);
  });
});

describe("an administrator", () => {
  it("sees whose alerts took how long, and ends one for good, which notifies its owner", async () => {
    const gateway = await app.open();
    await app.setRoles("root", ["admin"]);
    const { id, draft } = await app.create(gateway, "ada");
    const other = await app.create(gateway, "bob", { condition: { kind: "below", rows: 5 } });
    await app.pool.query("update alert_checks set duration_ms = 20");
    await app.pool.query(
      `insert into alert_checks (alert_id, checked_at, kind, is_change, told, reason, duration_ms)
       values ($1, now() - interval '1 hour', 'failed', true, '{}', 'It broke.', 5000), ($1, now() - interval '25 hours', 'ok', false, '{}', '', 9000)`,
      [id],
    );
    for (const person of ["ada", "bob"] as const) {
      expect((await app.call(gateway, person, "GET", "/admin/alerts")).status).toBe(403);
      expect((await app.call(gateway, person, "PUT", `/admin/alerts/${id}/end`, { reason: "Mine." })).status).toBe(403);
    }
    const { body } = await app.call<OwnedAlertList>(gateway, "root", "GET", "/admin/alerts");
    expect(body).toMatchObject({ total: 2, checks: 3 });
    expect(body.alerts.map((alert) => [alert.name, alert.owner.username, alert.checks, alert.failed, alert.durationMs])).toEqual([
      [draft.name, "ada", 2, 1, 5_020],
      [other.draft.name, "bob", 1, 0, 20],
    ]);
    expect(JSON.stringify(body)).not.toContain("seen");

    const end = (reason: string) => app.call(gateway, "root", "PUT", `/admin/alerts/${id}/end`, { reason });
    expect((await end(" ")).status).toBe(400);
    expect((await end("It reads too much.")).status).toBe(204);
    expect((await end("Again.")).status).toBe(409);
    expect(await app.find(gateway, "ada", id)).toMatchObject({
      state: "paused",
      pausedBy: "administrator",
      reason: "It reads too much.",
      nextCheckMs: null,
    });
    expect((await app.messages(gateway, "ada")).map(({ title, text }) => [title, text])).toEqual([
      [`${draft.name} was ended by an administrator`, "It reads too much."],
    ]);
    for (const [method, path, sent] of [
      ["PUT", "", draft],
      ["PUT", "/pause", { paused: false }],
      ["POST", "/check", undefined],
    ] as const) {
      expect((await app.call(gateway, "ada", method, `/alerts/${id}${path}`, sent)).status).toBe(409);
    }
    expect((await app.history(gateway, "ada", id)).checks[0]).toMatchObject({ kind: "paused", reason: "It reads too much." });
  });
});

it("an empty portal gets alerts once, which are checked at once and stay as their owner changes them", async () => {
  const gateway = await app.open();
  const savedSearch = { datasetCategory: "Tests", datasetId: "rows", queryName: "All", description: "", query: "{}" };
  const alert = { name: "Rows", condition: { kind: "above", rows: 5 }, everyMinutes: 60 } as const;
  const recipe = { id: "demo", owner: "ada", savedSearch, alert };
  await gateway.alerts.seed([recipe, { ...recipe, id: "nobody", owner: "nobody" }]);
  await app.waitForChecks("demo", 1);
  expect(await app.find(gateway, "ada", "demo")).toMatchObject({ name: "Rows", savedSearch: { id: "demo", name: "All" }, state: "firing" });
  await app.call(gateway, "ada", "PUT", "/alerts/demo", { ...alert, name: "Mine", savedSearchId: "demo" });
  await gateway.alerts.seed([recipe]);
  const { body } = await app.call<AlertList>(gateway, "ada", "GET", "/alerts");
  expect(body.alerts.map(({ name }) => name)).toEqual(["Mine"]);
});
