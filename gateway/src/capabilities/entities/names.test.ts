import type { Entity } from "@fairway/contract/entities";
import { expect, it } from "vitest";
import { administrationApp } from "#testing/administration-app.ts";
import { buildDataset } from "#testing/dataset-app.ts";

const refusal = (path: string, message: string) => ({ errors: [expect.objectContaining({ path, message: `'${path}': ${message}` })] });
const invisible = "must not contain invisible characters";

it("refuses usernames with invisible or control characters, direction marks or slashes, and look-alikes of others", async () => {
  const { admin } = await administrationApp();
  for (const [username, problem] of [
    ["admin\u200b", invisible],
    ["ad\u00admin", invisible],
    ["\u200b\u200b", "is blank"],
    ["admin\u202e", "must not contain marks that change the reading direction"],
    ["root\r\nx", "must not contain control characters"],
    ["..", "must not contain '/' or consist only of dots"],
    ["a/b", "must not contain '/' or consist only of dots"],
  ] as const) {
    expect(await admin("POST", "users", { username })).toMatchObject({ status: 400, body: refusal("username", problem) });
  }
  for (const username of ["аda", "ＡＤＡ", " ada ", "rооt"]) {
    const response = await admin("POST", "users", { username });
    expect(response).toMatchObject({ status: 409, body: { errors: [{ code: "name-taken", path: "username" }] } });
    expect(response.body.errors[0]?.message).toContain(username === "rооt" ? "'root'" : "'ada'");
  }
  const twins = [{ username: "bob" }, { username: "bоb" }];
  expect(await admin("PUT", "users/import", { entities: twins, isReplace: false })).toMatchObject({
    status: 409,
    body: { errors: [{ path: "entities.1.username" }] },
  });
  expect((await admin<Entity>("POST", "users", { username: " Zoe\u0308 " })).body["username"]).toBe("Zoë");
});

it("normalizes and validates new names of groups and roles", async () => {
  const { admin } = await administrationApp();
  for (const type of ["groups", "roles"]) {
    expect(await admin("POST", type, { name: "a\u200bb" })).toMatchObject({ status: 400, body: refusal("name", invisible) });
    expect((await admin("POST", type, { name: "\u00a0" })).status).toBe(400);
    expect((await admin<Entity>("POST", type, { name: " Cafe\u0301 " })).body["name"]).toBe("Café");
  }
});

it("normalizes and validates new names of stored types, also within external datasets and in imports", async () => {
  const { admin } = await administrationApp();
  const torch = (name: string) => ({ name, baseUrl: "https://torch.example.org" });
  const api = (name: string) => ({ name, path: "/a", method: 0 });
  const external = (name: string) => ({ name: "almanac", baseRoute: "https://upstream.example.org", apis: [api("a"), api(name)] });
  for (const [type, draft, body] of [
    ["torch-service", torch("a\u200bb"), refusal("name", invisible)],
    ["torch-service", torch("  "), { errors: [{ path: "name" }] }],
    ["torch-service", torch("\u00a0"), { errors: [{ path: "name" }] }],
    ["datasets/internal", buildDataset({ id: "d", category: "a\u202eb" }), { errors: [{ path: "category" }] }],
    ["datasets/external", external("b\u00ad"), refusal("apis.1.name", invisible)],
    ["docs", { id: "d", name: "a\u2066", category: "c" }, { errors: [{ path: "name" }] }],
  ] as const) {
    expect([type, await admin("POST", type, draft)]).toMatchObject([type, { status: 400, body }]);
  }
  expect((await admin<Entity>("POST", "torch-service", torch(" cafe\u0301 "))).body["name"]).toBe("café");
  expect((await admin("POST", "torch-service", torch("café "))).status).toBe(409);
  expect((await admin<Entity>("PUT", "torch-service", { ...torch("cafe\u0301"), enabled: false })).body).toMatchObject({
    name: "café",
    enabled: false,
  });
  expect((await admin("PUT", "torch-service/import", { entities: [torch("b\u200b")], isReplace: false })).status).toBe(400);
});

