import type { ShareDraft } from "@fairway/contract/sharing";
import { describe, expect, it, onTestFinished } from "vitest";
import { sharedApp } from "#testing/shared-app.ts";
import { type SharedKindName, sharedKinds, sharingApp, type Person } from "#testing/sharing-app.ts";

const shared = sharedApp(sharingApp, ["boards", "saved_searches"]);

const kinds = ["board", "savedSearch"] as const satisfies readonly SharedKindName[];
const everyone = (can: ShareDraft["can"] = "view"): ShareDraft => ({ to: { kind: "everyone" }, can });
const role = (name: string, can: ShareDraft["can"] = "view"): ShareDraft => ({ to: { kind: "role", name }, can });
const statusOf = async (...call: Parameters<ReturnType<typeof shared>["call"]>) => (await shared().call(...call)).status;
/** An edit of the name. */
const renamed = (kind: SharedKindName, version: number) =>
  kind === "board" ? { name: "Renamed", version } : { queryName: "Renamed", version };

describe.each(kinds)("a %s", (kind) => {
  const { path, noun, topic } = sharedKinds[kind];
  const readers = async (id: string) => {
    const people: Person[] = ["alan", "grace", "root"];
    const found = await Promise.all(people.map(async (person) => ({ person, can: (await shared().found(person, kind, id))?.can })));
    return found.flatMap(({ person, can }) => (can === undefined ? [] : [`${person} ${can}`]));
  };

  it("is shared with people, groups, roles and everyone, and taken back with the next call", async () => {
    const app = shared();
    const id = await app.made("ada", kind, "Season");
    expect(await readers(id)).toEqual([]);
    const answer = await app.share("ada", kind, id, [await app.to("grace", "edit")]);
    expect(answer.body.shares).toEqual([{ to: { kind: "user", id: await app.idOf("grace"), name: "grace" }, can: "edit" }]);
    expect(await readers(id)).toEqual(["grace edit"]);
    await app.share("ada", kind, id, [role("reader"), role("reader", "edit")]);
    expect(await readers(id)).toEqual(["alan edit"]);
    const { rows } = await app.gateway.database.pool.query<{ id: string }>("select id from groups where name = 'readers'");
    await app.share("ada", kind, id, [{ to: { kind: "group", id: rows[0]?.id ?? "" }, can: "view" }]);
    expect(await readers(id)).toEqual([]);
    await app.share("ada", kind, id, [everyone()]);
    expect(await readers(id)).toEqual(["alan view", "grace view", "root view"]);
    await app.share("ada", kind, id, []);
    expect(await readers(id)).toEqual([]);
  });

  it("is shared as it is made, also with roles of clients that know only these, or not made at all", async () => {
    const app = shared();
    const shares = [await app.to("grace", "edit"), role("reader", "edit")];
    const id = await app.made("ada", kind, "Season", { shares, sharedWithRoles: ["reader", "editor"] });
    expect((await app.found("ada", kind, id))?.shares.map(({ to, can }) => `${to.name} ${can}`)).toEqual([
      "editor view",
      "reader edit",
      "grace edit",
    ]);
    expect(await readers(id)).toEqual(["alan edit", "grace edit"]);
    const nobody = { to: { kind: "user" as const, id: "nobody" }, can: "view" as const };
    await expect(app.made("ada", kind, "Gales", { shares: [nobody] })).rejects.toThrow("There is no such person.");
    await expect(app.made("ada", kind, "Gales", { shares: [role("admin")] })).rejects.toThrow("You do not have the role 'admin'");
    expect((await app.call<unknown[]>("ada", "GET", path)).body).toHaveLength(1);
  });

  it("shows its owner all shares and others those that reach them", async () => {
    const app = shared();
    const id = await app.made("ada", kind, "Season");
    await app.share("ada", kind, id, [await app.to("grace", "view"), role("reader", "edit"), role("editor")]);
    expect((await app.found("ada", kind, id))?.shares.map(({ to }) => to.name)).toEqual(["editor", "reader", "grace"]);
    expect(await app.found("alan", kind, id)).toMatchObject({
      owner: "ada",
      ownerState: "active",
      can: "edit",
      shares: [{ to: { kind: "role", name: "reader" }, can: "edit" }],
      sharedWithRoles: ["reader"],
    });
    expect(await app.found("grace", kind, id)).toMatchObject({ can: "view", shares: [{ to: { name: "grace" } }], sharedWithRoles: [] });
  });

  it("refuses in the same words whom nobody knows and who cannot be found, roles that the owner lacks, and 101 shares", async () => {
    const app = shared();
    const id = await app.made("ada", kind, "Season");
    const refusalOf = async (draft: ShareDraft) => {
      const { status, body } = await app.share("ada", kind, id, [draft]);
      return [status, body.errors[0]?.message];
    };
    const nobody = [400, "There is no such person."];
    expect(await refusalOf({ to: { kind: "user", id: "nobody" }, can: "view" })).toEqual(nobody);
    expect(await refusalOf(await app.to("ada", "view"))).toEqual(nobody);
    await app.gateway.database.pool.query("update users set locked = true where username = 'bob'");
    const { rows } = await app.gateway.database.pool.query<{ id: string }>("select id from users where username = 'bob'");
    expect(await refusalOf({ to: { kind: "user", id: rows[0]?.id ?? "" }, can: "view" })).toEqual(nobody);
    await app.gateway.database.pool.query("update users set locked = false where username = 'bob'");
    expect((await refusalOf(role("admin")))[0]).toBe(400);
    const many = Array.from({ length: 101 }, () => everyone());
    expect((await app.share("ada", kind, id, many)).status).toBe(400);
    expect((await app.share("ada", kind, id, many.slice(1))).status).toBe(200);
  });

  it("is written by clients that know only roles: people, groups and the rights of roles that stay are kept", async () => {
    const app = shared();
    const id = await app.made("ada", kind, "Season", { sharedWithRoles: ["editor"] });
    await app.share("ada", kind, id, [await app.to("grace", "edit"), role("reader", "edit"), role("editor", "edit")]);
    const edit = (body: object) => app.call("ada", "PUT", `${path}/${id}`, body);
    const names = kind === "board" ? { version: 1 } : { queryName: "Season" };
    expect((await edit({ ...names, sharedWithRoles: ["reader", "*"] })).status).toBe(200);
    expect((await app.found("ada", kind, id))?.shares.map(({ to, can }) => `${to.name} ${can}`)).toEqual([
      "Everyone view",
      "reader edit",
      "grace edit",
    ]);
    // A role that comes back is a new share.
    await app.share("ada", kind, id, [role("reader", "edit")]);
    const versions = kind === "board" ? [{ version: 2 }, { version: 3 }] : [names, names];
    await edit({ ...versions[0], sharedWithRoles: [] });
    await edit({ ...versions[1], sharedWithRoles: ["reader"] });
    expect(await readers(id)).toEqual(["alan view"]);
    // As a gateway of the last release does it, beside this one.
    await app.share("ada", kind, id, [role("reader", "edit")]);
    const { table } = sharedKinds[kind];
    await app.gateway.database.pool.query(`update ${table} set shared_with_roles = '{}'`);
    expect(await readers(id)).toEqual([]);
    await app.gateway.database.pool.query(`update ${table} set shared_with_roles = '{*}'`);
    expect(await readers(id)).toEqual(["alan view", "grace view", "root view"]);
  });

  it("is edited by editors, and shared, given away and deleted by its owner alone", async () => {
    const app = shared();
    const id = await app.made("ada", kind, "Season");
    await app.share("ada", kind, id, [await app.to("grace", "edit"), role("reader")]);
    expect(await statusOf("alan", "PUT", `${path}/${id}`, renamed(kind, 1))).toBe(403);
    expect(await statusOf("grace", "PUT", `${path}/${id}`, renamed(kind, 1))).toBe(200);
    expect(await app.call("grace", "PUT", `${path}/${id}`, renamed(kind, 1))).toMatchObject({
      status: 409,
      body: { errors: [{ code: "stale-version" }] },
    });
    expect(await app.found("ada", kind, id)).toMatchObject({ version: 2, [kind === "board" ? "name" : "queryName"]: "Renamed" });
    for (const person of ["alan", "grace"] as const) {
      expect(await statusOf(person, "PUT", `${path}/${id}/shares`, { shares: [] })).toBe(403);
      expect(await statusOf(person, "PUT", `${path}/${id}/owner`, { userId: await app.idOf(person) })).toBe(403);
    }
    expect(await statusOf("grace", "PUT", `${path}/${id}`, { ...renamed(kind, 2), sharedWithRoles: ["*"] })).toBe(403);
    // Clients send back all that they know.
    expect(await statusOf("grace", "PUT", `${path}/${id}`, { ...renamed(kind, 2), sharedWithRoles: [] })).toBe(200);
    expect(await readers(id)).toEqual(["alan view", "grace edit"]);
  });

  it("is nothing to those it is not shared with, administrators included", async () => {
    const app = shared();
    const id = await app.made("ada", kind, "Season");
    const refusalsOf = async (of: string) => {
      const calls = [
        ["alan", "PUT", `${path}/${of}`, renamed(kind, 1)],
        ["alan", "PUT", `${path}/${of}/shares`, { shares: [] }],
        ["alan", "DELETE", `${path}/${of}/shares/mine`],
        ["alan", "PUT", `${path}/${of}/owner`, { userId: await app.idOf("alan") }],
        ["root", "PUT", `${path}/${of}`, renamed(kind, 1)],
        ["root", "PUT", `${path}/${of}/shares`, { shares: [] }],
      ] as const;
      return Promise.all(
        calls.map(async ([person, method, address, body]) => {
          const answer = await app.call(person, method, address, body);
          return [answer.status, answer.body];
        }),
      );
    };
    const refusals = await refusalsOf(id);
    expect(refusals).toEqual(await refusalsOf("nothing"));
    expect(refusals.map(([status]) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  });

  it("is left by somebody it is shared with, but not where a role or everyone has it", async () => {
    const app = shared();
    const id = await app.made("ada", kind, "Season");
    await app.share("ada", kind, id, [await app.to("grace", "edit"), await app.to("alan", "view"), role("reader")]);
    const leave = (person: Person) => statusOf(person, "DELETE", `${path}/${id}/shares/mine`);
    expect([await leave("grace"), await leave("grace")]).toEqual([204, 404]);
    expect([await leave("alan"), await leave("alan")]).toEqual([204, 409]);
    expect(await leave("ada")).toBe(409);
    expect(await readers(id)).toEqual(["alan view"]);
  });

  it("tells open pages of those who could and can read it, without its id", async () => {
    const app = shared();
    const id = await app.made("ada", kind, "Season");
    const [ada, grace] = [await app.idOf("ada"), await app.idOf("grace")];
    app.reported.take();
    await app.share("ada", kind, id, [await app.to("grace", "view"), role("reader")]);
    expect(app.reported.take()).toEqual([
      { topic, audience: { users: [ada, grace] } },
      { topic, audience: { roles: ["reader"] } },
    ]);
    await app.share("ada", kind, id, []);
    expect(app.reported.take()).toEqual([
      { topic, audience: { users: [ada, grace] } },
      { topic, audience: { roles: ["reader"] } },
    ]);
    await app.call("ada", "PUT", `${path}/${id}`, renamed(kind, 1));
    expect(app.reported.take()).toEqual([{ topic, audience: { users: [ada] } }]);
  });

  it("says that its owner's account is disabled, and stays", async () => {
    const app = shared();
    const id = await app.made("grace", kind, "Season");
    await app.share("grace", kind, id, [everyone("edit")]);
    await app.gateway.database.pool.query("update users set locked = true where username = 'grace'");
    expect(await app.found("alan", kind, id)).toMatchObject({ owner: "grace", ownerState: "disabled", can: "edit" });
    await app.gateway.database.pool.query("update users set locked = false where username = 'grace'");
  });

  it(`is a ${noun} for members of a group that a sign-in provider names`, async () => {
    const app = shared();
    const id = await app.made("ada", kind, "Season");
    const { pool } = app.gateway.database;
    const { rows } = await pool.query<{ id: string }>("select id from groups where name = 'readers'");
    await app.share("ada", kind, id, [{ to: { kind: "group", id: rows[0]?.id ?? "" }, can: "edit" }]);
    expect((await app.found("grace", kind, id))?.can).toBeUndefined();
    const grace = await app.idOf("grace");
    await pool.query("insert into provider_groups (user_id, group_id) values ($1, $2)", [grace, rows[0]?.id]);
    await app.gateway.identity.userChanged(grace);
    expect((await app.found("grace", kind, id))?.can).toBe("edit");
    await pool.query("delete from provider_groups");
    await app.gateway.identity.userChanged(grace);
    expect((await app.found("grace", kind, id))?.can).toBeUndefined();
  });
});

it("follows a renamed role with its rights, and a role is not deleted while something without owner is shared with it", async () => {
  const app = await sharingApp(onTestFinished);
  const id = await app.made("alan", "board", "Season");
  await app.share("alan", "board", id, [role("reader", "edit")]);
  const roles = await app.call<{ id: string; name: string }[]>("root", "GET", "/admin/roles");
  const reader = roles.body.find(({ name }) => name === "reader");
  expect((await app.call("root", "PUT", "/admin/roles", { ...reader, name: "watcher" })).status).toBe(200);
  expect(await app.found("ada", "board", id)).toMatchObject({ can: "edit", sharedWithRoles: ["watcher"] });
  expect((await app.call("root", "DELETE", `/admin/users/${await app.idOf("alan")}`)).status).toBe(204);
  await app.gateway.database.pool.query("delete from user_roles where role_id = $1", [reader?.id]);
  await app.gateway.database.pool.query("delete from group_roles where role_id = $1", [reader?.id]);
  expect(await app.call("root", "DELETE", `/admin/roles/${reader?.id}`)).toMatchObject({
    status: 409,
    body: { errors: [{ message: "'watcher' is still used by 1 board that 'alan' shares with it." }] },
  });
});

it("finds only people of a common group where the setting says so", async () => {
  const app = await sharingApp(onTestFinished, { candidates: "groups" });
  const id = await app.made("ada", "board", "Season");
  expect((await app.share("ada", "board", id, [await app.to("grace", "view")])).body.errors).toEqual(
    (await app.share("ada", "board", id, [{ to: { kind: "user", id: "nobody" }, can: "view" }])).body.errors,
  );
});
