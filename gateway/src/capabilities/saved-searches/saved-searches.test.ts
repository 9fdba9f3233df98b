import type { ErrorBody } from "@fairway/contract/errors";
import type { SavedSearch, SharedSearch } from "@fairway/contract/saved-searches";
import { describe, expect, it } from "vitest";
import { type OnClose, alansAccount, identityApp, someAccounts } from "#testing/identity-app.ts";
import { ReportedChanges } from "#testing/reported-changes.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { accessTokenOf, adaAndGrace } from "#testing/signed-in.ts";
import { openSavedSearches } from "./capability.ts";

const storms = { datasetCategory: "nature", datasetId: "storms" };
const quakes = { datasetCategory: "nature", datasetId: "quakes" };
const path = "/favorite/queries";
const wholeQuery = JSON.stringify({
  timeRange: { start: "2005-08-01T00:00:00Z", end: "2005-09-01T00:00:00Z" },
  geospatial: { polygons: ["0 0, 10 0, 10 10, 0 0"] },
  filters: [{ name: "name", value: "Katrina", operator: "=" }],
  columns: ["name"],
  sort: [{ column: "name", direction: "asc" }],
  view: "raw",
});

/** Signs in Ada, a reader and editor, Alan, a reader, and Grace, who has no role. Only Ada can read the category `secret`. */
async function openApp(onClose?: OnClose) {
  const reported = new ReportedChanges();
  const notified: string[] = [];
  const gateway = await identityApp({
    ...(onClose && { onClose }),
    accounts: { ...someAccounts, users: [...(someAccounts.users ?? []), alansAccount] },
    capabilities: ({ db }) => [
      openSavedSearches({
        db,
        canRead: async (user, { datasetCategory }, saved) =>
          user.username === "ada" || (datasetCategory !== "secret" && !JSON.stringify(saved ?? null).includes('"wages"')),
        candidates: "everyone",
        live: reported,
        notifier: { notify: async (users, { title }) => void notified.push(`${users.join()}: ${title}`) },
      }),
    ],
  });
  const clientOf = (token: string) => {
    return {
      list: async () => (await gateway.call<SavedSearch[]>("GET", path, { token })).body,
      shared: async () => (await gateway.call<SharedSearch[]>("GET", `${path}/shared`, { token })).body,
      save: (draft: unknown) => gateway.call<SavedSearch & ErrorBody>("POST", path, { token, body: draft }),
      edit: (id: string, change: unknown) =>
        gateway.call<SavedSearch & ErrorBody>("PUT", `${path}/${encodeURIComponent(id)}`, { token, body: change }),
      remove: (draft: unknown) => gateway.call("DELETE", path, { token, body: draft }),
    };
  };
  const alan = clientOf(await accessTokenOf(gateway, "alan", alansAccount.password));
  return { gateway, reported, notified, alan, ...(await adaAndGrace(gateway, clientOf)) };
}

const shared = sharedApp(openApp, ["saved_searches"]);

const draft = (queryName: string, overrides: object = {}) => ({ ...storms, queryName, query: wholeQuery, ...overrides });
const withQuery = (query: unknown) => draft("Katrina", { query: typeof query === "string" ? query : JSON.stringify(query) });

