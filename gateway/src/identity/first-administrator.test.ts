import type { LoginAnswer } from "@fairway/contract/auth";
import { describe, expect, it } from "vitest";
import { identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";

const setUp = (gateway: IdentityApp, setupToken: string, username = "root", password = "first of all") =>
  gateway.call("POST", "/setup", { body: { setupToken, username, password } });
const rolesOf = async (gateway: IdentityApp, username: string, password: string) => {
  const { body } = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } });
  return (await gateway.call<{ roles: string[] }>("GET", "/probe/me", { token: body.token.access_token })).body.roles;
};
const tokenOf = async (gateway: IdentityApp) => {
  const setup = await gateway.identity.ensureFirstAdministrator(undefined);
  expect(setup).toBeDefined();
  return setup?.setupToken ?? "";
};

describe("ensureFirstAdministrator", () => {
  it("creates the configured administrator once", async () => {
    const gateway = await identityApp();
    expect(await gateway.identity.ensureFirstAdministrator({ username: "root", password: "first of all" })).toBeUndefined();
    expect(await rolesOf(gateway, "root", "first of all")).toEqual(["admin"]);
    expect(await gateway.identity.ensureFirstAdministrator({ username: "second", password: "too late" })).toBeUndefined();
    expect((await gateway.call("POST", "/auth/login", { body: { username: "second", password: "too late" } })).status).toBe(401);
  });

  it("creates one administrator when several gateways start at the same time", async () => {
    const gateway = await identityApp();
    const peer = await identityApp({ peer: gateway });
    const named = (index: number) => ({ username: `root${index % 2}`, password: "first of all" });
    await Promise.all([gateway, peer, gateway, peer].map(({ identity }, index) => identity.ensureFirstAdministrator(named(index))));
    expect((await gateway.database.pool.query("select from users")).rowCount).toBe(1);
  });

  it("returns no setup token if a user exists", async () => {
    const gateway = await identityApp({ accounts: someAccounts });
    expect(await gateway.identity.ensureFirstAdministrator(undefined)).toBeUndefined();
  });

  it("refuses a configured administrator whose password is too short", async () => {
    const gateway = await identityApp();
    await expect(gateway.identity.ensureFirstAdministrator({ username: "root", password: "ab" })).rejects.toThrow(
      "A password needs at least 3 characters.",
    );
  });
});

describe("POST /setup", () => {
  it("creates the administrator with the setup token, which is not stored", async () => {
    const gateway = await identityApp();
    const token = await tokenOf(gateway);
    const stored = JSON.stringify((await gateway.database.pool.query("select * from setup_tokens")).rows);
    expect(stored).not.toContain(token);
    expect(await setUp(gateway, token)).toMatchObject({ status: 204, body: undefined });
    expect(await rolesOf(gateway, "root", "first of all")).toEqual(["admin"]);
    expect(gateway.logged()).not.toContain(token);
  });

  it("answers 404 if a user exists, with any token", async () => {
    const gateway = await identityApp();
    const token = await tokenOf(gateway);
    await setUp(gateway, token);
    for (const setupToken of [token, "wrong"]) expect(await setUp(gateway, setupToken, "second")).toMatchObject({ status: 404 });
    expect((await gateway.database.pool.query("select from users")).rowCount).toBe(1);
  });

  it("refuses a wrong token, a token of an earlier start and one older than 24 hours with 403", async () => {
    const gateway = await identityApp();
    const earlier = await tokenOf(gateway);
    const token = await tokenOf(gateway);
    expect(await setUp(gateway, "wrong")).toMatchObject({ status: 403, body: { errors: [{ code: "forbidden", path: "setupToken" }] } });
    expect((await setUp(gateway, earlier)).status).toBe(403);
    await gateway.database.pool.query("update setup_tokens set expires_at = expires_at - interval '24 hours'");
    expect((await setUp(gateway, token)).status).toBe(403);
    expect((await gateway.database.pool.query("select from users")).rowCount).toBe(0);
  });

  it("does not consume the token on a draft that is refused with 400", async () => {
    const gateway = await identityApp();
    const token = await tokenOf(gateway);
    const refused = await setUp(gateway, token, "root", "ab");
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "password" }] } });
    for (const username of ["", " a ", "r\0ot", "x".repeat(101)]) {
      expect(await setUp(gateway, token, username)).toMatchObject({ status: 400, body: { errors: [{ path: "username" }] } });
    }
    expect((await setUp(gateway, token)).status).toBe(204);
  });

  it("creates only one administrator for concurrent calls", async () => {
    const gateway = await identityApp();
    const peer = await identityApp({ peer: gateway });
    const token = await tokenOf(gateway);
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => setUp(index % 2 ? gateway : peer, token, `root${index}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404, 404, 404]);
    expect((await gateway.database.pool.query("select from users")).rowCount).toBe(1);
  });
});
