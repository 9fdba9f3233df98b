import type { Entity, ImportPreview, Revision, RevisionDetails } from "@fairway/contract/entities";
import { expect, it } from "vitest";
import { type AdministrationApp, administrationApp } from "#testing/administration-app.ts";
import { buildDataset } from "#testing/dataset-app.ts";

interface User extends Entity {
  id: string;
  username: string;
  lockStatus: { disabled: boolean; byFailures?: true };
}

const usersOf = async ({ admin }: AdministrationApp) => (await admin<User[]>("GET", "users")).body;
const userNamed = async (app: AdministrationApp, username: string): Promise<User> => {
  const match = (await usersOf(app)).find((user) => user.username === username);
  if (!match) throw new Error(`there is no ${username}`);
  return match;
};
const idOf = async ({ admin }: AdministrationApp, type: "roles" | "groups", name: string): Promise<string> => {
  const found = (await admin<{ id: string; name: string }[]>("GET", type)).body.find((entity) => entity.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found.id;
};
const rolesOf = async ({ gateway }: AdministrationApp, token: string) =>
  (await gateway.call<{ roles: string[] }>("GET", "/probe/me", { token })).body.roles;

it("[USERS-03][USERS-22] lists users with their groups and direct roles, and they have the roles of their groups", async () => {
  const app = await administrationApp();
  expect(await userNamed(app, "ada")).toEqual({
    id: expect.any(String),
    username: "ada",
    email: "ada@example.org",
    firstName: "Ada",
    lastName: "Lovelace",
    groups: [{ id: await idOf(app, "groups", "Readers"), name: "Readers" }],
    roles: [],
    password: { setPassword: false, value: "", requirePasswordChange: false },
    lockStatus: { disabled: false },
    version: 1,
    enabled: true,
  });
  expect(await rolesOf(app, app.ada)).toEqual(["reader"]);
});

it("[GROUPS-03][ROLES-03] lists groups with their roles, and roles", async () => {
  const { admin } = await administrationApp();
  expect((await admin("GET", "groups")).body).toMatchObject([
    { id: expect.any(String), name: "Administrators", realmRoles: ["admin"] },
    { id: expect.any(String), name: "Readers", realmRoles: ["reader"] },
  ]);
  const roles = ["admin", "editor", "reader"].map((name) => expect.objectContaining({ id: expect.any(String), name }) as unknown);
  expect((await admin("GET", "roles")).body).toEqual(roles);
});

it("[USERS-11] creates a user with groups and roles who must change the password", async () => {
  const app = await administrationApp();
  const { admin, signIn } = app;
  const draft = {
    username: "grace",
    email: "",
    groups: [{ name: "Readers" }],
    roles: [{ name: "editor" }],
    password: { setPassword: true, value: "nanoseconds", requirePasswordChange: true },
  };
  const created = await admin<User>("POST", "users", draft);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ username: "grace", firstName: "", password: { value: "", requirePasswordChange: true } });
  expect((await signIn("grace", "nanoseconds")).body).toMatchObject({ requiresPasswordChange: true });
  expect(JSON.stringify(created.body) + app.gateway.logged()).not.toContain("nanoseconds");

  expect((await admin("GET", `users/${created.body.id}/groups`)).body).toEqual([{ id: expect.any(String), name: "Readers" }]);
  const roles = (await admin<{ name: string }[]>("GET", `users/${created.body.id}/roles`)).body;
  expect(roles.map(({ name }) => name)).toEqual(["editor", "reader"]);
  expect((await admin("POST", "users", { ...draft, username: "GRACE " })).body.errors[0]).toMatchObject({
    code: "name-taken",
    path: "username",
  });
});

