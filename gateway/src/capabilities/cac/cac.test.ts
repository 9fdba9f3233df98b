import type { LoginAnswer } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import { describe, expect, it } from "vitest";
import type { CallFacts } from "#capabilities/audit/audited-call.ts";
import { observeCalls } from "#capabilities/audit/observe.ts";
import { cacApp } from "#testing/cac-app.ts";
import { portalOrigin, testIssuer } from "#testing/card-issuer.ts";
import { type IdentityApp, adasPassword } from "#testing/identity-app.ts";

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
  const statusOf = async ({ call }: Pick<IdentityApp, "call">, token: string) => (await call("GET", "/geoAxis/cacStatus", { token })).body;

  it("[CAC-02][CAC-08] is linked with the password, which the status says", async () => {
    const issuer = await testIssuer();
    const app = await cacApp(issuer);
    const token = await app.logIn();
    expect(await statusOf(app, token)).toEqual({ linked: false, linkedTimestamp: null });
    expect((await app.cardLogin(await issuer.codeFor("ada"))).status).toBe(401);
    const linked = await app.link(token, await issuer.codeFor("ada", linkUri));
    expect(linked).toMatchObject({ status: 200, body: { linked: true, linkedTimestamp: expect.stringMatching(/^\d{4}-.+Z$/) as unknown } });
    expect(await statusOf(app, token)).toEqual(linked.body);
  });

  it("[LOGIN-16][LOGIN-19] signs its holder in as a password does", async () => {
    const { issuer, app } = await withLinkedCard();
    const { status, body } = await app.cardLogin(await issuer.codeFor("ada"));
    expect(status).toBe(200);
    expect(body).toMatchObject({ requiresPasswordChange: false, token: { token_type: "Bearer", expires_in: 1_800 } });
    expect((await app.call("GET", "/probe/me", { token: body.token.access_token })).body).toMatchObject({ username: "ada" });
    expect((await app.call("POST", "/auth/refresh", { body: { refreshToken: body.token.refresh_token } })).status).toBe(200);
  });

  it("[CAC-09] signs nobody in once it is unlinked", async () => {
    const { issuer, app, token } = await withLinkedCard();
    expect((await app.call("DELETE", "/geoAxis/unlinkCac", { token })).status).toBe(204);
    expect(await statusOf(app, token)).toEqual({ linked: false, linkedTimestamp: null });
    expect(await app.cardLogin(await issuer.codeFor("ada"))).toMatchObject({ status: 401, body: refused });
    // The password still works after unlinking.
    expect((await app.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })).status).toBe(200);
  });

  it("[PASSWORD-07] is unlinked by a password change, voluntary or forced", async () => {
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

  it("cannot sign in to a locked account, with the same response as an unknown card, and can be linked again once its account is deleted", async () => {
    const { issuer, app } = await withLinkedCard();
    const { id } = await app.database.db.selectFrom("users").select("id").where("username", "=", "ada").executeTakeFirstOrThrow();
    await app.identity.lockUser(id);
    const [locked, unknown] = [await app.cardLogin(await issuer.codeFor("ada")), await app.cardLogin(await issuer.codeFor("nobody"))];
    expect(locked).toMatchObject({ status: 401, body: refused });
    expect({ ...locked, headers: {} }).toEqual({ ...unknown, headers: {} });
    const grace = await app.logIn("grace", "nanoseconds");
    const linkToGrace = async () => app.link(grace, await issuer.codeFor("ada", linkUri), "nanoseconds");
    expect((await linkToGrace()).status).toBe(409);
    await app.database.db.deleteFrom("users").where("id", "=", id).execute();
    expect((await app.cardLogin(await issuer.codeFor("ada"))).status).toBe(401);
    expect((await linkToGrace()).status).toBe(200);
  });

  it("can be linked to a demo account, and used, only from this machine", async () => {
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

  it("belongs to one account, and an account has at most one card", async () => {
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

  it("does not sign in a holder with the same id at another issuer", async () => {
    const { app } = await withLinkedCard();
    const other = await testIssuer();
    const otherApp = await cacApp(other, { peer: app });
    expect((await otherApp.cardLogin(await other.codeFor("ada"))).status).toBe(401);
    expect(await otherApp.isLinked(await otherApp.logIn())).toBe(false);
  });
});

describe("an authorization code", () => {
  it("works once, across gateways", async () => {
    const { issuer, app } = await withLinkedCard();
    const second = await cacApp(issuer, { peer: app });
    const authorization = await issuer.codeFor("ada");
    const before = issuer.exchanged();
    const attempts = await Promise.all([app.cardLogin(authorization), second.cardLogin(authorization)]);
    expect(attempts.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
    expect((await second.cardLogin(authorization)).status).toBe(401);
    expect(issuer.exchanged()).toBe(before + 1);
  });

  it("is refused when guessed, or sent without its verifier or with a wrong one", async () => {
    const { issuer, app } = await withLinkedCard();
    const verifier = (await issuer.codeFor("grace")).codeVerifier;
    expect(await app.cardLogin({ code: "guessed", codeVerifier: verifier })).toMatchObject({ status: 401, body: refused });
    const { code, redirectUri } = await issuer.codeFor("ada");
    expect((await app.cardLogin({ code, redirectUri })).status).toBe(401);
    const stolen = await issuer.codeFor("ada");
    expect((await app.cardLogin({ ...stolen, codeVerifier: verifier })).status).toBe(401);
  });

  it("is refused when its ID token has the nonce of another request", async () => {
    const { issuer, app } = await withLinkedCard();
    expect(await app.cardLogin(await issuer.codeFor("ada", { nonce: "of-another-request" }))).toMatchObject({ status: 401, body: refused });
  });

  it("is not redeemed when it was issued for another redirect address", async () => {
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
    // The issuer does not accept a code that was issued for another address.
    const { code, codeVerifier } = await issuer.codeFor("ada", { redirectUri: "https://elsewhere.example.org/login" });
    expect((await app.cardLogin({ code, codeVerifier })).status).toBe(401);
  });

  it("is not used up by a wrong password, which counts as a failed sign-in", async () => {
    const issuer = await testIssuer();
    const app = await cacApp(issuer, { limits: { lockoutFailuresPerAddress: 3 } });
    const token = await app.logIn();
    const authorization = await issuer.codeFor("ada", linkUri);
    expect(await app.link(token, authorization, "wrong")).toMatchObject({
      status: 400,
      body: { errors: [{ code: "invalid-value", path: "password" }] },
    });
    expect(issuer.exchanged()).toBe(0);
    expect((await app.link(token, authorization)).status).toBe(200);
    for (const password of ["wrong", "wronger", "wrongest"]) await app.link(token, authorization, password);
    const locked = await app.call<LoginAnswer | ErrorBody>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } });
    expect(locked.status).toBe(401);
  });

  it("is throttled like passwords: an address with too many failures gets 429", async () => {
    const issuer = await testIssuer();
    const app = await cacApp(issuer, { limits: { loginFailuresPerMinute: 3 } });
    for (const code of ["one", "two", "three"]) expect((await app.cardLogin({ code })).status).toBe(401);
    const { status, headers } = await app.cardLogin({ code: "four" });
    expect([status, Number(headers["retry-after"]) > 0]).toEqual([429, true]);
    expect(issuer.exchanged()).toBe(3);
    expect((await app.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })).status).toBe(429);
  });
});

it("[AUDIT-06] audits card sign-ins under the holder's username, also for locked accounts, and those of unknown cards under no username", async () => {
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

describe("without an issuer,", () => {
  it("[CAC-13] the routes respond with 404", async () => {
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