describe("saved searches", () => {
  it("[SAVED-01] [SAVED-02] are saved and listed with id, dataset, name, query and creation time", async () => {
    const { ada } = shared();
    expect(await ada.list()).toEqual([]);
    const before = Date.now();
    expect(await ada.save(draft("Katrina", { description: "The big one." }))).toMatchObject({ status: 201, body: { query: wholeQuery } });
    const [saved] = await ada.list();
    expect(saved).toEqual({
      ...storms,
      id: expect.any(String),
      queryName: "Katrina",
      description: "The big one.",
      query: wholeQuery,
      queryJson: wholeQuery,
      sharedWithRoles: [],
      can: "own",
      shares: [],
      version: 1,
      createdDateMs: expect.any(Number),
    });
    expect(Math.abs((saved?.createdDateMs ?? 0) - before)).toBeLessThan(60_000);
  });

  it("[SAVED-03] are deleted one at a time by a DELETE with a body", async () => {
    const { ada } = shared();
    for (const name of ["Katrina", "Rita"]) await ada.save(draft(name));
    await ada.save({ ...draft("Katrina"), ...quakes });
    expect(await ada.remove(draft("Katrina"))).toMatchObject({ status: 204, body: undefined });
    expect((await ada.list()).map(({ datasetId, queryName }) => [datasetId, queryName])).toEqual([
      ["quakes", "Katrina"],
      ["storms", "Rita"],
    ]);
    expect(await ada.remove(draft("Katrina"))).toMatchObject({ status: 404, body: { errors: [{ code: "not-found" }] } });
  });

  it.each([
    { timeRange: { last: "24h" }, filters: [] },
    { timeRange: { start: "2026-01-07T12:00:00.000Z", end: "2026-01-08T12:00:00.000Z", last: "3mo" }, filters: [] },
    { filters: [{ name: "wind", value: 12, operator: ">=" }] },
    { geospatial: { polygons: ["0 0, 10 0, 10 10", "20 0, 30 0, 30 10, 20 0"], antimeridianPolygons: false } },
    {},
  ])("[SAVED-04] accept the query %j", async (query) => {
    const { ada } = shared();
    expect(await ada.save(withQuery(query))).toMatchObject({ status: 201, body: { query: JSON.stringify(query) } });
  });

  it.each([
    ["not json", "query"],
    [[], "query"],
    [null, "query"],
    ['"text"', "query"],
    [{ timeRange: { start: "2005-09-01T00:00:00Z", end: "2005-08-01T00:00:00Z" } }, "query.timeRange"],
    [{ timeRange: { start: "yesterday", end: "today" } }, "query.timeRange"],
    [{ timeRange: { last: "soon" } }, "query.timeRange.last"],
    [{ timeRange: { last: "0h" } }, "query.timeRange.last"],
    [{ timeRange: { start: "2026-01-07T12:00:00.000Z", end: "2026-01-08T12:00:00.000Z", last: "soon" } }, "query.timeRange.last"],
    [{ geospatial: { polygons: [] } }, "query.geospatial.polygons"],
    [{ geospatial: { polygons: ["0 0, 10 10"] } }, "query.geospatial.polygons.0"],
    [{ geospatial: { polygons: ["0 0, 200 0, 10 10"] } }, "query.geospatial.polygons.0"],
    [{ filters: [{ name: "a" }] }, "query.filters.0.value"],
    [{ filters: [{ name: "a", value: { $gt: 1 }, operator: "=" }] }, "query.filters.0.value"],
    [{ columns: [1] }, "query.columns.0"],
    [{ sort: [{ column: "a", direction: "up" }] }, "query.sort.0.direction"],
    [{ view: "hologram" }, "query.view"],
  ])("[SAVED-04] refuse the query %j, naming %s", async (query, expectedPath) => {
    const { ada } = shared();
    const { status, body } = await ada.save(withQuery(query));
    expect(status).toBe(400);
    expect(body.errors.map((error) => error.path)).toContain(expectedPath);
    expect(await ada.list()).toEqual([]);
  });

  it("[SAVED-05] accept the query as queryJson, too, but neither two different ones nor none", async () => {
    const { ada } = shared();
    const { query: _, ...bare } = draft("Katrina");
    expect(await ada.save(bare)).toMatchObject({ status: 400, body: { errors: [{ path: "query" }] } });
    expect(await ada.save({ ...draft("Katrina"), queryJson: "{}" })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "queryJson" }] },
    });
    expect(await ada.save({ ...bare, queryJson: "[]" })).toMatchObject({ status: 400, body: { errors: [{ path: "queryJson" }] } });
    expect(await ada.save({ ...bare, queryJson: wholeQuery })).toMatchObject({ status: 201, body: { query: wholeQuery } });
  });

  it("[SAVED-07] have trimmed names that are unique per user and dataset in any case, also concurrently", async () => {
    const { ada, grace } = shared();
    const responses = await Promise.all(["Katrina", "KATRINA", "  katrina "].map((name) => ada.save(draft(name))));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(await ada.save(draft("katrina"))).toMatchObject({ body: { errors: [{ code: "name-taken", path: "queryName" }] } });
    expect((await ada.save({ ...draft("katrina"), ...quakes })).status).toBe(201);
    expect((await grace.save(draft("katrina"))).status).toBe(201);
    for (const name of ["", "  ", "x".repeat(101), "a\nb", "a\0b", "a\ud800b", 7, null]) {
      expect(await ada.save({ ...draft("x"), queryName: name })).toMatchObject({ status: 400, body: { errors: [{ path: "queryName" }] } });
    }
    expect(await ada.save(draft(`  ${"x".repeat(100)}  `))).toMatchObject({ status: 201, body: { queryName: "x".repeat(100) } });
  });

  it.each(["x'; drop table saved_searches; --", "a/b%2F..", "__proto__", "Ærø ☂ 🌀", "<img src=x onerror=alert(1)>"])(
    "can have and be deleted by a name such as %j",
    async (name) => {
      const { ada } = shared();
      await ada.save(draft("Other"));
      expect(await ada.save(draft(name))).toMatchObject({ status: 201, body: { queryName: name } });
      expect((await ada.remove(draft(name))).status).toBe(204);
      expect((await ada.list()).map(({ queryName }) => queryName)).toEqual(["Other"]);
    },
  );

  it("can be edited by id, keeping omitted fields and refusing a name in use", async () => {
    const { ada } = shared();
    await ada.save(draft("Rita"));
    const { body } = await ada.save(draft("Katrina", { description: "Old.", sharedWithRoles: ["reader"] }));
    expect(await ada.edit(body.id, { queryName: "KATRINA 2005 " })).toMatchObject({
      status: 200,
      body: { id: body.id, queryName: "KATRINA 2005", description: "Old.", sharedWithRoles: ["reader"], query: wholeQuery },
    });
    expect(await ada.edit(body.id, { queryName: "rita" })).toMatchObject({ status: 409, body: { errors: [{ code: "name-taken" }] } });
    expect((await ada.edit(body.id, { queryName: "katrina 2005", description: "", sharedWithRoles: [] })).body).toMatchObject({
      queryName: "katrina 2005",
      description: "",
      sharedWithRoles: [],
    });
  });

  it("take no cell of the map, which is refused by name", async () => {
    const { ada } = shared();
    const query = JSON.stringify({ within: [-90, 20, -80, 30], filters: [] });
    const refused = {
      status: 400,
      body: {
        errors: [
          {
            code: "invalid-request",
            message: "query.within: narrows a search that runs; a saved one has an area instead",
            path: "query.within",
          },
        ],
      },
    };
    expect(await ada.save(draft("Cell", { query }))).toMatchObject(refused);
    const { body } = await ada.save(draft("Katrina"));
    expect(await ada.edit(body.id, { queryName: "Katrina", query })).toMatchObject(refused);
  });

  it("accept another query by id, validated like a new one", async () => {
    const { ada, grace } = shared();
    const { body } = await ada.save(draft("Katrina", { description: "Old." }));
    const query = JSON.stringify({ timeRange: { last: "7d" }, filters: [] });
    expect(await ada.edit(body.id, { queryName: "Katrina", query })).toMatchObject({
      status: 200,
      body: { id: body.id, query, queryJson: query, description: "Old." },
    });
    for (const invalid of ["[]", "{", JSON.stringify({ timeRange: { last: "0h" } }), 7]) {
      expect((await ada.edit(body.id, { queryName: "Katrina", query: invalid })).status).toBe(400);
    }
    expect((await grace.edit(body.id, { queryName: "Katrina", query: "{}" })).status).toBe(404);
    expect(await ada.list()).toMatchObject([{ query }]);
  });

  it("[SAVED-16] are private: another user cannot see, change or delete them", async () => {
    const { ada, grace } = shared();
    const { body } = await ada.save(draft("Katrina"));
    expect(await grace.list()).toEqual([]);
    expect(await grace.shared()).toEqual([]);
    expect((await grace.edit(body.id, { queryName: "Mine" })).status).toBe(404);
    expect((await grace.remove(draft("Katrina"))).status).toBe(404);
    expect(await ada.list()).toMatchObject([{ queryName: "Katrina" }]);
  });

  it("can be shared with everyone by everyone, and give nobody access to the dataset", async () => {
    const { ada, grace, alan } = shared();
    // Grace has no role.
    const hers = await grace.save(draft("Hers", { sharedWithRoles: ["*"] }));
    expect([hers.status, hers.body.sharedWithRoles]).toEqual([201, ["*"]]);
    expect(await alan.shared()).toMatchObject([{ queryName: "Hers", owner: "grace", sharedWithRoles: ["*"] }]);
    const secret = await ada.save(draft("Plans", { datasetCategory: "secret" }));
    expect((await ada.edit(secret.body.id, { queryName: "Plans", sharedWithRoles: ["*", "reader"] })).status).toBe(200);
    expect((await alan.shared()).map(({ queryName }) => queryName)).toEqual(["Hers"]);
    expect((await ada.shared()).map(({ queryName }) => queryName)).toEqual(["Hers"]);
  });

  it("can be shared with the owner's roles: readers with such a role and access to the dataset can see but not change them", async () => {
    const { gateway, ada, alan, grace } = await openApp();
    expect(await ada.save(draft("Katrina", { sharedWithRoles: ["admin"] }))).toMatchObject({
      status: 400,
      body: { errors: [{ code: "invalid-value", path: "sharedWithRoles" }] },
    });
    const { body } = await ada.save(draft("Katrina", { sharedWithRoles: ["reader", "editor", "reader"] }));
    expect((await ada.edit(body.id, { queryName: "Katrina", sharedWithRoles: ["admin"] })).status).toBe(400);
    await ada.save({ ...draft("Plans", { sharedWithRoles: ["reader"] }), datasetCategory: "secret", datasetId: "plans" });
    expect(await grace.shared()).toEqual([]);

    expect(await alan.shared()).toMatchObject([{ queryName: "Katrina", owner: "ada", sharedWithRoles: ["reader"], query: wholeQuery }]);
    expect((await alan.edit(body.id, { queryName: "Mine" })).status).toBe(403);
    expect((await alan.remove(draft("Katrina"))).status).toBe(404);
    expect(await alan.list()).toEqual([]);
    const { rows } = await gateway.database.pool.query(
      "delete from user_roles where user_id = (select id from users where username = 'alan') returning user_id",
    );
    await gateway.identity.userChanged(rows[0]?.user_id);
    expect(await alan.shared()).toEqual([]);
    expect(await ada.shared()).toEqual([]);
  });

  it("are edited by others only while these may read the dataset, by version or without one", async () => {
    const { gateway, ada, alan } = shared();
    const { body: open } = await ada.save(draft("Katrina", { sharedWithRoles: ["reader"] }));
    const { body: closed } = await ada.save({ ...draft("Plans", { sharedWithRoles: ["reader"] }), datasetCategory: "secret" });
    for (const { id } of [open, closed]) {
      await gateway.database.pool.query("insert into saved_search_shares values ($1, 'role', 'reader', 'edit')", [id]);
    }
    const query = JSON.stringify({ filters: [] });
    expect((await alan.edit(closed.id, { queryName: "Plans", query })).status).toBe(404);
    const edited = await alan.edit(open.id, { queryName: "Katrina", query, version: 1 });
    expect(edited).toMatchObject({ status: 200, body: { can: "edit", query, version: 2 } });
    expect(await ada.edit(open.id, { queryName: "Late", version: 1 })).toMatchObject({
      status: 409,
      body: { errors: [{ code: "stale-version", message: "The saved search was saved since you read it.", path: "version" }] },
    });
    expect((await ada.edit(open.id, { queryName: "Late" })).body).toMatchObject({ queryName: "Late", version: 3 });
    expect(await alan.list()).toEqual([]);
    // The name is taken among the searches of their owner.
    await alan.save(draft("Alan's"));
    await ada.save(draft("Rita"));
    expect((await alan.edit(open.id, { queryName: "rita" })).status).toBe(409);
    expect((await alan.edit(open.id, { queryName: "Alan's" })).status).toBe(200);
  });

  it("tell an editor by no query of their own that a column is withheld", async () => {
    const { gateway, ada, alan } = shared();
    const { body } = await ada.save(draft("Katrina", { sharedWithRoles: ["reader"] }));
    await gateway.database.pool.query("insert into saved_search_shares values ($1, 'role', 'reader', 'edit')", [body.id]);
    const query = (column: string) => ({ queryName: "Katrina", query: JSON.stringify({ filters: [], columns: [column] }) });
    for (const column of ["wages", "no-such-column"]) {
      expect(await alan.edit(body.id, query(column))).toMatchObject({ status: 200, body: query(column) });
      expect(await alan.shared()).toMatchObject([query(column)]);
    }
    expect((await ada.edit(body.id, query("wages"))).status).toBe(200);
    expect(await alan.shared()).toEqual([]);
    expect((await alan.edit(body.id, query("wages"))).status).toBe(404);
  });

  it("refuse a dataset the user may not read like a missing one", async () => {
    const { grace } = shared();
    expect(await grace.save({ ...draft("Plans"), datasetCategory: "secret" })).toMatchObject({
      status: 404,
      body: { errors: [{ code: "not-found" }] },
    });
    expect(await grace.list()).toEqual([]);
  });

  it("are limited to 500 per user, and in length", async () => {
    const { gateway, ada } = shared();
    expect((await ada.save(withQuery({ filters: [], note: "x".repeat(200_000) }))).status).toBe(400);
    await gateway.database.pool.query(
      `insert into saved_searches (id, user_id, category, dataset_id, name, name_key, description, query, shared_with_roles)
       select 's' || n, users.id, 'nature', 'storms', 'S' || n, 's' || n, '', '{}', '{}' from users, generate_series(1, 500) n where username = 'ada'`,
    );
    expect(await ada.save(draft("One overrides"))).toMatchObject({ status: 409, body: { errors: [{ code: "conflict" }] } });
    await ada.remove(draft("S7"));
    expect((await ada.save(draft("One overrides"))).status).toBe(201);
  });

  it("[API-01] need a valid token", async () => {
    const { gateway } = shared();
    for (const [method, url, body] of [
      ["GET", path, undefined],
      ["GET", `${path}/shared`, undefined],
      ["POST", path, draft("x")],
      ["PUT", `${path}/x`, { queryName: "x" }],
      ["DELETE", path, draft("x")],
    ] as const) {
      expect((await gateway.call(method, url, { token: "nobody", ...(body ? { body } : {}) })).status).toBe(401);
    }
  });
});