it.each([
  ["[USERS-14]", "groups", [expect.objectContaining({ name: "Readers" })]],
  ["[USERS-15]", "roles", [expect.objectContaining({ name: "reader" })]],
  ["[USERS-16]", "lockStatus", { disabled: false }],
])("%s returns the %s of a user, and 404 for a missing one", async (_, what, expected) => {
  const app = await administrationApp();
  const { id } = await userNamed(app, "ada");
  expect((await app.admin("GET", `users/${id}/${what}`)).body).toEqual(expected);
  expect((await app.admin("GET", `users/nobody/${what}`)).status).toBe(404);
});

it("edits a user, ends the sessions on a new password, and refuses invalid and read-only fields", async () => {
  const app = await administrationApp();
  const { admin, signIn, gateway } = app;
  const ada = await userNamed(app, "ada");
  const edited = await admin<User>("PUT", "users", { ...ada, firstName: "Augusta", groups: [], roles: [{ name: "editor" }] });
  expect(edited.body).toMatchObject({ firstName: "Augusta", groups: [], roles: [{ name: "editor" }], version: 2 });
  expect(await rolesOf(app, app.ada)).toEqual(["editor"]);
  expect((await admin("PUT", "users", { ...ada, firstName: "Stale" })).body.errors[0]?.code).toBe("stale-version");

  const set = { ...edited.body, password: { setPassword: true, value: "new words" } };
  expect((await admin("PUT", "users", set)).status).toBe(200);
  expect(await gateway.statusOf(app.ada)).toBe(401);
  expect([(await signIn("ada", "correct horse")).status, (await signIn("ada", "new words")).status]).toEqual([401, 200]);

  const current = await userNamed(app, "ada");
  const refused: [string, unknown][] = [
    ["password_hash", { ...current, password_hash: "x" }],
    ["username", { ...current, username: "countess" }],
    ["password.value", { ...current, password: { setPassword: true, value: "abc" } }],
    ["email", { ...current, email: "ab" }],
    ["groups.0", { ...current, groups: [{ name: "Nobody's" }] }],
    ["roles.0", { ...current, roles: [{ id: "nobody's" }] }],
    ["lockStatus.until", { ...current, lockStatus: { disabled: false, until: 1 } }],
  ];
  for (const [path, body] of refused) {
    const response = await admin("PUT", "users", body);
    expect([path, response.status]).toEqual([path, 400]);
    expect(response.body.errors[0]?.message).toContain(path.split(".")[0]);
  }
  expect(await userNamed(app, "ada")).toEqual(current);
});

it("refuses a save on top of a user's own change", async () => {
  const app = await administrationApp();
  const ada = await userNamed(app, "ada");
  const profile = { email: "countess@example.org", firstName: "Ada", lastName: "King" };
  expect((await app.gateway.call("PUT", "/profile", { token: app.ada, body: profile })).status).toBe(200);
  expect((await app.admin("PUT", "users", { ...ada, lastName: "Byron" })).body.errors[0]?.code).toBe("stale-version");
});

it("[USERS-17][USERS-21] locks a user out immediately on every gateway, and unlocking ends every lock", async () => {
  const app = await administrationApp();
  const other = await administrationApp(app);
  const { admin, signIn } = app;
  const { id } = await userNamed(app, "ada");
  expect(await other.gateway.statusOf(app.ada)).toBe(200);
  const locked = await admin<User>("PUT", `users/${id}/disable`);
  expect(locked.body).toMatchObject({ enabled: false, lockStatus: { disabled: true } });
  await expect.poll(() => other.gateway.statusOf(app.ada)).toBe(401);
  expect((await signIn("ada", "correct horse")).status).toBe(401);
  // Saving the current state changes nothing.
  expect((await admin<User>("PUT", "users", locked.body)).body).toEqual(locked.body);
  expect((await admin("PUT", `users/${id}/unlock`)).body).toEqual({ disabled: false });
  expect((await signIn("ada", "correct horse")).status).toBe(200);
  // Sessions from before the lock stay ended.
  expect(await app.gateway.statusOf(app.ada)).toBe(401);

  await app.gateway.database.pool.query("insert into login_locks select encode(sha256('ada'), 'hex'), '*', now() + interval '1 hour'");
  expect((await userNamed(app, "ada")).lockStatus).toEqual({ disabled: true, byFailures: true });
  expect((await signIn("ada", "correct horse")).status).toBe(401);
  expect((await admin("PUT", `users/${id}/unlock`)).body).toEqual({ disabled: false });
  expect((await signIn("ada", "correct horse")).status).toBe(200);
});

