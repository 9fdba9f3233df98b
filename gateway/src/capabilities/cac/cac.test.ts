import type { LoginAnswer } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import { describe, expect, it } from "vitest";
import type { CallFacts } from "#capabilities/audit/audited-call.ts";
import { observeCalls } from "#capabilities/audit/observe.ts";
import { cacApp } from "#testing/cac-app.ts";
import { portalOrigin, testIssuer } from "#testing/card-issuer.ts";
import { adasPassword } from "#testing/identity-app.ts";

const refusal = "Unable to login with your CAC. Ensure your CAC is linked to your account or use your password.";
const refused = { errors: [{ code: "wrong-credentials", message: refusal }] };
const linkUri = { redirectUri: `${portalOrigin}/manage-cac` };

const withLinkedCard = async (options?: Parameters<typeof cacApp>[1]) => {
  const issuer = await testIssuer();
  const app = await cacApp(issuer, options);
  const token = await app.logIn();
  expect((await app.link(token, await issuer.codeFor("ada", linkUri))).status).toBe(200);
  return { issuer, app, token };
};

describe("a linked card", () => {
  it("[CAC-02][CAC-08][CAC-09][LOGIN-16][LOGIN-19] signs its holder in as a password does, until it is unlinked", async () => {
    const issuer = await testIssuer();
    const app = await cacApp(issuer);
    const token = await app.logIn();
    const status = async () => (await app.call("GET", "/geoAxis/cacStatus", { token })).body;
    expect(await status()).toEqual({ linked: false, linkedTimestamp: null });
    expect((await app.cardLogin(await issuer.codeFor("ada"))).status).toBe(401);

    const linked = await app.link(token, await issuer.codeFor("ada", linkUri));
    expect(linked).toMatchObject({ status: 200, body: { linked: true, linkedTimestamp: expect.stringMatching(/^\d{4}-.+Z$/) as unknown } });
    expect(await status()).toEqual(linked.body);
    const { status: code, body } = await app.cardLogin(await issuer.codeFor("ada"));
    expect(code).toBe(200);
    expect(body).toMatchObject({ requiresPasswordChange: false, token: { token_type: "Bearer", expires_in: 1_800 } });
    expect((await app.call("GET", "/probe/me", { token: body.token.access_token })).body).toMatchObject({ username: "ada" });
    expect((await app.call("POST", "/auth/refresh", { body: { refreshToken: body.token.refresh_token } })).status).toBe(200);

    expect((await app.call("DELETE", "/geoAxis/unlinkCac", { token })).status).toBe(204);
    expect(await status()).toEqual({ linked: false, linkedTimestamp: null });
    expect(await app.cardLogin(await issuer.codeFor("ada"))).toMatchObject({ status: 401, body: refused });
    // Unlinking locks nobody out.
    expect((await app.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })).status).toBe(200);
  });

  it("[PASSWORD-07] is unlinked by a new password, one's own as well as a forced one", async () => {
    const { issuer, app, token } = await withLinkedCard();
    expect((await app.call("PUT", "/profile/reset-password", { token, body: { password: "another one" } })).status).toBe(204);
    expect(await app.isLinked(token)).toBe(false);
    expect((await app.cardLogin(await issuer.codeFor("ada"))).status).toBe(401);

    expect((await app.link(token, await issuer.codeFor("ada", linkUri), "another one")).status).toBe(200);
    await app.database.db.updateTable("users").set({ require_password_change: true }).where("username", "=", "ada").execute();
    const { body } = await app.cardLogin(await issuer.codeFor("ada"));
    expect(body).toMatchObject({ requiresPasswordChange: true, token: { refresh_token: null, expires_in: 600 } });
    const reset = body.token.access_token;
    expect(await app.statusOf(reset)).toBe(401);
    expect((await app.call("PUT", "/profile/reset-password", { token: reset, body: { password: "a third one" } })).status).toBe(204);
    expect(await app.isLinked(await app.logIn("ada", "a third one"))).toBe(false);
  });

  it("opens no locked account, in the words of an unknown card, and is free for others once its account is deleted", async () => {
    const { issuer, app } = await withLinkedCard();
    const { id } = await app.database.db.selectFrom("users").select("id").where("username", "=", "ada").executeTakeFirstOrThrow();
    await app.identity.lockUser(id);
    const [locked, unknown] = [await app.cardLogin(await issuer.codeFor("ada")), await app.cardLogin(await issuer.codeFor("nobody"))];
    expect(locked).toMatchObject({ status: 401, body: refused });
    expect({ ...locked, headers: {} }).toEqual({ ...unknown, headers: {} });
    const grace = await app.logIn("grace", "nanoseconds");
    const take = async () => app.link(grace, await issuer.codeFor("ada", linkUri), "nanoseconds");
    expect((await take()).status).toBe(409);
    await app.database.db.deleteFrom("users").where("id", "=", id).execute();
    expect((await app.cardLogin(await issuer.codeFor("ada"))).status).toBe(401);
    expect((await take()).status).toBe(200);
  });

  it("of a demo account is linked and signs in on this machine alone", async () => {
    const issuer = await testIssuer();
    const app = await cacApp(issuer, { localUsernames: ["ada"] });
    const here = { ip: "127.0.0.1" };
    const { body } = await app.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword }, ...here });
    const token = body.token.access_token;
    for (const password of [adasPassword, "wrong"]) {
      expect((await app.link(token, await issuer.codeFor("ada", linkUri), password)).status).toBe(403);
    }
    expect((await app.link(token, await issuer.codeFor("ada", linkUri), adasPassword, here)).status).toBe(200);
    expect((await app.cardLogin(await issuer.codeFor("ada"))).status).toBe(403);
    expect((await app.cardLogin(await issuer.codeFor("ada"), here)).status).toBe(200);
  });

  it("is locked out with its account by failed passwords", async () => {
    const { issuer, app } = await withLinkedCard({ limits: { lockoutFailuresPerAddress: 2 } });
    for (const password of ["wrong", "wronger"]) await app.call("POST", "/auth/login", { body: { username: "ada", password } });
    expect(await app.cardLogin(await issuer.codeFor("ada"))).toMatchObject({ status: 401, body: refused });
  });

  it("belongs to one account, and an account has one", async () => {
    const { issuer, app, token } = await withLinkedCard();
    const grace = await app.logIn("grace", "nanoseconds");
    expect(await app.link(grace, await issuer.codeFor("ada", linkUri), "nanoseconds")).toMatchObject({
      status: 409,
      body: { errors: [{ code: "conflict", message: "This CAC is linked to another account." }] },
    });
    expect(await app.isLinked(grace)).toBe(false);
    expect(await app.link(token, await issuer.codeFor("second", linkUri))).toMatchObject({
      status: 409,
      body: { errors: [{ message: "Another CAC is linked to your account. Unlink it first." }] },
    });
    expect((await app.link(token, await issuer.codeFor("ada", linkUri))).status).toBe(200);
    const both = await issuer.codeFor("grace", linkUri);
    const again = await issuer.codeFor("grace", linkUri);
    await app.call("DELETE", "/geoAxis/unlinkCac", { token });
    const raced = await Promise.all([app.link(token, both), app.link(grace, again, "nanoseconds")]);
    expect(raced.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  it("of another issuer's holder with the same id opens nothing", async () => {
    const { app } = await withLinkedCard();
    const other = await testIssuer();
    const beside = await cacApp(other, { beside: app });
    expect((await beside.cardLogin(await other.codeFor("ada"))).status).toBe(401);
    expect(await beside.isLinked(await beside.logIn())).toBe(false);
  });
});

describe("a code", () => {
  it("is good once, also at a second gateway", async () => {
    const { issuer, app } = await withLinkedCard();
    const beside = await cacApp(issuer, { beside: app });
    const answer = await issuer.codeFor("ada");
    const before = issuer.exchanged();
    const tried = await Promise.all([app.cardLogin(answer), beside.cardLogin(answer)]);
    expect(tried.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
    expect((await beside.cardLogin(answer)).status).toBe(401);
    expect(issuer.exchanged()).toBe(before + 1);
  });

  it("that is guessed, or comes without its verifier or with another one, is refused", async () => {
    const { issuer, app } = await withLinkedCard();
    const verifier = (await issuer.codeFor("grace")).codeVerifier;
    expect(await app.cardLogin({ code: "guessed", codeVerifier: verifier })).toMatchObject({ status: 401, body: refused });
    const { code, redirectUri } = await issuer.codeFor("ada");
    expect((await app.cardLogin({ code, redirectUri })).status).toBe(401);
    const stolen = await issuer.codeFor("ada");
    expect((await app.cardLogin({ ...stolen, codeVerifier: verifier })).status).toBe(401);
  });

  it("whose ID token repeats the nonce of another request is refused", async () => {
    const { issuer, app } = await withLinkedCard();
    expect(await app.cardLogin(await issuer.codeFor("ada", { nonce: "of-somebody-else" }))).toMatchObject({ status: 401, body: refused });
  });

  it("that was asked for from elsewhere is not turned in", async () => {
    const { issuer, app, token } = await withLinkedCard();
    const before = issuer.exchanged();
    const elsewhere = [
      "https://elsewhere.example.org/login",
      `${portalOrigin}/login/`,
      `${portalOrigin}/login?x=1`,
      `${portalOrigin}.evil.org/login`,
    ];
    for (const redirectUri of [...elsewhere, `${portalOrigin}/manage-cac`, "javascript:alert(1)"]) {
      expect(await app.cardLogin({ ...(await issuer.codeFor("ada")), redirectUri })).toMatchObject({
        status: 400,
        body: { errors: [{ code: "invalid-value", path: "redirectUri" }] },
      });
    }
    const forLogin = await issuer.codeFor("ada");
    expect((await app.link(token, forLogin)).status).toBe(400);
    expect(issuer.exchanged()).toBe(before);
    // One that was asked for with another address is not accepted by the issuer.
    const { code, codeVerifier } = await issuer.codeFor("ada", { redirectUri: "https://elsewhere.example.org/login" });
    expect((await app.cardLogin({ code, codeVerifier })).status).toBe(401);
  });

  it("is not spent by a password that is refused, which counts as a failed sign-in", async () => {
    const issuer = await testIssuer();
    const app = await cacApp(issuer, { limits: { lockoutFailuresPerAddress: 3 } });
    const token = await app.logIn();
    const answer = await issuer.codeFor("ada", linkUri);
    expect(await app.link(token, answer, "wrong")).toMatchObject({
      status: 400,
      body: { errors: [{ code: "invalid-value", path: "password" }] },
    });
    expect(issuer.exchanged()).toBe(0);
    expect((await app.link(token, answer)).status).toBe(200);
    for (const password of ["wrong", "wronger", "wrongest"]) await app.link(token, answer, password);
    const locked = await app.call<LoginAnswer | ErrorBody>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } });
    expect(locked.status).toBe(401);
  });

  it("is throttled as passwords are: an address that fails too often waits", async () => {
    const issuer = await testIssuer();
    const app = await cacApp(issuer, { limits: { loginFailuresPerMinute: 3 } });
    for (const code of ["one", "two", "three"]) expect((await app.cardLogin({ code })).status).toBe(401);
    const { status, headers } = await app.cardLogin({ code: "four" });
    expect([status, Number(headers["retry-after"]) > 0]).toEqual([429, true]);
    expect(issuer.exchanged()).toBe(3);
    expect((await app.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })).status).toBe(429);
  });
});

