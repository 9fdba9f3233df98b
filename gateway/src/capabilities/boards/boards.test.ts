import { type Board, boardLimits, type BoardRevision, type BoardSummary } from "@fairway/contract/boards";
import type { ErrorBody } from "@fairway/contract/errors";
import { defaultLimits } from "@fairway/contract/limits";
import type { Method } from "@fairway/contract/route";
import { describe, expect, it, onTestFinished } from "vitest";
import { type OnClose, adasPassword, alansAccount, identityApp, someAccounts } from "#testing/identity-app.ts";
import { ReportedChanges } from "#testing/reported-changes.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { accessTokenOf, adaAndGrace } from "#testing/signed-in.ts";
import { openBoards } from "./capability.ts";

const storms = { datasetCategory: "nature", datasetId: "storms" };
const secret = { datasetCategory: "secret", datasetId: "plans" };
const query = { timeRange: { last: "30d" }, filters: [{ name: "wind", value: 64, operator: ">=" }] };
const place = (x: number, y: number, w = 6, h = 4) => ({ x, y, w, h });

const text = { id: "words", kind: "text", title: "Notes", text: "**Season** so far", place: place(0, 0) };
const number = {
  id: "count",
  kind: "number",
  title: "Storms",
  dataset: storms,
  query,
  value: { aggregation: "count", column: "*" },
  place: place(6, 0, 3),
};
const map = {
  id: "all",
  kind: "map",
  title: "All positions",
  dataset: storms,
  query,
  show: "rows",
  rows: { cell: 16, measure: { aggregation: "avg", column: "wind" }, scale: "steps", range: { low: 1, high: 9 }, palette: "ember" },
  view: { lng: -60, lat: 25, zoom: 3 },
  place: place(0, 4),
};
const plans = { ...number, id: "plans", title: "Plans of 2027", dataset: secret, place: place(9, 0, 3) };
const content = {
  timeRange: { last: "7d" },
  geospatial: { polygons: ["0 0, 10 0, 10 10, 0 0"] },
  refreshMinutes: 5,
  panels: [text, number],
};

/** Signs in Ada, a reader and editor, Alan, a reader, and Grace, who has no role. Datasets in `secret` are for those in `insiders`. */
async function openApp(onClose?: OnClose, boardBytesPerUser = defaultLimits.boardBytesPerUser) {
  const insiders = new Set(["ada"]);
  const reported = new ReportedChanges();
  const notified: string[] = [];
  const gateway = await identityApp({
    ...(onClose && { onClose }),
    accounts: { ...someAccounts, users: [...(someAccounts.users ?? []), alansAccount] },
    capabilities: ({ db }) => [
      openBoards({
        db,
        canRead: async (user, { datasetCategory }, saved) =>
          (datasetCategory !== "secret" || insiders.has(user.username)) &&
          (user.username === "ada" || !JSON.stringify(saved ?? null).includes('"wages"')),
        candidates: "everyone",
        live: reported,
        notifier: { notify: async (users, { title }) => void notified.push(`${users.join()}: ${title}`) },
        limits: { boardBytesPerUser },
      }),
    ],
  });
  const clientOf = (token: string) => {
    const call = <Answer>(method: Method, path: string, body?: unknown) =>
      gateway.call<Answer>(method, `/boards${path}`, { token, ...(body === undefined ? {} : { body }) });
    return {
      list: async () => (await call<BoardSummary[]>("GET", "")).body,
      read: (id: string) => call<Board & ErrorBody>("GET", `/${id}`),
      save: (draft: unknown) => call<Board & ErrorBody>("POST", "", draft),
      edit: (id: string, change: unknown) => call<Board & ErrorBody>("PUT", `/${id}`, change),
      addPanel: (id: string, panel: unknown) => call<{ panelId: string; version: number } & ErrorBody>("POST", `/${id}/panels`, { panel }),
      remove: (id: string) => call<ErrorBody>("DELETE", `/${id}`),
      revisions: (id: string) => call<BoardRevision[] & ErrorBody>("GET", `/${id}/revisions`),
      revision: (id: string, version: number) => call<BoardRevision & Pick<Board, "content">>("GET", `/${id}/revisions/${version}`),
    };
  };
  const alan = clientOf(await accessTokenOf(gateway, "alan", alansAccount.password));
  return { gateway, insiders, reported, notified, alan, ...(await adaAndGrace(gateway, clientOf)) };
}