it("does not make a lockout permanent when the user is saved or imported as read during it", async () => {
  const app = await administrationApp();
  const { admin, signIn } = app;
  const { pool } = app.gateway.database;
  await pool.query("insert into login_locks select encode(sha256('ada'), 'hex'), '*', now() + interval '1 hour'");
  const read = await userNamed(app, "ada");
  expect(read).toMatchObject({ enabled: false, lockStatus: { disabled: true, byFailures: true } });
  const during = await admin<User>("PUT", "users", { ...read, lastName: "Byron" });
  expect(during.body).toMatchObject({ lastName: "Byron", lockStatus: { disabled: true, byFailures: true } });
  await pool.query("delete from login_locks");
  const { version: _, ...later } = during.body;
  expect((await admin<User>("PUT", "users", later)).body).toMatchObject({ enabled: true, lockStatus: { disabled: false } });
  expect((await admin("PUT", "users/import", { entities: [later], isReplace: false })).status).toBe(200);
  expect((await signIn("ada", "correct horse")).status).toBe(200);

  await pool.query("insert into login_locks select encode(sha256('ada'), 'hex'), '*', now() + interval '1 hour'");
  expect((await admin<User>("PUT", "users", { ...later, enabled: true })).body["username"]).toBe("ada");
  expect((await userNamed(app, "ada")).lockStatus).toEqual({ disabled: false });
  expect((await admin<User>("PUT", "users", { ...later, lockStatus: { disabled: true } })).body.enabled).toBe(false);
});

it("[ROLES-04] creates, renames and deletes roles and groups, immediately effective on every gateway", async () => {
  const app = await administrationApp();
  const other = await administrationApp(app);
  const { admin } = app;
  const pilot = (await admin<{ id: string }>("POST", "roles", { name: "pilot" })).body;
  const readers = await idOf(app, "groups", "Readers");
  await admin("PUT", "groups", { id: readers, name: "Readers", realmRoles: ["reader", "pilot"] });
  await expect.poll(() => rolesOf(other, app.ada)).toEqual(["pilot", "reader"]);

  expect((await admin("PUT", "roles", { ...pilot, name: "skipper" })).status).toBe(200);
  await expect.poll(() => rolesOf(other, app.ada)).toEqual(["reader", "skipper"]);
  expect((await admin("DELETE", `roles/${pilot.id}`)).body.errors).toEqual([
    { code: "in-use", message: "'skipper' is still used by the group 'Readers'." },
  ]);
  expect((await admin("DELETE", `groups/${readers}`)).body.errors).toEqual([
    { code: "in-use", message: "'Readers' is still used by the user 'ada'." },
  ]);
  await admin("PUT", "groups", { id: readers, name: "Crew", realmRoles: [] });
  await expect.poll(() => rolesOf(other, app.ada)).toEqual([]);
  expect((await admin("DELETE", `roles/${pilot.id}`)).status).toBe(204);

  expect((await admin("POST", "groups", { name: "Crew" })).body.errors[0]?.code).toBe("name-taken");
  expect((await admin("POST", "roles", { name: "reader" })).body.errors[0]?.code).toBe("name-taken");
  expect((await admin("POST", "roles", { name: "*" })).status).toBe(400);
  expect((await admin("POST", "groups", { name: "New", realmRoles: ["nobody's"] })).body.errors[0]?.path).toBe("realmRoles.0");
  expect((await admin("PUT", `groups/${readers}/disable`)).body.errors[0]?.code).toBe("not-supported");
});

