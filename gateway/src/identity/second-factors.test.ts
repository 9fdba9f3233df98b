import type { LoginAnswer } from "@fairway/contract/auth";
import type { SignInMethods } from "@fairway/contract/second-factors";
import { type TOTP, URI } from "otpauth";
import { afterEach, beforeEach, describe, expect, vi } from "vitest";
import { adasPassword, identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";
import { it } from "#testing/identity-test.ts";

const stepMs = 30_000;
/** Offset of the clock. Codes are single-use, so each sign-in of a test is a time step later than the previous one. */
let laterMs = 0;
const realNow = Date.now;
beforeEach(() => {
  laterMs = 0;
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + laterMs);
});
afterEach(() => vi.restoreAllMocks());

const login = (gateway: IdentityApp, ip?: string) =>
  gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword }, ...(ip ? { ip } : {}) });

const methodsPath = "/profile/sign-in-methods";
const appPath = `${methodsPath}/authenticator`;

const prove = (gateway: IdentityApp, token: string, body: unknown) =>
  gateway.call<LoginAnswer>("POST", "/auth/second-factor", { token, body });

/** Ada with an authenticator app: its codes, her recovery codes and the token she set it up with. */
async function adaWithApp(gateway: IdentityApp) {
  const { access_token: token } = (await login(gateway)).body.token;
  const { secret, uri } = (await gateway.call<{ secret: string; uri: string }>("POST", appPath, { token })).body;
  const app = URI.parse(uri) as TOTP;
  const codeNow = () => app.generate({ timestamp: Date.now() });
  const confirmed = await gateway.call<{ recoveryCodes: string[] }>("PUT", appPath, { token, body: { code: codeNow() } });
  expect(confirmed.status).toBe(200);
  return { token, secret, uri, app, codeNow, recoveryCodes: confirmed.body.recoveryCodes };
}

describe("an authenticator app", () => {
  it("is required at every login once confirmed, and the token of the first step authorizes nothing else", async ({ gateway }) => {
    const { token } = (await login(gateway)).body;
    const { uri } = (await gateway.call<{ uri: string }>("POST", appPath, { token: token.access_token })).body;
    // Not confirmed yet: an abandoned setup does not lock the user out.
    expect((await login(gateway)).body).not.toHaveProperty("requiresSecondFactor");
    const app = URI.parse(uri) as TOTP;
    expect([app.issuer, app.label, app.digits, app.period]).toEqual(["Fairway", "ada", 6, 30]);
    const wrong = app.generate({ timestamp: Date.now() + 100 * stepMs });
    const refused = await gateway.call("PUT", appPath, { token: token.access_token, body: { code: wrong } });
    expect([refused.status, refused.body.errors[0]]).toMatchObject([400, { code: "invalid-value", path: "code" }]);
    const code = app.generate({ timestamp: Date.now() });
    expect(
      (await gateway.call("PUT", appPath, { token: token.access_token, body: { code: `${code.slice(0, 3)} ${code.slice(3)}` } })).status,
    ).toBe(200);

    const first = (await login(gateway)).body;
    expect(first).toMatchObject({
      requiresPasswordChange: false,
      requiresSecondFactor: true,
      token: { refresh_token: null, expires_in: 300 },
    });
    expect(await gateway.statusOf(first.token.access_token)).toBe(401);
    laterMs += stepMs;
    const second = await prove(gateway, first.token.access_token, { code: app.generate({ timestamp: Date.now() }) });
    expect([second.status, second.body.requiresPasswordChange]).toEqual([200, false]);
    expect(await gateway.statusOf(second.body.token.access_token)).toBe(200);
    expect(second.body.token.refresh_token).toEqual(expect.any(String));
  });

  it("accepts each code once, even across sign-ins, and each first step once", async ({ gateway }) => {
    const { codeNow } = await adaWithApp(gateway);
    const used = codeNow();
    const waiting = (await login(gateway)).body.token.access_token;
    const again = await prove(gateway, waiting, { code: used });
    expect([again.status, again.body]).toMatchObject([401, { errors: [{ code: "wrong-credentials" }] }]);
    laterMs += stepMs;
    const code = codeNow();
    const other = (await login(gateway)).body.token.access_token;
    expect((await prove(gateway, waiting, { code })).status).toBe(200);
    expect((await prove(gateway, waiting, { code })).status).toBe(401);
    expect((await prove(gateway, other, { code })).status).toBe(401);
    // An access token is not accepted for the second step.
    const { token } = (await prove(gateway, other, { code: ((laterMs += stepMs), codeNow()) })).body;
    expect((await prove(gateway, token.access_token, { code })).status).toBe(401);
  });

  it("locks the account after wrong codes, like wrong passwords", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: { lockoutFailuresPerAddress: 3 } });
    const { codeNow } = await adaWithApp(gateway);
    laterMs += stepMs;
    const waiting = (await login(gateway)).body.token.access_token;
    for (const code of ["000000", "111111", "222222"]) await prove(gateway, waiting, { code });
    expect((await prove(gateway, waiting, { code: codeNow() })).status).toBe(401);
    expect((await login(gateway)).status).toBe(401);
    expect((await login(gateway, "192.0.2.99")).status).toBe(200);
  });

  it("is required before a forced password update", async ({ gateway }) => {
    const { codeNow } = await adaWithApp(gateway);
    await gateway.database.pool.query("update users set require_password_change = true where username = 'ada'");
    laterMs += stepMs;
    const first = (await login(gateway)).body;
    expect(first).toMatchObject({ requiresPasswordChange: false, requiresSecondFactor: true });
    const body = { password: "a new password" };
    expect((await gateway.call("PUT", "/profile/reset-password", { token: first.token.access_token, body })).status).toBe(401);
    const second = (await prove(gateway, first.token.access_token, { code: codeNow() })).body;
    expect(second).toMatchObject({ requiresPasswordChange: true });
    expect((await gateway.call("PUT", "/profile/reset-password", { token: second.token.access_token, body })).status).toBe(204);
  });

  it("is stored encrypted, and its secret and recovery codes are not logged", async ({ gateway }) => {
    const { secret, recoveryCodes } = await adaWithApp(gateway);
    const { rows } = await gateway.database.pool.query(
      "select authenticators::text as a, recovery_codes::text as r from authenticators, recovery_codes",
    );
    for (const text of [JSON.stringify(rows), gateway.logged()]) {
      expect(text).not.toContain(secret);
      for (const code of recoveryCodes) expect(text).not.toContain(code.replaceAll("-", ""));
    }
  });

  it("can be removed by its owner together with the recovery codes", async ({ gateway }) => {
    const { token } = await adaWithApp(gateway);
    expect((await gateway.call("POST", appPath, { token })).status).toBe(409);
    expect((await gateway.call("DELETE", appPath, { token })).status).toBe(204);
    expect((await gateway.call("DELETE", appPath, { token })).status).toBe(404);
    expect((await login(gateway)).body).not.toHaveProperty("requiresSecondFactor");
    expect((await gateway.call<SignInMethods>("GET", methodsPath, { token })).body).toEqual({
      authenticator: null,
      recoveryCodesLeft: 0,
      passkeys: [],
      required: false,
    });
  });
});

