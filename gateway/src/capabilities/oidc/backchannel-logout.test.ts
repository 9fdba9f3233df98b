import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { type ForgingProvider, type TestKey, forgingProvider, signJwt, testKeys, tokenResponse } from "#testing/forging-provider.ts";
import { type OidcApp, oidcApp } from "#testing/oidc-app.ts";

type Json = Readonly<Record<string, unknown>>;

async function open(options?: Parameters<typeof oidcApp>[1]) {
  const provider = await forgingProvider();
  return { provider, app: await oidcApp(provider, options) };
}

/** Signs in as a person, with a session at the provider, and returns the access token. */
async function signIn({ provider, app }: { provider: ForgingProvider; app: OidcApp }, sub: string, sid?: string): Promise<string> {
  const claims = { sub, sid, preferred_username: sub };
  provider.tokens = (nonce) => tokenResponse(provider.signed(provider.claims(nonce, claims)), { refresh_token: "refresh" });
  return (await app.signInAs(sub)).access_token;
}

/** Over a real connection, because the body is read as a stream. */
async function post({ app }: OidcApp, form: string) {
  if (!app.server.listening) await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(`http://127.0.0.1:${port}/oidc/backchannel-logout`, { method: "POST", headers, body: form });
  return { status: response.status, body: await response.text() };
}

const postLogout = async (app: OidcApp, token: string) => (await post(app, new URLSearchParams({ logout_token: token }).toString())).status;

const statusesOf = (app: OidcApp, tokens: readonly string[]) => Promise.all(tokens.map((token) => app.statusOf(token)));

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const [ownKey, otherKey] = testKeys() as [TestKey, TestKey];
const pem = ownKey.publicKey.export({ type: "spki", format: "pem" }).toString();
const event = "http://schemas.openid.net/event/backchannel-logout";

describe("a logout token of the provider", () => {
  it("with a session ends this session, on every gateway", async () => {
    const parts = await open();
    const { provider, app } = parts;
    const second = await oidcApp(provider, { peer: app });
    const tokens = [await signIn(parts, "marie", "sid-1"), await signIn(parts, "marie", "sid-2"), await signIn(parts, "pierre", "sid-3")];
    expect(await statusesOf(second, tokens)).toEqual([200, 200, 200]);
    const { status, body } = await post(app, `logout_token=${provider.logoutToken({ sid: "sid-1" })}`);
    expect([status, body]).toEqual([200, ""]);
    expect(await statusesOf(app, tokens)).toEqual([401, 200, 200]);
    await expect.poll(() => statusesOf(second, tokens)).toEqual([401, 200, 200]);
    expect((await app.database.pool.query("select from provider_sessions")).rowCount).toBe(2);
  });

  it("with a person ends all sessions that the person started there, and no others", async () => {
    const parts = await open();
    const { provider, app } = parts;
    const tokens = [await signIn(parts, "marie", "sid-1"), await signIn(parts, "marie"), await signIn(parts, "pierre", "sid-3")];
    await app.database.pool.query(
      "insert into sessions (id, user_id, purpose, expires_at) select 'local', user_id, 'ordinary', now() + interval '1 day' from sessions limit 1",
    );
    expect(await postLogout(app, provider.logoutToken({ sub: "marie" }))).toBe(200);
    expect(await statusesOf(app, tokens)).toEqual([401, 401, 200]);
    expect((await app.database.pool.query("select from sessions where id = 'local'")).rowCount).toBe(1);
  });

  it("with a session of another person than it names ends nothing", async () => {
    const parts = await open();
    const token = await signIn(parts, "marie", "sid-1");
    expect(await postLogout(parts.app, parts.provider.logoutToken({ sub: "pierre", sid: "sid-1" }))).toBe(200);
    expect(await postLogout(parts.app, parts.provider.logoutToken({ sub: "marie", sid: "sid-2" }))).toBe(200);
    expect(await parts.app.statusOf(token)).toBe(200);
    expect(await postLogout(parts.app, parts.provider.logoutToken({ sub: "marie", sid: "sid-1" }))).toBe(200);
    expect(await parts.app.statusOf(token)).toBe(401);
  });

  it("of a provider that is now configured ends no session of the one before", async () => {
    const parts = await open();
    const token = await signIn(parts, "marie", "sid-1");
    const next = await forgingProvider();
    const app = await oidcApp(next, { peer: parts.app });
    for (const claims of [{ sid: "sid-1" }, { sub: "marie" }]) expect(await postLogout(app, next.logoutToken(claims))).toBe(200);
    expect(await parts.app.statusOf(token)).toBe(200);
  });

  it("counts once, across gateways", async () => {
    const parts = await open();
    const { provider, app } = parts;
    const second = await oidcApp(provider, { peer: app });
    await signIn(parts, "marie");
    const logoutToken = provider.logoutToken({ sub: "marie" });
    const statuses = await Promise.all([postLogout(app, logoutToken), postLogout(second, logoutToken)]);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 400]);
    const again = await signIn(parts, "marie");
    expect(await postLogout(second, logoutToken)).toBe(400);
    expect(await app.statusOf(again)).toBe(200);
  });

  it("is not used up if the sessions cannot be ended", async () => {
    const parts = await open();
    const { provider, app } = parts;
    const token = await signIn(parts, "marie");
    const logoutToken = provider.logoutToken({ sub: "marie" });
    await app.database.pool.query("alter table provider_links rename to away");
    expect(await postLogout(app, logoutToken)).toBe(500);
    await app.database.pool.query("alter table away rename to provider_links");
    expect(await postLogout(app, logoutToken)).toBe(200);
    expect(await app.statusOf(token)).toBe(401);
  });

  it("may be of the types that providers use, and have more audiences and an expiry", async () => {
    const { provider, app } = await open();
    const sub = "marie";
    const usual = [undefined, "JWT", "logout+jwt", "application/logout+jwt"].map((typ) =>
      provider.logoutToken({ sub }, { header: { typ } }),
    );
    const others = [provider.logoutToken({ sub, aud: ["other", "fairway"] }), provider.logoutToken({ sub, exp: undefined })];
    for (const token of [...usual, ...others]) expect(await postLogout(app, token)).toBe(200);
  });
});

