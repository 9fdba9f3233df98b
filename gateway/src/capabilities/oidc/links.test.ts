import type { LoginAnswer } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import type { OidcLink, OidcRequest } from "@fairway/contract/oidc";
import { describe, expect, it } from "vitest";
import { portalOrigin } from "#testing/card-issuer.ts";
import { adasPassword } from "#testing/identity-app.ts";
import { type TestProvider, testProvider } from "#testing/identity-provider.ts";
import { type OidcApp, type ProviderReturn, oidcApp } from "#testing/oidc-app.ts";

const adaThere = { preferred_username: "ada", given_name: "Augusta", family_name: "King", email: "king@example.org", roles: ["admin"] };

async function open() {
  const provider = await testProvider();
  provider.people.set("sub-ada", adaThere);
  const app = await oidcApp(provider, { environment: { OIDC_ROLE_MAPPING: '{"admin":"admin"}' } });
  return { provider, app, token: await logIn(app, "ada", adasPassword) };
}

const logIn = async (app: OidcApp, username: string, password: string) =>
  (await app.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } })).body.token.access_token;

async function linkReturn(app: OidcApp, provider: TestProvider, token: string, subject: string): Promise<ProviderReturn> {
  const { status, body } = await app.call<OidcRequest>("POST", "/oidc/link/requests", { token });
  expect(status).toBe(200);
  expect(new URL(body.address).searchParams.get("redirect_uri")).toBe(`${portalOrigin}/sign-in-methods`);
  const { code = "", state = "", iss = "" } = Object.fromEntries((await provider.signIn(body.address, subject)).searchParams);
  return { request: body.request, code, state, iss };
}

const link = async (app: OidcApp, provider: TestProvider, token: string, subject: string) =>
  app.call<OidcLink & Partial<ErrorBody>>("POST", "/oidc/link", { token, body: await linkReturn(app, provider, token, subject) });

describe("a linked account", () => {
  it("keeps name, email and password, and gets the person's roles until it is unlinked", async () => {
    const { provider, app, token } = await open();
    expect((await app.providerLogin(await app.returnOf("sub-ada"))).status).toBe(409);
    expect((await app.call("GET", "/oidc/link", { token })).body).toEqual({ linked: false, linkedTimestamp: null });
    const linked = await link(app, provider, token, "sub-ada");
    expect(linked).toMatchObject({ status: 200, body: { linked: true, linkedTimestamp: expect.stringMatching(/^\d{4}-.+Z$/) as unknown } });
    const there = await app.signInAs("sub-ada");
    expect((await app.call("GET", "/profile", { token: there.access_token })).body).toEqual({
      username: "ada",
      firstName: "Ada",
      lastName: "Lovelace",
      email: "ada@example.org",
      roles: ["admin", "editor", "reader"],
    });
    expect(await app.rolesOf(token)).toContain("admin");
    await logIn(app, "ada", adasPassword);

    const elsewhere = await app.signInAs("sub-ada");
    expect((await app.call("DELETE", "/oidc/link", { token: there.access_token })).status).toBe(204);
    expect(await app.statusOf(elsewhere.access_token)).toBe(401);
    expect(await app.rolesOf(there.access_token)).toEqual(["editor", "reader"]);
    // The session no longer depends on the provider.
    provider.people.delete("sub-ada");
    expect((await app.call("POST", "/auth/refresh", { body: { refreshToken: there.refresh_token } })).status).toBe(200);
    expect((await app.database.pool.query("select kind, subject from security_events order by id")).rows).toEqual([
      { kind: "provider-linked", subject: "Harbour ID" },
      { kind: "provider-unlinked", subject: "Harbour ID" },
    ]);
  });

  it("belongs to one person, and a person to one account", async () => {
    const { provider, app, token } = await open();
    provider.people.set("sub-2", { preferred_username: "second" });
    await app.signInAs("sub-2");
    expect(await link(app, provider, token, "sub-2")).toMatchObject({
      status: 409,
      body: { errors: [{ message: "Your account at Harbour ID is linked to another account here." }] },
    });
    expect((await link(app, provider, token, "sub-ada")).status).toBe(200);
    expect((await link(app, provider, token, "sub-ada")).status).toBe(200);
    provider.people.set("sub-3", { preferred_username: "third" });
    expect(await link(app, provider, token, "sub-3")).toMatchObject({
      status: 409,
      body: { errors: [{ message: "Another account at Harbour ID is linked to your account. Unlink it first." }] },
    });
  });

  it("that the provider made cannot be unlinked, because nobody could sign in to it", async () => {
    const { provider, app } = await open();
    provider.people.set("sub-2", { preferred_username: "second" });
    const { access_token: token } = await app.signInAs("sub-2");
    expect((await app.call("DELETE", "/oidc/link", { token })).status).toBe(409);
    expect((await app.call("GET", "/oidc/link", { token })).body).toMatchObject({ linked: true });
  });
});

