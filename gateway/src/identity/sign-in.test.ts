import type * as argon2 from "@node-rs/argon2";
import { hash, verify } from "@node-rs/argon2";
import type { LoginAnswer, TokenWrapper } from "@fairway/contract/auth";
import { loginAnswer, tokenWrapper, userClaims } from "@fairway/contract/auth";
import { Client } from "pg";
import { afterEach, describe, expect, vi } from "vitest";
import { adasPassword, identityApp, type IdentityApp, someAccounts, untilWaiting } from "#testing/identity-app.ts";
import { it } from "#testing/identity-test.ts";

// Uses the real cost.
vi.unmock("#identity/password-cost.ts");
afterEach(() => vi.restoreAllMocks());

const wrong = { errors: [{ code: "wrong-credentials", message: "Invalid username or password. Please try again." }] };

const login = (gateway: IdentityApp, username: string, password: string, ip?: string) =>
  gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username, password }, ...(ip === undefined ? {} : { ip }) });

const claimsOf = (token: string): unknown => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

describe("signing in", () => {
  it("[LOGIN-04] [SESSION-01] returns {requiresPasswordChange, token} with the wrapper's four fields", async ({ gateway }) => {
    const answer = await login(gateway, "ada", adasPassword);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).toSorted()).toEqual(["requiresPasswordChange", "token"]);
    expect(answer.body.requiresPasswordChange).toBe(false);
    expect(Object.keys(answer.body.token).toSorted()).toEqual(["access_token", "expires_in", "refresh_token", "token_type"]);
    expect(loginAnswer.parse(answer.body).token.token_type).toBe("Bearer");
  });

  it("[SESSION-04] gives the access token the configured lifetime, 1800 seconds here", async ({ gateway }) => {
    const { token } = (await login(gateway, "ada", adasPassword)).body;
    const { iat, exp } = claimsOf(token.access_token) as { iat: number; exp: number };
    expect(token.expires_in).toBe(1_800);
    expect(exp - iat).toBe(1_800);
  });

  it("[SESSION-18] [SESSION-19] includes the user and all direct and group roles in the access token", async ({ gateway }) => {
    const { token } = (await login(gateway, "ada", adasPassword)).body;
    const claims = claimsOf(token.access_token);
    expect(userClaims.parse(claims)).toMatchObject({
      preferred_username: "ada",
      name: "Ada Lovelace",
      given_name: "Ada",
      family_name: "Lovelace",
      email: "ada@example.org",
      roles: ["editor", "reader"],
    });
    const { id } = (await gateway.call<{ id: string }>("GET", "/probe/me", { token: token.access_token })).body;
    expect(claims).toMatchObject({ sub: id });
  });

  it("accepts a username in any case and with surrounding spaces", async ({ gateway }) => {
    expect((await login(gateway, " ADA ", adasPassword)).status).toBe(200);
    expect((await login(gateway, "ada", adasPassword.toUpperCase())).status).toBe(401);
  });

  it("[LOGIN-05] answers the same 401 for a wrong password and for unknown, locked and password-less users", async ({ gateway }) => {
    await gateway.database.pool.query("update users set locked = true where username = 'grace'");
    await gateway.database.pool.query("insert into users (id, username, username_key) values ('x', 'cardholder', 'cardholder')");
    const answers = [
      await login(gateway, "ada", "wrong"),
      await login(gateway, "nobody", "wrong"),
      await login(gateway, "grace", "nanoseconds"),
      await login(gateway, "cardholder", "wrong"),
    ];
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 401, body: wrong });
  });

  it("refuses invalid bodies with 400, naming the field", async () => {
    const gateway = await identityApp();
    for (const [body, path] of [
      [{}, "username"],
      [{ username: "ada" }, "password"],
      [{ username: "", password: "x" }, "username"],
      [{ username: "ada", password: "" }, "password"],
      [{ username: ["ada"], password: "x" }, "username"],
      [{ username: "ada\0", password: "x" }, "username"],
      [{ username: "a".repeat(1_001), password: "x" }, "username"],
      [{ username: "ada", password: "x".repeat(1_001) }, "password"],
    ] as const) {
      const answer = await gateway.call("POST", "/auth/login", { body });
      expect({ status: answer.status, path: answer.body.errors[0]?.path }).toEqual({ status: 400, path });
    }
  });

  it("treats SQL in a username as an unknown name", async ({ gateway }) => {
    expect((await login(gateway, "' or '1'='1", "' or '1'='1")).status).toBe(401);
    expect((await login(gateway, "ada'; drop table users; --", "x")).status).toBe(401);
    expect((await login(gateway, "ada", adasPassword)).status).toBe(200);
  });

  it("replaces a hash with weaker parameters, and the session stays valid", async ({ gateway }) => {
    const weak = await hash(adasPassword, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await gateway.database.pool.query("update users set password_hash = $1 where username = 'ada'", [weak]);
    const { token } = (await login(gateway, "ada", adasPassword)).body;
    const { rows } = await gateway.database.pool.query("select password_hash from users where username = 'ada'");
    expect(rows).toEqual([{ password_hash: expect.stringContaining("m=19456,t=2,p=1") as string }]);
    expect(await gateway.statusOf(token.access_token)).toBe(200);
    expect((await login(gateway, "ada", adasPassword)).status).toBe(200);
  });

  it("fails if the password changes or the user is locked while the password is checked", async ({ gateway }) => {
    const { verify: real } = await vi.importActual<typeof argon2>("@node-rs/argon2");
    for (const change of ["password_hash = 'changed'", "locked = true"]) {
      vi.mocked(verify).mockImplementationOnce(async (...args) => {
        await gateway.database.pool.query(`update users set ${change} where username = 'ada'`);
        return real(...args);
      });
      expect((await login(gateway, "ada", adasPassword)).status).toBe(401);
      await gateway.database.pool.query("update users set locked = false, password_hash = $1 where username = 'ada'", [
        await hash(adasPassword),
      ]);
    }
    expect((await login(gateway, "ada", adasPassword)).status).toBe(200);
  });
});