const forgeries: Readonly<Record<string, (provider: ForgingProvider, claims: Json) => string>> = {
  "no signature": (_, claims) => signJwt({ alg: "none", typ: "logout+jwt" }, claims, undefined),
  "an empty signature": (_, claims) => signJwt({ alg: "RS256", kid: "key-1" }, claims, undefined),
  "the public key as a shared secret": (_, claims) => signJwt({ alg: "HS256", kid: "key-1" }, claims, pem),
  "the client secret as a shared secret": (provider, claims) => signJwt({ alg: "HS256" }, claims, provider.clientSecret),
  "another key": (_, claims) => signJwt({ alg: "RS256", kid: "key-1" }, claims, otherKey.privateKey),
  "a key that nobody publishes": (_, claims) => signJwt({ alg: "RS256", kid: "key-2" }, claims, otherKey.privateKey),
  "a key of its own": (_, claims) =>
    signJwt({ alg: "RS256", kid: "key-1", jwk: otherKey.publicKey.export({ format: "jwk" }) }, claims, otherKey.privateKey),
  "another issuer": (provider, claims) => provider.signed({ ...claims, iss: "https://evil.example.org" }),
  "another audience": (provider, claims) => provider.signed({ ...claims, aud: "other" }),
  "no audience": (provider, claims) => provider.signed({ ...claims, aud: undefined }),
  "an expiry in the past": (provider, claims) => provider.signed({ ...claims, exp: nowSeconds() - 31 }),
  "an issue long ago": (provider, claims) => provider.signed({ ...claims, iat: nowSeconds() - 331 }),
  "an issue in the future": (provider, claims) => provider.signed({ ...claims, iat: nowSeconds() + 60 }),
  "no time of issue": (provider, claims) => provider.signed({ ...claims, iat: undefined }),
  "a nonce": (provider, claims) => provider.signed({ ...claims, nonce: "nonce" }),
  "no id": (provider, claims) => provider.signed({ ...claims, jti: undefined }),
  "a huge id": (provider, claims) => provider.signed({ ...claims, jti: "j".repeat(1_000) }),
  "no event": (provider, claims) => provider.signed({ ...claims, events: undefined }),
  "another event": (provider, claims) => provider.signed({ ...claims, events: { "https://example.org/event": {} } }),
  "an event that is no object": (provider, claims) => provider.signed({ ...claims, events: { [event]: "yes" } }),
  "events in a list": (provider, claims) => provider.signed({ ...claims, events: [event] }),
  "neither a session nor a person": (provider, claims) => provider.signed({ ...claims, sub: undefined, sid: undefined }),
  "a person that is no text": (provider, claims) => provider.signed({ ...claims, sub: 7 }),
  "an empty session": (provider, claims) => provider.signed({ ...claims, sid: "" }),
  "a session that is no text": (provider, claims) => provider.signed({ ...claims, sid: ["sid-1"] }),
  "the type of an access token": (provider, claims) => provider.signed(claims, { header: { typ: "at+jwt" } }),
  "the claims of an ID token": (provider) => provider.signed(provider.claims("nonce", { sub: "marie" })),
  "no parts": () => "marie",
};