it("refuses to rename or delete a role that an entity names", async () => {
  const app = await administrationApp();
  const { admin } = app;
  const editor = await idOf(app, "roles", "editor");
  await admin("POST", "datasets/internal", buildDataset({ id: "rows", roles: ["editor"] }));
  await admin("POST", "filesets", { id: "maps", allowedRoles: [{ roleName: "editor" }] });
  expect((await admin("DELETE", `roles/${editor}`)).body.errors).toEqual([
    { code: "in-use", message: "'editor' is still used by 'rows' of datasets/internal, 'maps' of filesets." },
  ]);
  expect((await admin("PUT", "roles", { id: editor, name: "author" })).body.errors[0]).toMatchObject({ code: "in-use", path: "name" });
});

it("keeps searches and boards shared with a renamed role, and refuses to delete a role that they are shared with", async () => {
  const app = await administrationApp();
  const { admin, gateway } = app;
  const editor = await idOf(app, "roles", "editor");
  const share = (id: string, owner: string, roles: readonly string[]) =>
    gateway.database.pool.query(
      `insert into saved_searches (id, user_id, category, dataset_id, name, name_key, description, query, shared_with_roles)
       select $1, id, 'nature', 'storms', $1, $1, 'private matter', '{"filters":[]}', $3 from users where username = $2`,
      [id, owner, roles],
    );
  const sharing = async (id: string) =>
    (await gateway.database.db.selectFrom("saved_searches").select("shared_with_roles").where("id", "=", id).executeTakeFirstOrThrow())
      .shared_with_roles;
  await share("one", "ada", ["reader", "editor"]);
  // Left over from a deleted role with this name.
  await share("two", "ada", ["editor", "author"]);
  await share("three", "root", ["editor"]);
  await share("other", "root", ["reader"]);
  await gateway.database.pool.query(
    `insert into boards (id, user_id, name, name_key, description, shared_with_roles, content, version, updated_at)
     select 'board', id, 'Season', 'season', '', array['editor'], '{"panels":[]}', 1, now() from users where username = 'ada'`,
  );
  await gateway.database.pool.query(
    `insert into own_datasets (id, category, name, owner_id, owner_name, settings, data_version)
     select 'own', '~ada', 'own', id, 'ada', '{}', 1 from users where username = 'ada'`,
  );
  await gateway.database.pool.query(
    "insert into own_dataset_shares values ('own', 'role', 'editor', 'edit'), ('own', 'role', 'author', 'view')",
  );
  await gateway.database.pool.query(
    `insert into api_keys (id, user_id, name, name_key, datasets, fileset_ids, ecosystem_names, roles)
     select 'key', id, 'key', 'key', '[]', '{}', '{}', array['author', 'editor'] from users where username = 'ada'`,
  );
  expect((await admin("PUT", "roles", { id: editor, name: "author" })).status).toBe(200);
  const { roles: rolesOfKey } = await gateway.database.db.selectFrom("api_keys").select("roles").executeTakeFirstOrThrow();
  expect(rolesOfKey).toEqual(["author"]);
  const ownShares = await gateway.database.db.selectFrom("own_dataset_shares").select(["target", "can"]).execute();
  expect(ownShares).toEqual([{ target: "author", can: "edit" }]);
  expect([await sharing("one"), await sharing("two"), await sharing("three"), await sharing("other")]).toEqual([
    ["reader", "author"],
    ["author"],
    ["author"],
    ["reader"],
  ]);
  const board = await gateway.database.db.selectFrom("boards").select("shared_with_roles").executeTakeFirstOrThrow();
  expect(board.shared_with_roles).toEqual(["author"]);
  expect((await admin("DELETE", `roles/${editor}`)).body.errors).toEqual([
    {
      code: "in-use",
      message:
        "'author' is still used by 2 saved searches that 'ada' shares with it, 1 saved search that 'root' shares with it, 1 board that 'ada' shares with it, 1 dataset that 'ada' shares with it.",
    },
  ]);
  await gateway.database.pool.query("delete from saved_searches where id <> 'other'");
  await gateway.database.pool.query("delete from boards");
  await gateway.database.pool.query("delete from own_datasets");
  expect((await admin("DELETE", `roles/${editor}`)).status).toBe(204);
});