describe("a sign-in while an administrator locks the account", () => {
  it("starts no session that an unlock would make valid", async ({ gateway }) => {
    const administrator = await gateway.database.pool.connect();
    await administrator.query("begin");
    await administrator.query("update users set locked = true where username = 'ada'");
    const attempt = login(gateway, "ada", adasPassword);
    await untilWaiting(gateway, 1);
    await administrator.query("delete from sessions");
    await administrator.query("commit");
    administrator.release();
    expect((await attempt).status).toBe(401);
    expect((await gateway.database.pool.query("select from sessions")).rowCount).toBe(0);
  });
});

describe("a failed sign-in", () => {
  /** The password comparisons (by cost) and the statements of a sign-in. */
  async function workOf(attempt: () => Promise<unknown>) {
    vi.mocked(verify).mockClear();
    const query = vi.spyOn(Client.prototype, "query");
    await attempt();
    const statements = query.mock.calls.map(([statement]: unknown[]) =>
      typeof statement === "string" ? statement : (statement as { text: string }).text,
    );
    query.mockRestore();
    return { compared: vi.mocked(verify).mock.calls.map(([encoded]) => String(encoded).split("$").slice(0, 4).join("$")), statements };
  }

  it("compares one password at current cost and runs the same statements for every reason", async ({ gateway }) => {
    await gateway.database.pool.query("update users set locked = true where username = 'grace'");
    await gateway.database.pool.query("insert into users (id, username, username_key) values ('x', 'cardholder', 'cardholder')");
    for (let failure = 0; failure < 5; failure++) await login(gateway, "ada", "wrong", "198.51.100.1");
    const known = await workOf(() => login(gateway, "ada", "wrong"));
    expect(known.compared).toEqual(["$argon2id$v=19$m=19456,t=2,p=1"]);
    expect(known.statements.length).toBeGreaterThan(5);
    expect(await workOf(() => login(gateway, "nobody", "wrong"))).toEqual(known);
    expect(await workOf(() => login(gateway, "grace", "nanoseconds"))).toEqual(known);
    expect(await workOf(() => login(gateway, "cardholder", "wrong"))).toEqual(known);
    expect(await workOf(() => login(gateway, "ada", adasPassword, "198.51.100.1"))).toEqual(known);
    expect(await workOf(() => login(gateway, "ada", "wrong", "198.51.100.1"))).toEqual(known);
  });

  it("compares nothing for an address beyond its rate limit", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: { loginAttemptsPerMinute: 1 } });
    await login(gateway, "ada", adasPassword);
    await login(gateway, "ada", adasPassword);
    const { compared, statements } = await workOf(() => login(gateway, "ada", adasPassword));
    expect({ compared, statements }).toEqual({ compared: [], statements: [] });
  });

  it("respects the limit of concurrent password comparisons", async () => {
    const gateway = await identityApp({
      accounts: someAccounts,
      limits: { signInsAtOnce: 4, passwordChecksAtOnce: 2, passwordChecksWaiting: 3 },
    });
    const { verify: real } = await vi.importActual<typeof argon2>("@node-rs/argon2");
    let running = 0;
    let maxRunning = 0;
    vi.mocked(verify).mockImplementation(async (...args) => {
      maxRunning = Math.max(maxRunning, ++running);
      return real(...args).finally(() => running--);
    });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => login(gateway, index % 2 ? "ada" : "grace", "wrong", `192.0.2.${index}`)),
    );
    expect(maxRunning).toBeLessThanOrEqual(2);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([401, 503]));
    vi.mocked(verify).mockImplementation(real);
    expect((await login(gateway, "ada", adasPassword)).status).toBe(200);
  });
});

it("writes no password, token, secret or hash to the log", async () => {
  const gateway = await identityApp({ accounts: someAccounts, limits: { lockoutFailuresPerAddress: 2 } });
  const { token } = (await login(gateway, "ada", adasPassword)).body;
  const spent = token.refresh_token ?? "";
  const next = tokenWrapper.parse((await gateway.call<TokenWrapper>("POST", "/auth/refresh", { body: { refreshToken: spent } })).body);
  const last = tokenWrapper.parse((await gateway.call("POST", "/auth/refresh", { body: { refreshToken: next.refresh_token } })).body);
  await gateway.call("POST", "/auth/refresh", { body: { refreshToken: spent } });
  for (const attempt of [1, 2, 3]) await login(gateway, "a password in the wrong box", `wrong ${attempt}`);
  await gateway.call("PUT", "/profile/reset-password", { token: next.access_token, body: { password: "a new secret" } });
  const { rows } = await gateway.database.pool.query<{ text: string }>(
    `select password_hash as text from users union all select hash from refresh_tokens
     union all select private_key from signing_keys union all select account from login_failures`,
  );
  const logged = gateway.logged();
  expect(logged).toContain("an account is locked after failed sign-ins");
  expect(logged).toContain("its session is ended");
  const secrets = [adasPassword, "a password in the wrong box", "wrong 1", "a new secret", spent, next.refresh_token, last.refresh_token];
  const tokens = [token.access_token, next.access_token].map((text) => text.split(".")[2]);
  for (const secret of [...secrets, ...tokens, ...rows.map((row) => row.text)]) expect(logged).not.toContain(secret);
  expect(logged).not.toMatch(/BEGIN (EC )?PRIVATE KEY|\$argon2/);
});