const shared = sharedApp(openApp, ["boards"]);

const draft = (name: string, overrides: object = {}) => ({ name, content, ...overrides });

describe("boards", () => {
  it("are saved, listed and read as they were sent", async () => {
    const { ada } = shared();
    expect(await ada.list()).toEqual([]);
    const { status, body } = await ada.save(draft("Season", { description: "At a glance.", sharedWithRoles: ["reader"] }));
    expect(status).toBe(201);
    const summary = {
      id: expect.any(String),
      name: "Season",
      description: "At a glance.",
      owner: "ada",
      ownerState: "active",
      isOwn: true,
      can: "own",
      shares: [{ to: { kind: "role", name: "reader" }, can: "view" }],
      sharedWithRoles: ["reader"],
      panels: 2,
      version: 1,
      createdDateMs: expect.any(Number),
      updatedDateMs: expect.any(Number),
    };
    expect(body).toEqual({ ...summary, content });
    expect(await ada.list()).toEqual([summary]);
    expect((await ada.read(body.id)).body).toEqual(body);
  });

  it("are found by those who hold a role that they are shared with, and changed only by their owner", async () => {
    const { ada, alan, grace } = shared();
    const { body: own } = await ada.save(draft("Own"));
    const { body: board } = await ada.save(draft("Shared", { sharedWithRoles: ["reader", "editor"] }));
    expect(await alan.list()).toMatchObject([{ name: "Shared", owner: "ada", isOwn: false, sharedWithRoles: ["reader"] }]);
    expect(await alan.read(board.id)).toMatchObject({ status: 200, body: { isOwn: false, content } });
    expect((await alan.read(own.id)).status).toBe(404);
    expect(await grace.list()).toEqual([]);
    expect((await grace.read(board.id)).status).toBe(404);
    const changesOf = async (id: string) => [
      await alan.edit(id, { name: "Mine", version: 1 }),
      await alan.addPanel(id, { kind: "text", title: "", text: "Hello" }),
      await alan.remove(id),
      await alan.revisions(id),
    ];
    for (const refused of await changesOf(board.id))
      expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: "forbidden" }] } });
    for (const refused of await changesOf(own.id)) {
      expect(refused).toMatchObject({ status: 404, body: { errors: [{ code: "not-found", message: "There is no such board." }] } });
    }
    expect((await ada.read(board.id)).body).toMatchObject({ name: "Shared", version: 1 });
  });

  it("hide panels of datasets that a reader may not read, and keep them when their owner has lost one", async () => {
    const { ada, alan, insiders } = shared();
    const { body: board } = await ada.save(draft("Plans", { sharedWithRoles: ["reader"], content: { panels: [text, plans] } }));
    const seen = await alan.read(board.id);
    expect(seen.body.content.panels).toEqual([text, { kind: "hidden", id: "plans", place: plans.place }]);
    expect(JSON.stringify(seen.body)).not.toContain("2027");

    insiders.delete("ada");
    try {
      const { body: now } = await ada.read(board.id);
      const moved = { ...now.content, panels: structuredClone(now.content.panels) };
      for (const panel of moved.panels) panel.place.y = 20;
      expect((await ada.edit(board.id, { content: moved, version: 1 })).status).toBe(200);
      expect((await ada.revision(board.id, 2)).body.content.panels[1]).toMatchObject({ kind: "hidden" });
    } finally {
      insiders.add("ada");
    }
    expect((await ada.read(board.id)).body.content.panels[1]).toEqual({ ...plans, place: { ...plans.place, y: 20 } });
  });

  it("take no panel of a dataset that their owner may not read, and no hidden one that is not there", async () => {
    const { alan } = shared();
    expect(await alan.save(draft("Plans", { content: { panels: [text, plans] } }))).toMatchObject({
      status: 400,
      body: { errors: [{ code: "invalid-value", message: "There is no dataset 'plans' in 'secret'.", path: "content.panels.1.dataset" }] },
    });
    const hidden = { kind: "hidden", id: "plans", place: plans.place };
    expect(await alan.save(draft("Plans", { content: { panels: [hidden] } }))).toMatchObject({
      status: 400,
      body: { errors: [{ path: "content.panels.0.id" }] },
    });
    const { body: board } = await alan.save(draft("Season"));
    const { id: _, place: __, ...panel } = plans;
    expect(await alan.addPanel(board.id, panel)).toMatchObject({ status: 400, body: { errors: [{ code: "invalid-value" }] } });
    expect(await alan.list()).toMatchObject([{ name: "Season", panels: 2 }]);
  });

  describe("edited by somebody with fewer rights", () => {
    const opened = async () => {
      const { ada, alan, gateway } = shared();
      const { body: board } = await ada.save(draft("Plans", { content: { panels: [text, plans, number] } }));
      await gateway.database.pool.query("insert into board_shares values ($1, 'role', 'reader', 'edit')", [board.id]);
      await gateway.database.pool.query("update boards set shared_with_roles = '{reader}'");
      const { body: seen } = await alan.read(board.id);
      return { ada, alan, id: board.id, seen };
    };

    it("keep what is hidden from the editor, wherever it is moved", async () => {
      const { ada, alan, id, seen } = await opened();
      expect(seen).toMatchObject({ can: "edit", content: { panels: [text, { kind: "hidden" }, number] } });
      const moved = seen.content.panels.map((panel) => ({ ...panel, place: { ...panel.place, y: panel.place.y + 9 } }));
      const changed = { ...seen.content, panels: [{ ...text, text: "New" }, ...moved.slice(1)] };
      const saved = await alan.edit(id, { content: changed, description: "Edited.", version: 1 });
      expect(saved).toMatchObject({ status: 200, body: { version: 2, content: { panels: [{ text: "New" }, { kind: "hidden" }, {}] } } });
      const { panels } = (await ada.read(id)).body.content;
      expect(panels[1]).toEqual({ ...plans, place: { ...plans.place, y: 9 } });
      expect((await ada.read(id)).body).toMatchObject({ description: "Edited.", owner: "ada" });
    });

    it("lose no panel that the editor cannot see, while their owner may remove one", async () => {
      const { ada, alan, id, seen } = await opened();
      const without = { ...seen.content, panels: seen.content.panels.filter(({ kind }) => kind !== "hidden") };
      expect(await alan.edit(id, { content: without, version: 1 })).toMatchObject({
        status: 403,
        body: { errors: [{ code: "forbidden", path: "content.panels" }] },
      });
      const replaced = { ...without, panels: [...without.panels, { ...text, id: "plans", place: place(0, 20) }] };
      expect((await alan.edit(id, { content: replaced, version: 1 })).status).toBe(403);
      const fewer = { ...seen.content, panels: seen.content.panels.filter(({ kind }) => kind === "hidden") };
      expect((await alan.edit(id, { content: fewer, version: 1 })).status).toBe(200);
      expect((await ada.edit(id, { content: { panels: [] }, version: 2 })).status).toBe(200);
    });

    it("take changed panels only of what the editor may read, and hidden ones only that are there", async () => {
      const { ada, alan, id, seen } = await opened();
      const withPanels = (...panels: readonly object[]) => alan.edit(id, { content: { ...seen.content, panels }, version: 1 });
      const hidden = { kind: "hidden", id: "plans", place: plans.place };
      expect(await withPanels(hidden, text, { ...number, dataset: secret })).toMatchObject({
        status: 400,
        body: { errors: [{ message: "There is no dataset 'plans' in 'secret'.", path: "content.panels.2.dataset" }] },
      });
      expect((await withPanels(text, number, { ...plans, title: "Guessed" })).status).toBe(400);
      expect((await withPanels(hidden, text, { ...hidden, id: "others" })).status).toBe(400);
      // Known from elsewhere, and as it is stored.
      expect((await withPanels(plans, text, number)).status).toBe(200);
      expect((await ada.read(id)).body.content.panels[0]).toEqual(plans);
      const { id: _, place: __, ...panel } = plans;
      expect((await alan.addPanel(id, panel)).status).toBe(400);
      expect((await alan.addPanel(id, { kind: "text", title: "", text: "Hello" })).status).toBe(201);
    });

    it("tell the editor by no panel of their own that a column is withheld, and remember who has made it", async () => {
      const { grace, gateway } = shared();
      const { ada, alan, id, seen } = await opened();
      const wages = { ...number, id: "wages", title: "Wages", value: { aggregation: "max", column: "wages" }, place: place(0, 30) };
      const kinds = async (by: typeof ada) => (await by.read(id)).body.content.panels.map(({ kind }) => kind);
      const saved = await alan.edit(id, { content: { ...seen.content, panels: [...seen.content.panels, wages] }, version: 1 });
      expect(saved.body.content.panels.at(-1)).toEqual(wages);
      await gateway.database.pool.query("update boards set shared_with_roles = '{*}'");
      expect(await kinds(grace)).toEqual(["text", "hidden", "number", "hidden"]);
      expect(await kinds(alan)).toEqual(["text", "hidden", "number", "number"]);
      // Sent back as it is, it stays its author's.
      const { body: now } = await ada.read(id);
      expect((await ada.edit(id, { content: now.content, version: 2 })).status).toBe(200);
      expect(await kinds(alan)).toEqual(["text", "hidden", "number", "number"]);
      const changed = now.content.panels.map((panel) => (panel.id === "wages" ? Object.assign({}, panel, { title: "Pay" }) : panel));
      expect((await ada.edit(id, { content: { ...now.content, panels: changed }, version: 3 })).status).toBe(200);
      expect(await kinds(alan)).toEqual(["text", "hidden", "number", "hidden"]);
    });

    it("show a new owner no panel of the former one that names what is withheld", async () => {
      const { ada, alan, gateway } = shared();
      const wages = { ...number, value: { aggregation: "max", column: "wages" } };
      const { body: board } = await ada.save(draft("Wages", { content: { panels: [text, wages] } }));
      const { rows } = await gateway.database.pool.query<{ id: string }>("select id from users where username = 'alan'");
      await gateway.database.pool.query("insert into board_shares values ($1, 'user', $2, 'edit')", [board.id, rows[0]?.id]);
      const token = await accessTokenOf(gateway, "ada", adasPassword);
      const given = await gateway.call("PUT", `/boards/${board.id}/owner`, { token, body: { userId: rows[0]?.id } });
      expect(given.status).toBe(204);
      expect((await alan.read(board.id)).body).toMatchObject({ can: "own", content: { panels: [text, { kind: "hidden" }] } });
      expect((await alan.revision(board.id, 1)).body.content.panels[1]?.kind).toBe("hidden");
      expect((await ada.read(board.id)).body).toMatchObject({ can: "edit", content: { panels: [text, wages] } });
    });

    it("show the editor earlier states as far as the editor may read them", async () => {
      const { alan, id, seen } = await opened();
      expect((await alan.edit(id, { name: "Other", version: 1 })).status).toBe(200);
      expect((await alan.revisions(id)).body.map(({ name }) => name)).toEqual(["Other", "Plans"]);
      expect((await alan.revision(id, 1)).body.content).toEqual(seen.content);
      expect((await alan.remove(id)).status).toBe(403);
    });
  });

  it("refuse a save over a newer version, and keep what was saved before", async () => {
    const { ada } = shared();
    const { body: board } = await ada.save(draft("Season"));
    expect((await ada.edit(board.id, { name: "Season 2005", content: { panels: [text] }, version: 1 })).body).toMatchObject({
      name: "Season 2005",
      version: 2,
      content: { refreshMinutes: null, panels: [text] },
    });
    expect(await ada.edit(board.id, { name: "Late", version: 1 })).toMatchObject({
      status: 409,
      body: { errors: [{ code: "stale-version", message: "The board was saved since you read it." }] },
    });
    expect((await ada.revisions(board.id)).body).toMatchObject([
      { version: 2, name: "Season 2005", panels: 1 },
      { version: 1, name: "Season", panels: 2 },
    ]);
    expect((await ada.revision(board.id, 1)).body.content).toEqual(content);
    expect((await ada.revision(board.id, 3)).status).toBe(404);
  });

  it(`keep ${boardLimits.revisions} revisions`, async () => {
    const { ada } = shared();
    const { body: board } = await ada.save(draft("Season"));
    for (let version = 1; version <= boardLimits.revisions; version++) {
      expect((await ada.edit(board.id, { description: `Save ${version}`, version })).status).toBe(200);
    }
    const versions = (await ada.revisions(board.id)).body.map(({ version }) => version);
    expect([versions.length, versions[0], versions.at(-1)]).toEqual([boardLimits.revisions, boardLimits.revisions + 1, 2]);
  });

  describe("of a user with room for 30,000 bytes", () => {
    const room = 30_000;
    const words = (characters: number) => ({ panels: [{ ...text, text: "ü".repeat(characters / 2) }] });
    /** Each board and revision has its texts and some 200 bytes more. */
    const openSmall = () => openApp(onTestFinished, room);
    const keptVersions = async ({ ada }: Awaited<ReturnType<typeof openSmall>>, id: string) =>
      (await ada.revisions(id)).body.map(({ version }) => version);

    it("drop the oldest revisions of all boards, but not what boards are now", async () => {
      const app = await openSmall();
      const { ada } = app;
      const { body: first } = await ada.save(draft("First", { content: words(8_000) }));
      await ada.edit(first.id, { content: words(8_000), version: 1 });
      const { body: second } = await ada.save(draft("Second", { content: words(4_000) }));
      expect([await keptVersions(app, first.id), await keptVersions(app, second.id)]).toEqual([[2, 1], [1]]);
      // 8,000 and 4,000 now, with 8,000 and 4,000 of before.
      await ada.edit(second.id, { content: words(4_000), version: 1 });
      expect([await keptVersions(app, first.id), await keptVersions(app, second.id)]).toEqual([
        [2, 1],
        [2, 1],
      ]);
      // Another 4,000 and 4,000 fit only without the oldest state, which is of the other board.
      expect((await ada.edit(second.id, { content: words(6_000), version: 2 })).status).toBe(200);
      expect([await keptVersions(app, first.id), await keptVersions(app, second.id)]).toEqual([[2], [3, 2, 1]]);
      expect((await ada.read(first.id)).body.content).toMatchObject(words(8_000));
      // Panels make room like saves.
      expect((await ada.addPanel(first.id, { kind: "text", title: "", text: "x".repeat(9_000) })).status).toBe(201);
      expect([await keptVersions(app, first.id), await keptVersions(app, second.id)]).toEqual([[3], [3, 2]]);
    });

    it("refuse what does not fit without any revision, naming the figures", async () => {
      const { ada, alan } = await openSmall();
      const { body: first } = await ada.save(draft("First", { content: words(20_000) }));
      const refused = {
        status: 507,
        body: {
          errors: [
            {
              code: "no-room",
              message: expect.stringMatching(
                /^Your boards would take up 3\d,\d{3} bytes, and those of one user may take up 30,000 in total\. Delete boards or panels first\.$/,
              ),
            },
          ],
        },
      };
      expect(await ada.save(draft("Second", { content: words(10_000) }))).toMatchObject(refused);
      const panel = { kind: "text", title: "", text: "x".repeat(10_000) };
      expect(await ada.addPanel(first.id, panel)).toMatchObject(refused);
      expect(
        await ada.edit(first.id, { content: { panels: [...words(20_000).panels, { ...panel, id: "b", place: place(0, 4) }] }, version: 1 }),
      ).toMatchObject(refused);
      expect(await ada.list()).toMatchObject([{ name: "First", version: 1, panels: 1 }]);
      expect((await ada.save(draft("Second", { content: words(8_000) }))).status).toBe(201);
      // Others have room of their own.
      expect((await alan.save(draft("First", { content: words(20_000) }))).status).toBe(201);
    });

    /** 10,000 bytes each. */
    const panelsOf = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...words(10_000).panels[0], id: `${index}`, place: place(0, index * 4) }));

    it("may become smaller and get other names where they have no room", async () => {
      const { ada, gateway } = await openSmall();
      const { body: board } = await ada.save(draft("First", { content: words(20_000) }));
      await gateway.database.pool.query("update boards set content = jsonb_set(content, '{panels}', $1::jsonb)", [
        JSON.stringify(panelsOf(5)),
      ]);
      expect((await ada.edit(board.id, { name: "Renamed", version: 1 })).status).toBe(200);
      expect((await ada.edit(board.id, { content: { panels: panelsOf(4) }, version: 2 })).status).toBe(200);
      expect((await ada.edit(board.id, { content: { panels: panelsOf(5) }, version: 3 })).status).toBe(507);
    });

    it("count for their owner when somebody else edits them, who learns no figures", async () => {
      const { ada, alan, gateway } = await openSmall();
      const { body: board } = await ada.save(draft("First", { content: words(20_000), sharedWithRoles: ["reader"] }));
      await ada.save(draft("Second", { content: words(8_000) }));
      await gateway.database.pool.query("insert into board_shares values ($1, 'role', 'reader', 'edit')", [board.id]);
      const message = "The owner of this board has no room for this. Remove panels first.";
      const refused = { status: 507, body: { errors: [{ code: "no-room", message }] } };
      expect(await alan.edit(board.id, { content: words(22_000), version: 1 })).toMatchObject(refused);
      expect(await alan.addPanel(board.id, { kind: "text", title: "", text: "x".repeat(2_000) })).toMatchObject(refused);
      expect((await alan.edit(board.id, { content: words(10_000), version: 1 })).status).toBe(200);
    });

    it("keep to it when saves arrive together", async () => {
      const { ada } = await openSmall();
      const names = Array.from({ length: 50 }, (_, index) => `Board ${index}`);
      const answers = await Promise.all(names.map((name) => ada.save(draft(name, { content: words(9_000) }))));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(answers.filter(({ status }) => status === 507)).toHaveLength(47);
    });
  });

  it("take panels one by one, also at the same time, each at a position of its own", async () => {
    const { ada } = shared();
    const { body: board } = await ada.save(draft("Season", { content: {} }));
    const panel = { kind: "number", title: "Storms", dataset: storms, query, value: { aggregation: "max", column: "wind" } };
    const added = await Promise.all([1, 2, 3, 4, 5].map(() => ada.addPanel(board.id, panel)));
    expect(added.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const { body: now } = await ada.read(board.id);
    expect(now.version).toBe(6);
    expect(now.content.panels.map(({ place: { x, y } }) => [x, y])).toEqual([
      [0, 0],
      [3, 0],
      [6, 0],
      [9, 0],
      [0, 3],
    ]);
    expect(new Set(now.content.panels.map(({ id }) => id))).toEqual(new Set(added.map(({ body }) => body.panelId)));
    // A cell of the map is no part of a board: without it, the panel would count more rows than were on the screen.
    expect(await ada.addPanel(board.id, { ...panel, query: { ...query, within: [0, 0, 1, 1] } })).toMatchObject({
      status: 400,
      body: { errors: [{ code: "invalid-request", path: "panel.query.within" }] },
    });
  });

  it("keep how a panel shows all rows on a map", async () => {
    const { ada } = shared();
    const { body: board } = await ada.save(draft("Season", { content: { panels: [map] } }));
    expect((await ada.read(board.id)).body.content.panels).toEqual([map]);
  });

  it("are deleted with their revisions", async () => {
    const { ada, gateway } = shared();
    const { body: board } = await ada.save(draft("Season"));
    expect((await ada.remove(board.id)).status).toBe(204);
    expect((await ada.read(board.id)).status).toBe(404);
    expect((await gateway.database.pool.query("select * from board_revisions")).rows).toEqual([]);
  });

  it("have names of their own, in any case", async () => {
    const { ada, alan } = shared();
    const { body: board } = await ada.save(draft("Season"));
    await ada.save(draft("Quakes"));
    const taken = {
      status: 409,
      body: { errors: [{ code: "name-taken", message: "A board with this name already exists.", path: "name" }] },
    };
    expect(await ada.save(draft("SEASON"))).toMatchObject(taken);
    expect(await ada.edit(board.id, { name: "quakes", version: 1 })).toMatchObject(taken);
    expect((await alan.save(draft("Season"))).status).toBe(201);
  });

  it.each([
    [{ panels: [text, text] }, "content.panels"],
    [{ panels: [{ ...text, place: place(8, 0) }] }, "content.panels.0.place"],
    [{ panels: [{ ...text, place: place(0, -1) }] }, "content.panels.0.place.y"],
    [{ panels: [{ ...text, text: "x".repeat(boardLimits.textCharacters + 1) }] }, "content.panels.0.text"],
    [{ panels: [{ ...number, kind: "hologram" }] }, "content.panels.0.kind"],
    [{ panels: [{ ...number, value: { aggregation: "median", column: "wind" } }] }, "content.panels.0.value.aggregation"],
    [{ panels: [{ ...number, query: { filters: [{ name: "a" }] } }] }, "content.panels.0.query.filters.0.value"],
    [{ panels: [{ ...number, query: { ...query, within: [0, 0, 1, 1] } }] }, "content.panels.0.query.within"],
    [{ panels: [{ ...map, show: "heat" }] }, "content.panels.0.show"],
    [{ panels: [{ ...map, rows: { ...map.rows, range: { low: 2, high: 1 } } }] }, "content.panels.0.rows.range"],
    [{ panels: [{ ...map, view: { ...map.view, lat: 91 } }] }, "content.panels.0.view.lat"],
    [{ panels: Array.from({ length: boardLimits.panels + 1 }, (_, index) => ({ ...text, id: `${index}` })) }, "content.panels"],
    [{ timeRange: { last: "soon" } }, "content.timeRange.last"],
    [{ geospatial: { polygons: ["0 0, 10 10"] } }, "content.geospatial.polygons.0"],
    [{ refreshMinutes: 0 }, "content.refreshMinutes"],
  ])("refuse the content %#, naming its fault", async (refused, path) => {
    const { ada } = shared();
    const { status, body } = await ada.save(draft("Season", { content: refused }));
    expect(status).toBe(400);
    expect(body.errors.map((error) => error.path)).toContain(path);
    expect(await ada.list()).toEqual([]);
  });

  it("refuse more characters than a board can have, and a role that their owner does not hold", async () => {
    const { ada } = shared();
    const graph = { ...number, kind: "graph", graph: { title: "x".repeat(boardLimits.contentCharacters) } };
    expect(await ada.save(draft("Season", { content: { panels: [graph] } }))).toMatchObject({
      status: 413,
      body: { errors: [{ message: "The panels of a board can have 500,000 characters in all." }] },
    });
    expect(await ada.save(draft("Season", { sharedWithRoles: ["admin"] }))).toMatchObject({
      status: 400,
      body: { errors: [{ message: "You do not have the role 'admin', so you cannot share with it.", path: "sharedWithRoles" }] },
    });
  });
});