describe("linking", () => {
  it("takes only a response that the same user requested for it, and a sign-in takes none of these", async () => {
    const { provider, app, token } = await open();
    const grace = await logIn(app, "grace", "nanoseconds");
    const ofAda = await linkReturn(app, provider, token, "sub-ada");
    for (const body of [ofAda, await app.returnOf("sub-ada")]) {
      expect(await app.call("POST", "/oidc/link", { token: grace, body })).toMatchObject({
        status: 400,
        body: { errors: [{ code: "invalid-value", path: "code" }] },
      });
    }
    expect((await app.providerLogin(ofAda)).status).toBe(401);
    expect((await app.call("POST", "/oidc/link", { token, body: ofAda })).status).toBe(200);
  });

  it("and unlinking need a recent sign-in", async () => {
    const { app, token } = await open();
    await app.database.pool.query("update sessions set signed_in_at = now() - interval '11 minutes'");
    await app.identity.everyoneChanged();
    for (const [method, path] of [
      ["POST", "/oidc/link/requests"],
      ["DELETE", "/oidc/link"],
    ] as const) {
      expect(await app.call(method, path, { token })).toMatchObject({ status: 401, body: { errors: [{ code: "sign-in-again" }] } });
    }
  });
});

describe("a sign-out", () => {
  it("ends the session here, then leads to the provider, which ends its own and leads back to Login", async () => {
    const { provider, app } = await open();
    provider.people.set("sub-2", { preferred_username: "second" });
    const browser = new Map<string, string>();
    const { body } = await app.providerLogin(await app.returnOf("sub-2", { browser }));
    const refreshToken = body.token.refresh_token;
    const { body: answer } = await app.call<{ address: string }>("POST", "/oidc/logout", { body: { refreshToken } });
    expect(await app.statusOf(body.token.access_token)).toBe(401);
    const address = new URL(answer.address);
    expect(address.origin).toBe(provider.url);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: "fairway",
      post_logout_redirect_uri: `${portalOrigin}/login`,
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as unknown,
    });
    expect((await app.call("POST", "/oidc/logout", { body: { refreshToken } })).body).toEqual({ address: null });
    const cookie = [...browser].map(([name, value]) => `${name}=${value}`).join("; ");
    const page = await (await fetch(address, { headers: { cookie } })).text();
    expect(page).toContain("logout");
  });

  it("of a local session leads nowhere, and one without the provider ends the session all the same", async () => {
    const { provider, app } = await open();
    const { body } = await app.call<LoginAnswer>("POST", "/auth/login", { body: { username: "grace", password: "nanoseconds" } });
    const local = { refreshToken: body.token.refresh_token };
    expect((await app.call("POST", "/oidc/logout", { body: local })).body).toEqual({ address: null });
    expect((await app.call("POST", "/auth/refresh", { body: local })).status).toBe(200);
    provider.people.set("sub-2", { preferred_username: "second" });
    const { refresh_token: refreshToken, access_token } = await app.signInAs("sub-2");
    const peer = await oidcApp(provider, { peer: app });
    provider.intercept = (_request, response) => Boolean(response.destroy());
    expect((await peer.call("POST", "/oidc/logout", { body: { refreshToken } })).body).toEqual({ address: null });
    expect(await app.statusOf(access_token)).toBe(401);
  });
});
