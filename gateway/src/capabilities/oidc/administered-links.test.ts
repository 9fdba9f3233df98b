import type { ProviderLink } from "@fairway/contract/accounts";
import type { LoginAnswer } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import { describe, expect, it } from "vitest";
import { adasPassword, rootsAccount } from "#testing/identity-app.ts";
import { testProvider } from "#testing/identity-provider.ts";
import { oidcApp } from "#testing/oidc-app.ts";

type Linked = ProviderLink & ErrorBody;

const marie = { preferred_username: "marie", given_name: "Marie", family_name: "Curie", roles: ["editor"], groups: ["readers"] };

async function open() {
  const provider = await testProvider();
  provider.people.set("sub-1", marie);
  const app = await oidcApp(provider, {
    details: { takeRoles: true, takeGroups: true },
    administration: true,
  });
  const logIn = async (username: string, password: string) =>
    (await app.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } })).body.token.access_token;
  const root = await logIn("root", rootsAccount.password);
  const idOf = async (username: string) =>
    (await app.database.pool.query<{ id: string }>("select id from users where username = $1", [username])).rows[0]?.id ?? "";
  const call = <Body = Linked>(method: "GET" | "PUT" | "DELETE", id: string, body?: unknown) =>
    app.call<Body>(method, `/admin/users/${id}/providerLink`, { token: root, ...(body === undefined ? {} : { body }) });
  const listed = async (username: string) =>
    (await app.call<Record<string, unknown>[]>("GET", "/admin/users", { token: root })).body.find((user) => user["username"] === username);
  return { provider, app, root, idOf, call, listed, logIn };
}

