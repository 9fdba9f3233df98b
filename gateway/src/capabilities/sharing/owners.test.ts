import type { OwnedThings, OwnerlessEntry, ShareDraft } from "@fairway/contract/sharing";
import type { Entity } from "@fairway/contract/entities";
import { describe, expect, it, onTestFinished } from "vitest";
import { sharedApp } from "#testing/shared-app.ts";
import { type Person, type SharedKindName, sharedKinds, type SharingApp, sharingApp } from "#testing/sharing-app.ts";

const shared = sharedApp(sharingApp, ["boards", "saved_searches"]);

const kinds = ["board", "savedSearch"] as const satisfies readonly SharedKindName[];
const everyone = (can: ShareDraft["can"]): ShareDraft => ({ to: { kind: "everyone" }, can });
const ownerless = async (app: SharingApp) =>
  (await app.call<{ entries: OwnerlessEntry[] }>("root", "GET", "/admin/ownerless")).body.entries;
const deleted = async (app: SharingApp, person: Person, query = "") =>
  app.call("root", "DELETE", `/admin/users/${await app.idOf(person)}${query}`);

describe.each(kinds)("a %s", (kind) => {
  const { path, table, noun, topic } = sharedKinds[kind];
  const give = async (app: SharingApp, by: Person, id: string, userId: string) => app.call(by, "PUT", `${path}/${id}/owner`, { userId });
  const named = kind === "board" ? "name" : "queryName";
  const nameOf = async (app: SharingApp, person: Person, id: string) => (await app.found(person, kind, id))?.[named];

  it("is given by its owner to an editor, and the former owner stays one", async () => {
    const app = shared();
    const id = await app.made("ada", kind, "Season");
    await app.made("grace", kind, "Season");
    await app.share("ada", kind, id, [await app.to("grace", "edit"), await app.to("alan", "view")]);
    const [ada, alan, grace] = [await app.idOf("ada"), await app.idOf("alan"), await app.idOf("grace")];
    const [unknown, viewer] = [await give(app, "ada", id, "nobody"), await give(app, "ada", id, alan)];
    expect([unknown.status, unknown.body]).toEqual([400, viewer.body]);
    app.reported.take();
    expect((await give(app, "ada", id, grace)).status).toBe(204);
    expect(app.reported.take()).toEqual([{ topic, audience: { users: [ada, grace, alan] } }]);
    expect(app.notified.at(-1)).toEqual({ users: [grace], title: `The ${noun} 'Season (2)' is yours now` });
    expect(await app.found("grace", kind, id)).toMatchObject({ can: "own", [named]: "Season (2)" });
    expect(await app.found("ada", kind, id)).toMatchObject({ can: "edit", owner: "grace" });
    expect(await app.found("alan", kind, id)).toMatchObject({ can: "view", owner: "grace" });
    expect((await give(app, "ada", id, ada)).status).toBe(403);
    expect((await app.share("ada", kind, id, [])).status).toBe(403);
  });

  it("is given by administrators to any enabled account that has room", async () => {
    const app = shared();
    const { pool } = app.gateway.database;
    const id = await app.made("ada", kind, "Season");
    const [bob, grace] = [await app.idOf("bob"), await app.idOf("grace")];
    await pool.query("update users set locked = true where id = $1", [bob]);
    expect((await give(app, "root", id, bob)).status).toBe(400);
    await pool.query("update users set locked = false where id = $1", [bob]);
    const [columns, values, count] =
      kind === "board"
        ? ["content, version, updated_at", `'{"panels":[]}', 1, now()`, 200]
        : ["category, dataset_id, query", "'nature', 'storms', '{}'", 500];
    await pool.query(
      `insert into ${table} (id, user_id, name, name_key, description, shared_with_roles, ${columns})
       select 'full' || n, $1, 'Full ' || n, 'full ' || n, '', '{}', ${values} from generate_series(1, ${count}) n`,
      [bob],
    );
    expect(await give(app, "root", id, bob)).toMatchObject({
      status: 409,
      body: { errors: [{ code: "conflict", message: `'bob' has no room for this ${noun}.` }] },
    });
    expect((await give(app, "root", id, grace)).status).toBe(204);
    expect((await give(app, "root", "nothing", grace)).status).toBe(404);
    expect((await app.found("grace", kind, id))?.can).toBe("own");
    expect((await app.found("root", kind, id))?.can).toBeUndefined();
  });

  it("gets a number in its name that fits, character by character", async () => {
    const app = shared();
    const long = `${"x".repeat(95)}🌀xxx`;
    const ids = await Promise.all((["ada", "alan", "grace"] as const).map((person) => app.made(person, kind, long)));
    for (const id of ids.slice(0, 2)) expect((await give(app, "root", id, await app.idOf("grace"))).status).toBe(204);
    expect(await nameOf(app, "grace", ids[0] ?? "")).toBe(`${"x".repeat(95)} (2)`);
    expect(await nameOf(app, "grace", ids[1] ?? "")).toBe(`${"x".repeat(95)} (3)`);
  });

  it("stays without owner after the account is deleted if others have it, and is given away or deleted by administrators", async () => {
    const app = await sharingApp(onTestFinished);
    const [id, alone, seen] = [
      await app.made("alan", kind, "Season"),
      await app.made("alan", kind, "Alone"),
      await app.made("alan", kind, "Seen"),
    ];
    await app.share("alan", kind, id, [await app.to("grace", "edit"), { to: { kind: "role", name: "reader" }, can: "view" }]);
    await app.share("alan", kind, seen, [await app.to("bob", "view")]);
    const alan = await app.idOf("alan");
    expect((await app.call<OwnedThings>("root", "GET", `/admin/users/${alan}/owned`)).body).toMatchObject({
      counts: { [kind]: 3 },
      shared: [
        { kind, id, name: "Season" },
        { kind, id: seen, name: "Seen" },
      ],
    });
    expect((await deleted(app, "alan")).status).toBe(204);
    const kept = async () => (await app.gateway.database.pool.query<{ id: string }>(`select id from ${table}`)).rows.map((row) => row.id);
    expect((await kept()).toSorted()).toEqual([id, seen].toSorted());
    expect(await kept()).not.toContain(alone);
    expect(await app.found("ada", kind, id)).toMatchObject({ owner: "", ownerState: "gone", can: "view" });
    const version = (await app.found("grace", kind, id))?.version;
    expect((await app.call("grace", "PUT", `${path}/${id}`, { [named]: "Season 2", version })).status).toBe(200);
    expect((await app.call("grace", "PUT", `${path}/${id}/shares`, { shares: [] })).status).toBe(403);
    expect(await ownerless(app)).toEqual([
      {
        kind,
        id,
        name: "Season 2",
        formerOwner: "alan",
        shares: [
          { to: { kind: "role", name: "reader" }, can: "view" },
          { to: { kind: "user", id: await app.idOf("grace"), name: "grace" }, can: "edit" },
        ],
      },
      {
        kind,
        id: seen,
        name: "Seen",
        formerOwner: "alan",
        shares: [{ to: { kind: "user", name: "bob", id: expect.any(String) }, can: "view" }],
      },
    ]);
    const at = `/admin/ownerless/${kind}/${id}`;
    expect((await app.call("grace", "GET", "/admin/ownerless")).status).toBe(403);
    expect((await app.call("root", "PUT", at, { userId: "nobody" })).status).toBe(400);
    expect((await app.call("root", "PUT", at, { userId: await app.idOf("bob") })).status).toBe(204);
    expect((await app.found("bob", kind, id))?.can).toBe("own");
    // It has an owner now.
    expect((await app.call("root", "PUT", at, { userId: await app.idOf("ada") })).status).toBe(404);
    expect((await app.call("root", "DELETE", at)).status).toBe(404);
    expect((await app.call("root", "DELETE", `/admin/ownerless/${kind}/${seen}`)).status).toBe(204);
    expect((await app.call("root", "DELETE", "/admin/ownerless/nonsense/1")).status).toBe(404);
    expect([await kept(), await ownerless(app)]).toEqual([[id], []]);
  });

  it("is no business of a new account of the same name, also of one that is restored", async () => {
    const app = await sharingApp(onTestFinished);
    const [id, theirs] = [await app.made("alan", kind, "Season"), await app.made("ada", kind, "Others")];
    await app.share("alan", kind, id, [await app.to("grace", "edit")]);
    await app.share("ada", kind, theirs, [await app.to("alan", "edit")]);
    const before = await app.idOf("alan");
    expect((await deleted(app, "alan")).status).toBe(204);
    const revisions = await app.call<{ revision: number }[]>("root", "GET", `/admin/users/${before}/revisions`);
    const latest = revisions.body[0]?.revision;
    const restored = await app.call<Entity>("root", "PUT", `/admin/users/${before}/revisions/${latest}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { username: "alan" } });
    const now = restored.body["id"] as string;
    expect(now).not.toBe(before);
    const { rows } = await app.gateway.database.pool.query(`select user_id from ${table} where user_id = $1`, [now]);
    expect(rows).toEqual([]);
    expect((await app.found("ada", kind, theirs))?.shares).toEqual([]);
    expect(await app.found("grace", kind, id)).toMatchObject({ owner: "", ownerState: "gone" });
    expect(await ownerless(app)).toMatchObject([{ id, formerOwner: "alan" }]);
  });

  it("goes when the last one with whom it was shared is deleted, also if a gateway of the last release deletes them", async () => {
    const app = await sharingApp(onTestFinished);
    const [first, second] = [await app.made("alan", kind, "First"), await app.made("alan", kind, "Second")];
    const { pool } = app.gateway.database;
    await app.share("alan", kind, first, [await app.to("grace", "edit")]);
    await app.share("alan", kind, second, [await app.to("bob", "edit")]);
    await pool.query("delete from users where username = 'alan'");
    expect(await ownerless(app)).toMatchObject([{ name: "First", formerOwner: "" }, { name: "Second" }]);
    expect((await deleted(app, "grace")).status).toBe(204);
    expect(await ownerless(app)).toMatchObject([{ name: "Second" }]);
    await pool.query("delete from users where username = 'bob'");
    await app.sharing.removeLeft();
    expect((await pool.query(`select from ${table}`)).rowCount).toBe(0);
  });
});

describe("an account that is deleted", () => {
  const counts = async (app: SharingApp, person: Person) =>
    (await app.call<OwnedThings>("root", "GET", `/admin/users/${await app.idOf(person)}/owned`)).body.counts;

  it("gives all that it owns to another one before, or nothing happens", async () => {
    const app = await sharingApp(onTestFinished, { boardBytesPerUser: 1_500 });
    const text = (characters: number) => ({
      content: { panels: [{ id: "a", kind: "text", title: "", text: "x".repeat(characters), place: { x: 0, y: 0, w: 4, h: 4 } }] },
    });
    const board = await app.made("alan", "board", "Season", text(700));
    const search = await app.made("alan", "savedSearch", "Storms");
    await app.share("alan", "board", board, [await app.to("grace", "edit"), await app.to("bob", "view")]);
    const mine = await app.made("grace", "board", "SEASON", text(700));
    const grace = await app.idOf("grace");
    expect(await deleted(app, "alan", `?transferTo=${grace}`)).toMatchObject({ status: 409, body: { errors: [{ code: "conflict" }] } });
    expect(await deleted(app, "alan", "?transferTo=nobody")).toMatchObject({ status: 400, body: { errors: [{ path: "transferTo" }] } });
    expect((await deleted(app, "alan", `?transferTo=${await app.idOf("alan")}`)).status).toBe(400);
    expect(await counts(app, "alan")).toEqual({ board: 1, savedSearch: 1, ownDataset: 0 });
    await app.call("grace", "DELETE", `/boards/${mine}`);
    await app.made("grace", "board", "SEASON");
    app.reported.take();
    expect((await deleted(app, "alan", `?transferTo=${grace}`)).status).toBe(204);
    expect(app.reported.take().map(({ topic }) => topic)).toEqual(["boards", "savedSearches"]);
    expect(app.notified.at(-1)).toEqual({ users: [grace], title: "What 'alan' had is yours now" });
    expect(await app.found("grace", "board", board)).toMatchObject({
      name: "Season (2)",
      can: "own",
      shares: [{ to: { name: "bob" }, can: "view" }],
    });
    expect(await app.found("grace", "savedSearch", search)).toMatchObject({ queryName: "Storms", can: "own", shares: [] });
    expect(await ownerless(app)).toEqual([]);
  });

  it("leaves nothing behind that only it could find, whoever imports accounts without it", async () => {
    const app = await sharingApp(onTestFinished);
    await app.made("alan", "board", "Alone");
    const shown = await app.made("alan", "board", "Season");
    await app.share("alan", "board", shown, [everyone("view")]);
    const users = await app.call<Entity[]>("root", "GET", "/admin/users");
    const entities = users.body.filter(({ username }) => username !== "alan");
    const preview = await app.call("root", "POST", "/admin/users/import/preview", { entities, isReplace: true });
    expect(preview).toMatchObject({ status: 200, body: { removed: ["alan"], refused: [] } });
    expect(await counts(app, "alan")).toMatchObject({ board: 2 });
    expect((await app.call("root", "PUT", "/admin/users/import", { entities, isReplace: true })).status).toBe(200);
    expect(await ownerless(app)).toMatchObject([{ name: "Season", formerOwner: "alan" }]);
  });
});
