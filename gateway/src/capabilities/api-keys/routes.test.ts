import type { ApiKey } from "@fairway/contract/api-keys";
import type { LoginAnswer } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import { describe, expect, it } from "vitest";
import { adasPassword, identityApp, someAccounts } from "#testing/identity-app.ts";

const storms = { datasetCategory: "nature", datasetId: "storms" };
const quakes = { datasetCategory: "nature", datasetId: "quakes" };
const plans = { datasetCategory: "secret", datasetId: "plans" };
const path = "/apiKeys";

/** Signs in Ada and Grace. Only readers, such as Ada, may use the category `secret`; there are two filesets and an ecosystem. */
async function open() {
  const gateway = await identityApp({
    accounts: someAccounts,
    limits: { apiKeysPerUser: 5 },
    reachable: {
      dataset: async (user, { datasetCategory }) =>
        datasetCategory === "nature" || (datasetCategory === "secret" && user.roles.includes("reader")),
      fileset: async (_, id) => ["maps", "reports"].includes(id),
      ecosystem: async (_, name) => name === "reef",
    },
  });
  const signedInAs = async (username: string, password: string) => {
    const { body } = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } });
    const token = body.token.access_token;
    return {
      list: async () => (await gateway.call<ApiKey[]>("GET", path, { token })).body,
      create: (draft: unknown) => gateway.call<ApiKey & ErrorBody>("POST", path, { token, body: draft }),
      edit: (draft: unknown) => gateway.call<ApiKey & ErrorBody>("PUT", path, { token, body: draft }),
      remove: (name: string) => gateway.call("DELETE", `${path}/${encodeURIComponent(name)}`, { token }),
      rotate: (name: string) => gateway.call<ApiKey & ErrorBody>("POST", `${path}/${encodeURIComponent(name)}/rotate`, { token }),
    };
  };
  return { gateway, ada: await signedInAs("ada", adasPassword), grace: await signedInAs("grace", "nanoseconds") };
}

const draft = (name: unknown, overrides: object = {}) => ({ name, datasets: [storms], filesetIds: [], ecosystemNames: [], ...overrides });