it("keeps names from before these rules working: they can be read, edited, deleted and signed in with", async () => {
  const { admin, gateway, signIn } = await administrationApp();
  const [id, username] = ["a\u200bb ", "ada\u200b\u202e"];
  const { pool } = gateway.database;
  await pool.query("insert into entities (type, id, enabled, body) values ('torch-service', $1, true, $2)", [
    id,
    JSON.stringify({ name: id, baseUrl: "https://torch.example.org" }),
  ]);
  await pool.query("update users set username = $1, username_key = $1, email = E'x\\r\\ny' where username = 'ada'", [username]);
  await pool.query("update groups set name = E'Readers\\u00ad' where name = 'Readers'");

  const [torch] = (await admin<Entity[]>("GET", "torch-service")).body;
  expect(torch).toMatchObject({ name: id, warnings: [{ code: "unclear-name", path: "name" }, { code: "unclear-name" }] });
  expect(await admin("PUT", "torch-service", { ...torch, baseUrl: "https://other.example.org" })).toMatchObject({
    status: 200,
    body: { name: id },
  });
  expect((await admin("PUT", "torch-service/import", { entities: [torch], isReplace: true })).status).toBe(200);
  expect((await admin("DELETE", `torch-service/${encodeURIComponent(id)}`)).status).toBe(204);

  expect((await signIn(username, "correct horse")).status).toBe(200);
  const ada = (await admin<Entity[]>("GET", "users")).body.find((user) => user["username"] === username);
  expect(await admin("PUT", "users", { ...ada, firstName: "Augusta" })).toMatchObject({
    status: 200,
    body: { username, firstName: "Augusta", email: "x\r\ny" },
  });
  expect(ada?.warnings?.[0]?.message).toBe(
    "This name must not contain marks that change the reading direction. It was saved before that rule and still works, but people may confuse it with another name.",
  );
  expect((await admin("PUT", "users", { ...ada, version: undefined, email: "x\r\nz" })).status).toBe(400);
  const readers = (await admin<Entity[]>("GET", "groups")).body.find((group) => String(group["name"]).startsWith("Readers"));
  expect(await admin("PUT", "groups", { ...readers, realmRoles: [] })).toMatchObject({ status: 200, body: { name: "Readers\u00ad" } });
  expect((await admin("DELETE", `users/${String(ada?.["id"])}`)).status).toBe(204);
});

it("warns administrators of look-alike usernames from before they were checked", async () => {
  const { admin, gateway, root } = await administrationApp();
  const similarOf = (user: Entity) => (user.warnings ?? []).filter(({ code }) => code === "similar-name").map(({ message }) => message);
  const listed = async () => {
    const users = (await admin<Entity[]>("GET", "users")).body;
    return Object.fromEntries(users.map((user) => [String(user["username"]), similarOf(user)]));
  };
  expect((await admin("POST", "users", { username: "mary" })).status).toBe(201);
  expect((await admin("POST", "users", { username: "rnary" })).status).toBe(201);
  expect(Object.values(await listed()).flat()).toEqual([]);
  const before = "insert into users (id, username, username_key) values ($1, $1, $1)";
  for (const username of ["rооt", "anne", "änne", "root\u200b"]) await gateway.database.pool.query(before, [username]);
  const looksLike = (...others: string[]) => [
    `This username looks like ${others.map((name) => `'${name}'`).join(", ")}. It works, but people may confuse the two.`,
  ];
  expect(await listed()).toMatchObject({
    root: looksLike("root\u200b", "rооt"),
    rооt: looksLike("root\u200b", "root"),
    "root\u200b": looksLike("rооt", "root"),
    anne: [],
    änne: [],
    mary: [],
    rnary: [],
  });
  const { body } = await gateway.call<Entity>("GET", "/admin/users/r%D0%BE%D0%BEt/current", { token: root });
  expect(similarOf(body)).toHaveLength(1);
});