it("refuses any deletion, lock, role or group change or import that would remove the last administrator", async () => {
  const app = await administrationApp();
  const { admin } = app;
  const root = await userNamed(app, "root");
  const administrators = await idOf(app, "groups", "Administrators");
  const adminRole = await idOf(app, "roles", "admin");
  const attempts: ["PUT" | "DELETE", string, unknown?][] = [
    ["DELETE", `users/${root.id}`],
    ["PUT", `users/${root.id}/disable`],
    ["PUT", "users", { ...root, groups: [] }],
    ["PUT", "users", { ...root, lockStatus: { disabled: true } }],
    ["PUT", "users/import", { entities: [{ username: "ada" }], isReplace: true }],
    // A user without a password cannot sign in.
    ["PUT", "users/import", { entities: [{ username: "nobody-yet", roles: [{ name: "admin" }] }], isReplace: true }],
    ["PUT", "groups", { id: administrators, name: "Administrators", realmRoles: [] }],
    ["PUT", "groups/import", { entities: [{ name: "Administrators" }], isReplace: false }],
    ["DELETE", `roles/${adminRole}`],
    ["PUT", "roles", { id: adminRole, name: "chief" }],
  ];
  for (const [method, path, body] of attempts) {
    const response = await admin(method, path, body);
    expect([path, response.status, response.body.errors[0]?.code]).toEqual([path, 409, "conflict"]);
  }
  const bulk = await admin<{ changed: string[] }>("PUT", "users/bulk", { ids: [root.id], action: "delete" });
  expect(bulk.body.changed).toEqual([]);
  expect(await userNamed(app, "root")).toEqual(root);
  const ada = await userNamed(app, "ada");
  expect((await admin("PUT", "users", { ...ada, roles: [{ name: "admin" }] })).status).toBe(200);
  expect((await admin("DELETE", `users/${root.id}`)).status).toBe(204);
});

it("keeps one of two administrators who lock each other concurrently", async () => {
  const app = await administrationApp();
  const { admin } = app;
  const [root, ada] = [await userNamed(app, "root"), await userNamed(app, "ada")];
  await admin("PUT", "users", { ...ada, roles: [{ name: "admin" }] });
  const responses = await Promise.all([root, ada].map(({ id }) => admin("PUT", `users/${id}/disable`)));
  // The second one is refused: as the last administrator, or as no longer being one.
  expect(responses.some(({ status }) => status === 200)).toBe(true);
  const left = await app.gateway.database.pool.query("select username from users where not locked");
  expect(left.rows).toHaveLength(1);
});

it("ends sessions and keys of a locked or deleted user immediately on every gateway, and removes lost roles from keys", async () => {
  const app = await administrationApp();
  const other = await administrationApp(app);
  const created = await app.gateway.call<{ key: string }>("POST", "/apiKeys", {
    token: app.ada,
    body: { name: "mine", datasets: [{ datasetCategory: "Sea", datasetId: "tides" }] },
  });
  const { key } = created.body;
  expect(await other.rolesOfKey(key)).toEqual(["reader"]);
  await app.admin("PUT", "groups", { id: await idOf(app, "groups", "Readers"), name: "Readers", realmRoles: [] });
  await expect.poll(() => other.rolesOfKey(key)).toEqual([]);

  const { id } = await userNamed(app, "ada");
  await app.admin("PUT", `users/${id}/disable`);
  await expect.poll(() => other.rolesOfKey(key)).toBeUndefined();
  await app.admin("PUT", `users/${id}/unlock`);
  await expect.poll(() => other.rolesOfKey(key)).toEqual([]);

  expect((await app.admin("DELETE", `users/${id}`)).status).toBe(204);
  await expect.poll(() => other.rolesOfKey(key)).toBeUndefined();
  expect(await app.gateway.statusOf(app.ada)).toBe(401);
  const { rows } = await app.gateway.database.pool.query(
    "select from sessions where user_id = $1 union all select from api_keys where user_id = $1",
    [id],
  );
  expect(rows).toEqual([]);
});