it("[AUDIT-06] sign-ins with a card are audited under their holder's name, also a locked one's; an unknown card's under none", async () => {
  const recorded: CallFacts[] = [];
  const recorder = {
    record: () => undefined,
    recordNow: (facts: CallFacts) => {
      recorded.push(facts);
      return Promise.resolve();
    },
  };
  const { issuer, app } = await withLinkedCard({
    capabilities: [{ routes: {}, install: (app) => observeCalls(app, { recorder, findUser: () => Promise.resolve(undefined) }) }],
  });
  recorded.length = 0;
  await app.cardLogin(await issuer.codeFor("ada"));
  const { id } = await app.database.db.selectFrom("users").select("id").where("username", "=", "ada").executeTakeFirstOrThrow();
  await app.identity.lockUser(id);
  await app.cardLogin(await issuer.codeFor("ada"));
  await app.cardLogin(await issuer.codeFor("nobody"));
  expect(recorded.map(({ username, responseCode, url }) => [username, responseCode, url])).toEqual([
    ["ada", 200, "/geoAxis/cacLogin"],
    ["ada", 401, "/geoAxis/cacLogin"],
    ["", 401, "/geoAxis/cacLogin"],
  ]);
});

describe("without an issuer", () => {
  it("[CAC-13] nothing is offered: the routes answer 404", async () => {
    const app = await cacApp(undefined);
    const token = await app.logIn();
    const calls = [
      app.cardLogin({ code: "one" }),
      app.call("GET", "/geoAxis/cacStatus", { token }),
      app.call("POST", "/geoAxis/linkCac", { token, body: { password: adasPassword, code: "one" } }),
      app.call("DELETE", "/geoAxis/unlinkCac", { token }),
    ];
    for (const { status } of await Promise.all(calls)) expect(status).toBe(404);
  });
});
