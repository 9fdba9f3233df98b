import type { LoginAnswer, TokenWrapper } from "@fairway/contract/auth";
import type { PasskeyCreation, PasskeyRequest } from "@fairway/contract/passkeys";
import type { OwnSession, SignInAttempt } from "@fairway/contract/sessions";
import { describe, expect, it } from "vitest";
import { testAudit } from "#testing/audit-app.ts";
import { adasPassword, identityApp, someAccounts } from "#testing/identity-app.ts";
import { SoftwareAuthenticator } from "#testing/software-authenticator.ts";
import { openSessions } from "./capability.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";

interface SignInOptions {
  username?: string;
  password?: string;
  userAgent?: string;
  ip?: string;
}

async function open() {
  const app = await identityApp({
    accounts: someAccounts,
    capabilities: async ({ database, identity }) => {
      const { capability, audit } = await testAudit(database);
      return [capability, openSessions({ identity, signInsOf: (userId) => audit.signInsOf(userId) })];
    },
  });
  const post = async (path: string, body: object, { userAgent = firefox, ip = "192.0.2.1" }: SignInOptions = {}) =>
    app.app.inject({
      method: "POST",
      url: path,
      remoteAddress: ip,
      headers: { "user-agent": userAgent, "content-type": "application/json" },
      payload: JSON.stringify(body),
    });
  return {
    app,
    tryToSignIn: async ({ username = "ada", password = adasPassword, ...from }: SignInOptions = {}) =>
      (await post("/auth/login", { username, password }, from)).statusCode,
    signIn: async ({ username = "ada", password = adasPassword, ...from }: SignInOptions = {}) =>
      (await post("/auth/login", { username, password }, from)).json<LoginAnswer>().token,
    refresh: (token: TokenWrapper, from?: SignInOptions) => post("/auth/refresh", { refreshToken: token.refresh_token }, from),
    sessions: async (token: TokenWrapper) => (await app.call<OwnSession[]>("GET", "/profile/sessions", { token: token.access_token })).body,
    signIns: async (token: TokenWrapper) =>
      (await app.call<SignInAttempt[]>("GET", "/profile/sign-ins", { token: token.access_token })).body,
  };
}

describe("own sessions", () => {
  it("are listed with device, address, start and last use; the current one is marked", async () => {
    const { app, signIn, sessions } = await open();
    const before = Date.now() - 1_000;
    const desk = await signIn();
    const phone = await signIn({ userAgent: iphone, ip: "198.51.100.7" });
    await signIn({ username: "grace", password: "nanoseconds", ip: "203.0.113.9" });
    const listed = await sessions(phone);
    expect(listed).toHaveLength(2);
    const current = listed.find(({ isCurrent }) => isCurrent);
    const other = listed.find(({ isCurrent }) => !isCurrent);
    expect(current).toMatchObject({
      ipAddress: "198.51.100.7",
      client: { browser: "Safari 17.5", operatingSystem: "iOS 17.5", device: "iPhone" },
    });
    expect(other).toMatchObject({ ipAddress: "192.0.2.1", client: { browser: "Firefox 128.0", operatingSystem: "Linux" } });
    expect(current?.signedInMs).toBeGreaterThan(before);
    expect((await sessions(desk)).find(({ isCurrent }) => isCurrent)?.id).toBe(other?.id);
    await app.database.pool.query(
      "update sessions set last_used_at = now() - interval '1 hour', signed_in_at = now() - interval '2 hours'",
    );
    // Invalidates the cached session.
    const { rows } = await app.database.pool.query<{ id: string }>("select id from users where username = 'ada'");
    await app.identity.userChanged(rows[0]?.id ?? "");
    const [first, second] = await sessions(phone);
    expect(first).toMatchObject({ id: current?.id, isCurrent: true });
    expect((first?.lastUsedMs ?? 0) - (second?.lastUsedMs ?? 0)).toBeGreaterThan(3_000_000);
    expect((first?.lastUsedMs ?? 0) - (first?.signedInMs ?? 0)).toBeGreaterThan(7_000_000);
  });

  it("show where they were last refreshed, without tokens and without sessions of forced password changes", async () => {
    const { app, signIn, refresh, sessions } = await open();
    const token = await signIn();
    await refresh(token, { ip: "198.51.100.8", userAgent: "curl/8.5.0" });
    await app.database.pool.query("update users set require_password_change = true where username = 'ada'");
    const reset = await signIn({ ip: "203.0.113.20" });
    const listed = await sessions(token);
    expect(listed).toMatchObject([{ ipAddress: "198.51.100.8", client: { browser: "curl 8.5.0" } }]);
    expect(JSON.stringify(listed)).not.toContain(token.refresh_token);
    expect((await app.call("GET", "/profile/sessions", { token: reset.access_token })).status).toBe(401);
  });

  it("are limited to the current one and the 199 most recently used", async () => {
    const { app, signIn, sessions } = await open();
    const token = await signIn();
    await app.database.pool.query(`
      insert into sessions (id, user_id, purpose, expires_at, last_used_at)
      select 's' || n, id, 'ordinary', now() + interval '1 day', now() + n * interval '1 second'
      from users, generate_series(1, 300) as n where username = 'ada'`);
    const listed = await sessions(token);
    expect(listed).toHaveLength(200);
    expect(listed.slice(0, 2).map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
      [expect.not.stringMatching(/^s\d/), true],
      ["s300", false],
    ]);
    expect(listed.at(-1)?.id).toBe("s102");
  });

  it("can be ended one by one, which immediately invalidates their access and refresh tokens", async () => {
    const { app, signIn, refresh, sessions } = await open();
    const desk = await signIn();
    const phone = await signIn({ userAgent: iphone });
    expect(await app.statusOf(phone.access_token)).toBe(200);
    const other = (await sessions(desk)).find(({ isCurrent }) => !isCurrent);
    expect((await app.call("DELETE", `/profile/sessions/${other?.id}`, { token: desk.access_token })).status).toBe(204);
    expect(await app.statusOf(phone.access_token)).toBe(401);
    expect((await refresh(phone)).statusCode).toBe(401);
    expect(await app.statusOf(desk.access_token)).toBe(200);
    expect(await sessions(desk)).toHaveLength(1);
    expect((await app.call("DELETE", `/profile/sessions/${other?.id}`, { token: desk.access_token })).status).toBe(404);
  });

  it("can be ended except for the current one, also concurrently", async () => {
    const { app, signIn } = await open();
    const tokens = [await signIn(), await signIn(), await signIn()];
    const grace = await signIn({ username: "grace", password: "nanoseconds" });
    const responses = await Promise.all(
      tokens.slice(0, 2).map(({ access_token: token }) => app.call("DELETE", "/profile/sessions", { token })),
    );
    const statuses = await Promise.all(tokens.map(({ access_token }) => app.statusOf(access_token)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401]);
    expect(statuses).toEqual([...responses.map(({ status }) => (status === 204 ? 200 : 401)), 401]);
    expect(await app.statusOf(grace.access_token)).toBe(200);
  });

  it("cannot be listed or ended by other users", async () => {
    const { app, signIn, sessions } = await open();
    const ada = await signIn();
    const grace = await signIn({ username: "grace", password: "nanoseconds" });
    const [hers] = await sessions(ada);
    expect(JSON.stringify(await sessions(grace))).not.toContain(hers?.id);
    expect((await app.call("DELETE", `/profile/sessions/${hers?.id}`, { token: grace.access_token })).status).toBe(404);
    expect((await app.call("DELETE", "/profile/sessions", { token: grace.access_token })).status).toBe(204);
    expect(await app.statusOf(ada.access_token)).toBe(200);
  });
});