it("imports users by name, without passwords in revisions", async () => {
  const app = await administrationApp();
  const { admin } = app;
  const entities = [
    { username: "ada", firstName: "Augusta", groups: [{ name: "Readers" }] },
    { username: "grace", password: { setPassword: true, value: "nanoseconds" } },
    { username: "Grace" },
  ];
  const preview = (await admin<ImportPreview>("POST", "users/import/preview", { entities: entities.slice(0, 2), isReplace: false })).body;
  expect(preview).toEqual({ added: ["grace"], changed: ["ada"], unchanged: [], removed: [], refused: [] });
  expect((await admin("PUT", "users/import", { entities, isReplace: false })).body.errors[0]).toMatchObject({
    code: "name-taken",
    path: "entities.2",
  });
  await admin("PUT", "users/import", { entities: entities.slice(0, 2), isReplace: false });
  const grace = await userNamed(app, "grace");
  const revisions = (await admin<Revision[]>("GET", `users/${grace.id}/revisions`)).body;
  const details = (await admin<RevisionDetails>("GET", `users/${grace.id}/revisions/${revisions[0]?.revision}`)).body;
  expect(details).toMatchObject({ by: "root", action: "import", before: null, after: { username: "grace" } });
  expect(JSON.stringify(details)).not.toMatch(/nanoseconds|argon2/);
});

it("records a user's own profile change as a revision, and refuses an outdated edit with the username", async () => {
  const app = await administrationApp();
  const { admin, gateway } = app;
  const before = await userNamed(app, "ada");
  const body = { email: "ada@example.org", firstName: "Augusta", lastName: "King" };
  for (const _ of [1, 2]) expect((await gateway.call("PUT", "/profile", { token: app.ada, body })).status).toBe(200);
  // The second changed nothing.
  const revisions = (await admin<Revision[]>("GET", `users/${before.id}/revisions`)).body;
  expect(revisions.map(({ action, by }) => [action, by])).toEqual([["profile", "ada"]]);
  const details = (await admin<RevisionDetails>("GET", `users/${before.id}/revisions/${revisions[0]?.revision}`)).body;
  expect([details.before?.["firstName"], details.after?.["firstName"], details.after?.["version"]]).toEqual(["Ada", "Augusta", 2]);
  const stale = await admin("PUT", "users", { id: before.id, username: "ada", version: 1 });
  expect([stale.status, stale.body.errors[0]?.message]).toEqual([
    409,
    "'ada' was changed by someone else since version 1; the newest is 2.",
  ]);
});

it("lists users for more concurrent calls than the database has connections", async () => {
  const { admin, gateway } = await administrationApp();
  const lists = await Promise.all(Array.from({ length: 2 * gateway.database.pool.maxConnections }, () => admin("GET", "users")));
  expect(new Set(lists.map(({ status }) => status))).toEqual(new Set([200]));
});

it("refuses a change with 503 when it waits too long for the lock", async () => {
  const patient = await administrationApp();
  const { admin, gateway } = await administrationApp(patient, {}, { changeWaitMs: 100 });
  const client = await gateway.database.pool.connect();
  try {
    await client.query("begin; select pg_advisory_xact_lock(7102020)");
    const response = await admin("POST", "roles", { name: "pilot" });
    expect([response.status, response.body.errors[0]?.code]).toEqual([503, "not-ready"]);
  } finally {
    await client.query("rollback");
    client.release();
  }
  expect((await patient.admin("POST", "roles", { name: "pilot" })).status).toBe(201);
}, 30_000);