describe("API keys", () => {
  it("[KEYS-07] [KEYS-09] are created with name, datasets, filesets and ecosystems, and listed with their scope", async () => {
    const { ada } = await open();
    expect(await ada.list()).toEqual([]);
    const before = Date.now();
    const created = await ada.create(draft("Nightly", { filesetIds: ["maps"], ecosystemNames: ["reef"] }));
    expect(created.status).toBe(201);
    expect(created.body.key).toMatch(/^fwk_[\w-]{43}$/);
    const [listed] = await ada.list();
    expect(listed).toEqual({
      id: created.body.id,
      name: "Nightly",
      key: `fwk_…${created.body.key.slice(-4)}`,
      datasets: [storms],
      filesets: ["maps"],
      ecosystems: ["reef"],
      createdDateMs: expect.any(Number),
      lastUsedMs: null,
      expiresAtMs: null,
      previousKeyEndsMs: null,
      lost: { datasets: [], filesets: [], ecosystems: [] },
    });
    expect(Math.abs((listed?.createdDateMs ?? 0) - before)).toBeLessThan(60_000);
  });

  it("show their value once: it is in no list, edit, log line or table", async () => {
    const { gateway, ada } = await open();
    const value = (await ada.create(draft("Nightly"))).body.key;
    const secret = value.slice("fwk_".length);
    expect(JSON.stringify(await ada.list())).not.toContain(secret);
    expect(JSON.stringify((await ada.edit(draft("Nightly"))).body)).not.toContain(secret);
    expect(gateway.logged()).not.toContain(secret);
    const { rows } = await gateway.database.pool.query("select * from api_keys join api_key_values on key_id = id");
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(gateway.masterKey.decrypt(rows[0]?.value, `api-key:${rows[0]?.user_id}:${rows[0]?.id}`).toString()).toBe(value);
  });

  it("[KEYS-10] are edited by name in any case, keeping value, name and id", async () => {
    const { gateway, ada } = await open();
    const created = (await ada.create(draft("Nightly", { filesetIds: ["maps"] }))).body;
    await ada.create(draft("Other"));
    const values = async () => (await gateway.database.pool.query("select * from api_key_values order by hash")).rows;
    const before = await values();
    expect(await ada.edit(draft("NIGHTLY", { datasets: [quakes, plans], ecosystemNames: ["reef"] }))).toMatchObject({
      status: 200,
      body: { id: created.id, name: "Nightly", datasets: [quakes, plans], filesets: [], ecosystems: ["reef"] },
    });
    expect(await values()).toEqual(before);
    expect((await ada.list()).map(({ name, datasets }) => [name, datasets])).toEqual([
      ["Nightly", [quakes, plans]],
      ["Other", [storms]],
    ]);
    expect(await ada.edit(draft("Missing"))).toMatchObject({ status: 404, body: { errors: [{ code: "not-found" }] } });
  });

  it("require a sign-in within the last 10 minutes to be created or rotated, but not to be edited or deleted", async () => {
    const { gateway, ada: before } = await open();
    await before.create(draft("Nightly"));
    await gateway.database.pool.query("update sessions set signed_in_at = now() - interval '11 minutes'");
    await gateway.identity.everyoneChanged();
    const again = { status: 401, body: { errors: [{ code: "sign-in-again" }] } };
    expect(await before.create(draft("Other"))).toMatchObject(again);
    expect(await before.rotate("Nightly")).toMatchObject(again);
    expect((await before.list()).map(({ name }) => name)).toEqual(["Nightly"]);
    expect((await before.edit(draft("Nightly", { datasets: [quakes] }))).status).toBe(200);
    const fresh = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } });
    const token = fresh.body.token.access_token;
    expect((await gateway.call("POST", path, { token, body: draft("Other") })).status).toBe(201);
    expect((await gateway.call("POST", `${path}/Nightly/rotate`, { token })).status).toBe(200);
    expect((await before.remove("Nightly")).status).toBe(204);
  });

  it("[KEYS-11] are deleted one at a time by name", async () => {
    const { gateway, ada } = await open();
    for (const name of ["Nightly", "50% off? #1", "Ærø ☂ 🌀"]) await ada.create(draft(name));
    expect((await ada.remove("50% off? #1")).status).toBe(204);
    expect((await ada.remove("Ærø ☂ 🌀")).status).toBe(204);
    expect((await ada.list()).map(({ name }) => name)).toEqual(["Nightly"]);
    expect(await ada.remove("50% off? #1")).toMatchObject({ status: 404, body: { errors: [{ code: "not-found" }] } });
    expect((await gateway.database.pool.query("select from api_key_values")).rowCount).toBe(1);
  });

  it("[KEYS-15] have trimmed names that are unique in any case, also when created concurrently", async () => {
    const { ada, grace } = await open();
    const responses = await Promise.all(["Nightly", "NIGHTLY", "  nightly "].map((name) => ada.create(draft(name))));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect((await ada.create(draft("nightly"))).body).toEqual({
      errors: [{ code: "name-taken", message: "An API key with this name already exists.", path: "name" }],
    });
    expect((await grace.create(draft("nightly"))).status).toBe(201);
  });

  it("refuse names that are blank, too long, multi-line or invalid in a path", async () => {
    const { ada } = await open();
    for (const name of ["", "   ", "x".repeat(101), "a\nb", "a\0b", "a\ud800b", "a/b", ".", "..", 7, null]) {
      expect(await ada.create(draft(name))).toMatchObject({ status: 400, body: { errors: [{ path: "name" }] } });
    }
    expect(await ada.list()).toEqual([]);
  });

  it("accept a name of 100 characters", async () => {
    const { ada } = await open();
    expect((await ada.create(draft(` ${"x".repeat(100)} `))).body.name).toBe("x".repeat(100));
  });

  it("refuse an empty scope, anything the user may not use, and an expiry in the past, naming the field", async () => {
    const { ada } = await open();
    for (const [overrides, expectedPath] of [
      [{ datasets: [] }, "datasets"],
      [{ datasets: "all" }, "datasets"],
      [{ datasets: [storms, { ...storms, datasetId: 7 }] }, "datasets.1.datasetId"],
      [{ datasets: [storms, { datasetCategory: "nowhere", datasetId: "storms" }] }, "datasets.1"],
      [{ filesetIds: ["maps", "gone"] }, "filesetIds.1"],
      [{ ecosystemNames: ["tundra"] }, "ecosystemNames.0"],
      [{ expiresAtMs: 1 }, "expiresAtMs"],
      [{ expiresAtMs: "tomorrow" }, "expiresAtMs"],
      [{ expiresAtMs: 9e15 }, "expiresAtMs"],
    ] as const) {
      expect(await ada.create(draft("Nightly", overrides))).toMatchObject({ status: 400, body: { errors: [{ path: expectedPath }] } });
    }
    expect(await ada.list()).toEqual([]);
  });

  it("refuse fields that users may not set", async () => {
    const { ada } = await open();
    await ada.create(draft("Nightly"));
    const before = await ada.list();
    for (const overrides of [{ user_id: "2" }, { hash: "0" }, { roles: ["admin"] }]) {
      expect((await ada.create(draft("Other", overrides))).status).toBe(400);
      expect((await ada.edit(draft("Nightly", overrides))).status).toBe(400);
    }
    expect(await ada.list()).toEqual(before);
  });

  it("can be sent back as read; fields that the portal sets are ignored", async () => {
    const { ada } = await open();
    await ada.create(draft("Nightly", { datasets: [storms], filesetIds: ["maps"] }));
    const [read] = await ada.list();
    expect(read).toMatchObject({ datasets: [storms], filesets: ["maps"] });
    const portalFields = { id: "1", key: "fwk_mine", userId: "2", createdDateMs: 1, lastUsedMs: 1 };
    expect((await ada.edit({ ...read, ...portalFields })).body).toEqual(read);
    expect((await ada.edit({ ...read, filesetIds: [] })).body).toEqual({ ...read, filesets: [] });
    const { body: other } = await ada.create({ ...draft("Other"), ...portalFields });
    expect([other.id, other.key, other.createdDateMs]).not.toEqual(expect.arrayContaining(["1", "fwk_mine", 1]));
  });

  it("have an expiry that an edit can keep, change or remove", async () => {
    const { ada } = await open();
    const end = Date.now() + 86_400_000;
    expect((await ada.create(draft("Nightly", { expiresAtMs: end }))).body.expiresAtMs).toBe(end);
    expect((await ada.edit(draft("Nightly"))).body.expiresAtMs).toBe(end);
    expect((await ada.edit(draft("Nightly", { expiresAtMs: end + 1 }))).body.expiresAtMs).toBe(end + 1);
    expect((await ada.edit(draft("Nightly", { expiresAtMs: null }))).body.expiresAtMs).toBeNull();
  });

  it("list what their owner has lost access to, and can still be edited with it", async () => {
    const { gateway, ada } = await open();
    await ada.create(draft("Nightly", { datasets: [storms, plans] }));
    const { rows } = await gateway.database.pool.query("delete from user_groups returning user_id");
    await gateway.identity.userChanged(rows[0]?.user_id);
    expect(await ada.list()).toMatchObject([{ datasets: [storms, plans], lost: { datasets: [plans], filesets: [], ecosystems: [] } }]);
    expect((await ada.edit(draft("Nightly", { datasets: [plans, quakes] }))).status).toBe(200);
    expect((await ada.edit(draft("Nightly", { datasets: [quakes] }))).body.lost.datasets).toEqual([]);
    expect((await ada.edit(draft("Nightly", { datasets: [plans, quakes] }))).status).toBe(400);
  });

  it("may have fewer roles than their owner, and then reach what these open", async () => {
    const { ada } = await open();
    const refused = await ada.create(draft("Nightly", { datasets: [storms, plans], roles: ["editor"] }));
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ code: "invalid-value", message: "The roles of this key do not open the dataset 'plans' in 'secret'.", path: "datasets.1" }],
    ]);
    expect((await ada.create(draft("Nightly", { roles: ["admin"] }))).body.errors).toMatchObject([
      { message: "You do not have the role 'admin'.", path: "roles.0" },
    ]);
    const created = await ada.create(draft("Nightly", { datasets: [storms, plans], roles: ["reader", "reader"] }));
    expect([created.status, created.body.roles]).toEqual([201, ["reader"]]);
    // An edit by a client that knows nothing of roles does not give the key more of them.
    expect((await ada.edit(draft("Nightly", { datasets: [storms, plans] }))).body.roles).toEqual(["reader"]);
    const fewer = await ada.edit(draft("Nightly", { datasets: [storms, plans], roles: [] }));
    expect([fewer.body.roles, fewer.body.lost.datasets]).toEqual([[], [plans]]);
    expect((await ada.edit(draft("Nightly", { roles: null }))).body.roles).toBeUndefined();
  });

  it("[KEYS-26] are private: another user cannot see, change or delete them", async () => {
    const { ada, grace } = await open();
    await ada.create(draft("Nightly"));
    const before = await ada.list();
    expect(await grace.list()).toEqual([]);
    expect((await grace.edit(draft("Nightly", { datasets: [quakes] }))).status).toBe(404);
    expect((await grace.remove("Nightly")).status).toBe(404);
    expect((await grace.remove(before[0]?.id ?? "")).status).toBe(404);
    expect(await ada.list()).toEqual(before);
  });

  it("are limited per user, also when created concurrently", async () => {
    const { ada } = await open();
    const responses = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => ada.create(draft(`Key ${n}`))));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 201, 201, 409, 409]);
    expect(await ada.list()).toHaveLength(5);
  });

  it("[API-01] need a valid token", async () => {
    const { gateway } = await open();
    for (const [method, url, body] of [
      ["GET", path, undefined],
      ["POST", path, draft("x")],
      ["PUT", path, draft("x")],
      ["DELETE", `${path}/x`, undefined],
    ] as const) {
      expect((await gateway.call(method, url, { token: "nobody", ...(body ? { body } : {}) })).status).toBe(401);
    }
  });
});