describe("a token that is not a logout token of the provider", () => {
  it("is refused with 400, and ends nothing", async () => {
    const parts = await open();
    const { provider, app } = parts;
    const token = await signIn(parts, "marie", "sid-1");
    const { iss, aud, iat, exp } = provider.claims(undefined);
    const claims = { iss, aud, iat, exp, sub: "marie", sid: "sid-1", jti: "jti-1", events: { [event]: {} } };
    const statuses: Record<string, number> = {};
    for (const [name, forge] of Object.entries(forgeries)) statuses[`with ${name}`] = await postLogout(app, forge(provider, claims));
    expect(statuses).toEqual(Object.fromEntries(Object.keys(statuses).map((name) => [name, 400])));
    expect(await app.statusOf(token)).toBe(200);
    expect(await postLogout(app, provider.signed(claims))).toBe(200);
    expect(await app.statusOf(token)).toBe(401);
    expect(provider.calls.filter((call) => call === "GET /keys").length).toBeLessThanOrEqual(3);
  });

  it("by its form is refused", async () => {
    const { provider, app } = await open();
    const token = provider.logoutToken({ sub: "marie" });
    for (const form of [
      "",
      "logout_token=",
      "token=x",
      `logout_token=${token}&logout_token=${token}`,
      JSON.stringify({ logout_token: token }),
    ]) {
      expect((await post(app, form)).status).toBe(400);
    }
    expect((await post(app, `logout_token=${"x".repeat(30_000)}`)).status).toBe(413);
    expect((await post(app, "\0\0\ud800")).status).toBe(400);
  });

  it("cannot be reported while the provider's keys cannot be fetched, and can be afterwards", async () => {
    const { provider, app } = await open({ timeoutMs: 250 });
    const token = provider.logoutToken({ sub: "marie" });
    for (const fail of [() => undefined, (response: { destroy(): unknown }) => response.destroy()]) {
      provider.intercept = (path, response) => {
        if (path === "/keys") fail(response);
        return path === "/keys";
      };
      expect(await postLogout(app, token)).toBe(400);
    }
    provider.intercept = () => false;
    expect(await postLogout(app, token)).toBe(200);
  });
});

it("an address that reports too many logouts gets 429, and sign-ins go on", async () => {
  const parts = await open({ limits: { providerLogoutsPerMinute: 2 } });
  const statuses: number[] = [];
  for (let call = 0; call < 3; call += 1) statuses.push(await postLogout(parts.app, parts.provider.logoutToken({ sub: "marie" })));
  expect(statuses).toEqual([200, 200, 429]);
  await signIn(parts, "marie");
});

it("without a provider the address is not found", async () => {
  const app = await oidcApp(undefined);
  expect(await postLogout(app, "x")).toBe(404);
});