describe("recovery codes", () => {
  it("sign in once each, ignoring case and dashes", async ({ gateway }) => {
    const { token, recoveryCodes } = await adaWithApp(gateway);
    expect(new Set(recoveryCodes).size).toBe(10);
    // 24 characters of 5 bits each, which is sufficient for a fast hash.
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-7]{4}(?:-[a-z2-7]{4}){5}$/);
    const [one = "", other = ""] = recoveryCodes;
    const proven = async (recoveryCode: string) =>
      (await prove(gateway, (await login(gateway)).body.token.access_token, { recoveryCode })).status;
    expect(await proven(one.toUpperCase())).toBe(200);
    expect(await proven(one)).toBe(401);
    expect(await proven(other.replaceAll("-", ""))).toBe(200);
    expect((await gateway.call<SignInMethods>("GET", methodsPath, { token })).body.recoveryCodesLeft).toBe(8);
    const renewed = (await gateway.call<{ recoveryCodes: string[] }>("POST", `${methodsPath}/recovery-codes`, { token })).body
      .recoveryCodes;
    expect(await proven(recoveryCodes[2] ?? "")).toBe(401);
    expect(await proven(renewed[0] ?? "")).toBe(200);
  });
});

it("a proof with no valid code, or with several, is refused with 400", async ({ gateway }) => {
  await adaWithApp(gateway);
  const { access_token: token } = (await login(gateway)).body.token;
  const both = { code: "123456", recoveryCode: "aaaa-aaaa-aaaa-aaaa" };
  for (const body of [{}, both, { code: "12345" }, { code: "１２３４５６" }, { recoveryCode: "short" }, { code: 123456 }]) {
    expect([body, (await prove(gateway, token, body)).status]).toEqual([body, 400]);
  }
});

it("every change of the second factor requires a recent sign-in", async ({ gateway }) => {
  const { token, codeNow } = await adaWithApp(gateway);
  await gateway.database.pool.query("update sessions set signed_in_at = now() - interval '11 minutes'");
  await gateway.identity.everyoneChanged();
  for (const [method, path, body] of [
    ["POST", appPath, undefined],
    ["PUT", appPath, { code: codeNow() }],
    ["DELETE", appPath, undefined],
    ["POST", `${methodsPath}/recovery-codes`, undefined],
  ] as const) {
    const answer = await gateway.call(method, path, { token, body });
    expect([answer.status, answer.body]).toMatchObject([401, { errors: [{ code: "sign-in-again" }] }]);
  }
});

it("administration requires two factors if configured", async () => {
  const [ada, ...others] = someAccounts.users;
  const accounts = { ...someAccounts, users: [...(ada ? [{ ...ada, roles: ["admin"] }] : []), ...others] };
  const gateway = await identityApp({ accounts, secondFactorForAdministrators: true });
  const { access_token: token } = (await login(gateway)).body.token;
  const refused = await gateway.call("GET", "/probe/admins", { token });
  expect([refused.status, refused.body]).toMatchObject([403, { errors: [{ code: "second-factor-required" }] }]);
  expect((await gateway.call<SignInMethods>("GET", methodsPath, { token })).body.required).toBe(true);
  // Setting one up proves it for the session.
  const { token: same, codeNow } = await adaWithApp(gateway);
  expect((await gateway.call("GET", "/probe/admins", { token: same })).status).toBe(204);
  expect((await gateway.call("GET", "/probe/admins", { token })).status).toBe(403);
  laterMs += stepMs;
  const second = await prove(gateway, (await login(gateway)).body.token.access_token, { code: codeNow() });
  expect((await gateway.call("GET", "/probe/admins", { token: second.body.token.access_token })).status).toBe(204);
});