describe("own sign-ins", () => {
  it("are successes and failures of this account only, newest first", async () => {
    const { signIn, tryToSignIn, signIns } = await open();
    const grace = await signIn({ username: "grace", password: "nanoseconds" });
    expect(await tryToSignIn({ password: "wrong", ip: "203.0.113.66", userAgent: iphone })).toBe(401);
    expect(await tryToSignIn({ username: "nobody", password: "wrong" })).toBe(401);
    const ada = await signIn({ username: "ADA" });
    expect(await signIns(ada)).toMatchObject([
      { succeeded: true, ipAddress: "192.0.2.1", client: { browser: "Firefox 128.0" } },
      { succeeded: false, ipAddress: "203.0.113.66", client: { device: "iPhone" } },
    ]);
    expect(await signIns(grace)).toMatchObject([{ succeeded: true }]);
    expect(await signIns(grace)).toHaveLength(1);
  });

  it("include the step, so that failed second factors are visible", async () => {
    const { app, signIn, signIns } = await open();
    const { access_token: token } = await signIn();
    const authenticator = new SoftwareAuthenticator();
    const path = "/profile/sign-in-methods/passkeys";
    const creation = await app.call<PasskeyCreation>("POST", `${path}/creation`, { token, body: { name: "Laptop" } });
    await app.call("POST", path, { token, body: { passkey: authenticator.create(creation.body) } });
    const { access_token: step } = await signIn();
    await app.call("POST", "/auth/second-factor", { token: step, body: { recoveryCode: "aaaa-aaaa-aaaa-aaaa" } });
    const request = await app.call<PasskeyRequest>("POST", "/auth/passkey/request", { token });
    const passkey = authenticator.get(request.body);
    const { body } = await app.call<LoginAnswer>("POST", "/auth/passkey", { token, body: { passkey } });
    expect((await signIns(body.token)).map(({ step: name, succeeded }) => [name, succeeded])).toEqual([
      ["passkey", true],
      ["second-factor", false],
      ["password", true],
      ["password", true],
    ]);
  });

  it("are limited to the latest twenty", async () => {
    const { signIn, app, signIns } = await open();
    for (let attempt = 0; attempt < 21; attempt += 1) {
      // Each from a different address, to avoid a lockout.
      const body = { username: "ada", password: "wrong" };
      await app.call("POST", "/auth/login", { body, ip: `198.51.100.${attempt}` });
    }
    const listed = await signIns(await signIn({ ip: "192.0.2.77" }));
    expect(listed).toHaveLength(20);
    expect(listed[0]?.succeeded).toBe(true);
    expect(listed.slice(1).map(({ ipAddress }) => ipAddress)).toEqual(Array.from({ length: 19 }, (_, index) => `198.51.100.${20 - index}`));
  });
});