describe("administrators", () => {
  it("see whom an account is linked to, and which roles and groups the person has by the claims", async () => {
    const { provider, app, call, idOf, listed } = await open();
    await app.signInAs("sub-1");
    expect((await call("GET", await idOf("marie"))).body).toEqual({
      issuer: provider.url,
      subject: "sub-1",
      linkedTimestamp: expect.stringMatching(/^\d{4}-.+Z$/) as unknown,
      madeAccount: true,
    });
    const named = (name: string) => [{ id: expect.any(String) as unknown, name }];
    expect(await listed("marie")).toMatchObject({
      groups: [],
      roles: [],
      provider: { madeAccount: true, groups: named("readers"), roles: named("editor") },
    });
    expect(await listed("ada")).not.toHaveProperty("provider");
    expect(await call("GET", await idOf("ada"))).toMatchObject({ status: 200, body: null });
    expect((await call("GET", "nobody")).status).toBe(404);
  });

  it("see the subject of a link that is older than its storage after the next sign-in", async () => {
    const { app, call, idOf } = await open();
    await app.signInAs("sub-1");
    await app.database.pool.query("update provider_links set subject = null");
    expect((await call("GET", await idOf("marie"))).body).toMatchObject({ subject: null });
    await app.signInAs("sub-1");
    expect((await call("GET", await idOf("marie"))).body).toMatchObject({ subject: "sub-1" });
  });

  it("link an account by the subject before the first sign-in, which then finds it", async () => {
    const { provider, app, call, idOf } = await open();
    const ada = await idOf("ada");
    const linked = await call("PUT", ada, { subject: "sub-1" });
    expect(linked).toMatchObject({ status: 200, body: { issuer: provider.url, subject: "sub-1", madeAccount: false } });
    expect((await call("PUT", ada, { subject: "sub-1" })).status).toBe(200);
    const { access_token: token } = await app.signInAs("sub-1");
    expect((await app.call("GET", "/profile", { token })).body).toMatchObject({ username: "ada", firstName: "Ada" });
    const { rows } = await app.database.pool.query("select kind, subject, by from security_events order by id");
    expect(rows).toEqual([{ kind: "provider-linked", subject: "Harbour ID", by: "root" }]);
  });

  it("cannot link a person or an account twice", async () => {
    const { app, call, idOf } = await open();
    await app.signInAs("sub-1");
    const refused = (message: string) => ({ status: 409, body: { errors: [{ code: "conflict", message, path: "subject" }] } });
    expect(await call("PUT", await idOf("ada"), { subject: "sub-1" })).toMatchObject(
      refused("This person at Harbour ID is linked to the user 'marie'."),
    );
    expect(await call("GET", await idOf("ada"))).toMatchObject({ body: null });
    expect(await call("PUT", await idOf("marie"), { subject: "sub-2" })).toMatchObject(
      refused("This user is linked to another person at Harbour ID. Unlink that one first."),
    );
    for (const subject of ["", "a\0b", 7, "s".repeat(501)]) expect((await call("PUT", await idOf("grace"), { subject })).status).toBe(400);
    expect((await call("PUT", "nobody", { subject: "sub-3" })).status).toBe(404);
  });

  it("link one person to one account, even at the same time", async () => {
    const { call, idOf } = await open();
    const statuses = await Promise.all(
      ["ada", "grace"].map(async (name) => (await call("PUT", await idOf(name), { subject: "sub-9" })).status),
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  it("replace the link to an issuer that is no longer configured, whose sessions end", async () => {
    const { app, call, idOf, root } = await open();
    const before = await app.signInAs("sub-1");
    const next = await testProvider();
    next.people.set("sub-1", { ...marie, roles: [] });
    const nextApp = await oidcApp(next, { peer: app, administration: true });
    const id = await idOf("marie");
    const path = `/admin/users/${id}/providerLink`;
    expect((await nextApp.call("PUT", path, { token: root, body: { subject: "sub-1" } })).status).toBe(200);
    expect((await call("GET", id)).body).toMatchObject({ issuer: next.url, madeAccount: true });
    expect(await nextApp.statusOf(before.access_token)).toBe(401);
    const { access_token: token } = await nextApp.signInAs("sub-1");
    expect((await nextApp.call("GET", "/profile", { token })).body).toMatchObject({ username: "marie" });
  });

  it("unlink an account, which ends what was started at the provider and takes its roles away", async () => {
    const { app, call, idOf, listed, logIn } = await open();
    const ada = await idOf("ada");
    await call("PUT", ada, { subject: "sub-1" });
    const [local, there] = [await logIn("ada", adasPassword), await app.signInAs("sub-1")];
    expect((await call("DELETE", ada)).status).toBe(204);
    expect([await app.statusOf(local), await app.statusOf(there.access_token)]).toEqual([200, 401]);
    expect(await listed("ada")).not.toHaveProperty("provider");
    expect((await app.database.pool.query("select from provider_roles")).rowCount).toBe(0);
    expect((await call("DELETE", ada)).status).toBe(404);
    const { rows } = await app.database.pool.query("select kind, by from security_events order by id desc limit 1");
    expect(rows).toEqual([{ kind: "provider-unlinked", by: "root" }]);
  });

  it("cannot unlink an account without a password before they set one", async () => {
    const { app, call, idOf, listed, root } = await open();
    await app.signInAs("sub-1");
    const id = await idOf("marie");
    expect(await call("DELETE", id)).toMatchObject({
      status: 409,
      body: { errors: [{ message: "This account has no password, so nobody could sign in to it. Set a password first." }] },
    });
    // The answer can be sent back as a draft.
    const draft = { ...(await listed("marie")), password: { setPassword: true, value: "a new password" } };
    expect((await app.call("PUT", "/admin/users", { token: root, body: draft })).status).toBe(200);
    expect((await app.call("GET", `/admin/users/${id}/roles`, { token: root })).body).toMatchObject([
      { name: "editor" },
      { name: "reader" },
    ]);
    expect((await call("DELETE", id)).status).toBe(204);
  });
});

it("links are for administrators only", async () => {
  const { app, idOf, logIn } = await open();
  const token = await logIn("ada", adasPassword);
  const path = `/admin/users/${await idOf("ada")}/providerLink`;
  for (const [method, body] of [
    ["GET", undefined],
    ["PUT", { subject: "sub-1" }],
    ["DELETE", undefined],
  ] as const) {
    expect((await app.call(method, path, { token, ...(body ? { body } : {}) })).status).toBe(403);
  }
});
