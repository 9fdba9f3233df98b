import { createHmac, generateKeyPairSync } from "node:crypto";
import type { LoginAnswer } from "@fairway/contract/auth";
import { createSigner } from "fast-jwt";
import { Client } from "pg";
import { afterEach, describe, expect, vi } from "vitest";
import { adasPassword, identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";
import { it } from "#testing/identity-test.ts";
import { tokensOf } from "#testing/signed-in.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const idOf = async ({ database }: IdentityApp) =>
  (await database.pool.query<{ id: string }>("select id from users where username = 'ada'")).rows[0]?.id ?? "";

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
function partsOf(token: string) {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  return { header, payload, signature, headerFields: read(header), claims: read(payload) };
}

/** Freezes the time, so that cache entries do not expire. */
function freezeTime(atMs = Date.now()) {
  vi.useFakeTimers({ toFake: ["Date"], now: atMs });
}

describe("an access token", () => {
  it("[API-01] authorizes calls for signed-in users, which are refused with 401 without one", async ({ gateway }) => {
    const { access_token } = await tokensOf(gateway);
    expect(await gateway.statusOf(access_token)).toBe(200);
    expect(await gateway.call("GET", "/probe/me")).toMatchObject({ status: 401, body: { errors: [{ code: "not-signed-in" }] } });
  });

  it("[ACCESS-01] [ACCESS-02] authorizes a role's routes only for users who hold the role directly or through a group", async () => {
    const gateway = await identityApp({
      accounts: {
        ...someAccounts,
        groups: [{ name: "readers", roles: ["admin", "reader", "editor"] }],
        users: [
          ...someAccounts.users,
          { username: "plain", password: "plain", firstName: "P", lastName: "L", email: "", groups: [], roles: ["administrator", "Admin"] },
        ],
      },
    });
    const call = async (username: string, password: string) => {
      const { body } = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } });
      const token = body.token.access_token;
      const me = await gateway.call<{ roles: string[] }>("GET", "/probe/me", { token });
      return { roles: me.body.roles, status: (await gateway.call("GET", "/probe/admins", { token })).status };
    };
    expect(await call("ada", adasPassword)).toEqual({ roles: ["admin", "editor", "reader"], status: 204 });
    expect(await call("grace", "nanoseconds")).toEqual({ roles: [], status: 403 });
    expect(await call("plain", "plain")).toEqual({ roles: ["Admin", "administrator"], status: 403 });
  });

  it("is refused once it has expired, even if it was just used", async () => {
    const gateway = await identityApp({ accounts: someAccounts, limits: { accessTokenSeconds: 60 } });
    const { access_token } = await tokensOf(gateway);
    expect(await gateway.statusOf(access_token)).toBe(200);
    freezeTime(Date.now() + 61_000);
    expect(await gateway.statusOf(access_token)).toBe(401);
    expect(await (await identityApp({ peer: gateway })).statusOf(access_token)).toBe(401);
  });

  it("[API-01] is refused with 401 if forged or modified", async ({ gateway }) => {
    const { access_token } = await tokensOf(gateway);
    const { header, payload, signature, headerFields, claims } = partsOf(access_token);
    const grown = encode({ ...claims, roles: ["admin"] });
    const longer = encode({ ...claims, exp: Number(claims["exp"]) + 1_000 });
    const { rows } = await gateway.database.pool.query<{ public_key: string }>("select public_key from signing_keys");
    const byPublicKey = (input: string) =>
      createHmac("sha256", rows[0]?.public_key ?? "")
        .update(input)
        .digest("base64url");
    const hmac = `${encode({ ...headerFields, alg: "HS256" })}.${payload}`;
    const stranger = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const signStrangely = createSigner({ key: stranger.privateKey, algorithm: "ES256", kid: String(headerFields["kid"]) });
    const signed = await ownSigner(gateway);
    const forged = {
      "a longer life": `${header}.${longer}.${signature}`,
      "more roles": `${header}.${grown}.${signature}`,
      "no signature": `${header}.${payload}.`,
      "no signature, of alg none": `${encode({ ...headerFields, alg: "none" })}.${payload}.`,
      "alg none with the old signature": `${encode({ ...headerFields, alg: "none" })}.${payload}.${signature}`,
      "an HMAC by the public key": `${hmac}.${byPublicKey(hmac)}`,
      "another alg": `${encode({ ...headerFields, alg: "ES384" })}.${payload}.${signature}`,
      "a stranger's key under our key id": signStrangely(claims),
      "an unknown key id": `${encode({ ...headerFields, kid: "nobody's" })}.${payload}.${signature}`,
      "no key id": `${encode({ alg: "ES256", typ: "JWT" })}.${payload}.${signature}`,
      "a key id that is no text": `${encode({ ...headerFields, kid: { a: 1 } })}.${payload}.${signature}`,
      "a key id from an object's prototype": `${encode({ ...headerFields, kid: "__proto__" })}.${payload}.${signature}`,
      "a critical extension": signed({ ...claims }, { crit: ["exp"] }),
      "no session": signed({ ...claims, sid: undefined }),
      "a session that is no text": signed({ ...claims, sid: 7 }),
      "someone else's session": signed({ ...claims, sub: "someone" }),
      "no expiry": signed({ ...claims, exp: undefined }),
      "another issuer": signed({ ...claims, iss: "elsewhere" }),
      "no audience": signed({ ...claims, aud: undefined }),
      "another audience": signed({ ...claims, aud: "fairway-password-reset" }),
      "a payload that is no object": `${header}.${encode("ada")}.${signature}`,
      "no token": "ada",
      dots: "..",
      "broken JSON": `${Buffer.from("{").toString("base64url")}.${payload}.${signature}`,
    };
    for (const [what, token] of Object.entries(forged)) expect([what, await gateway.statusOf(token)]).toEqual([what, 401]);
    expect(await gateway.statusOf(signed(claims))).toBe(200);
    expect(gateway.logged()).not.toContain("unexpected failure");
  });

  /** Signs with the gateway's key, so that only the claims are wrong. */
  async function ownSigner({ database, masterKey }: IdentityApp) {
    const { rows } = await database.pool.query<{ kid: string; private_key: string }>("select kid, private_key from signing_keys");
    const { kid = "", private_key = "" } = rows[0] ?? {};
    const key = masterKey.decrypt(private_key, `signing-key:${kid}`);
    return (claims: Record<string, unknown>, header: object = {}) =>
      createSigner({ key, algorithm: "ES256", header: { alg: "ES256", kid, ...header } })(claims);
  }
});

describe("the user of a token", () => {
  it("is read once in 5 seconds", async ({ gateway }) => {
    const { access_token } = await tokensOf(gateway);
    freezeTime();
    await Promise.all([gateway.statusOf(access_token), gateway.statusOf(access_token)]);
    const query = vi.spyOn(Client.prototype, "query");
    for (let call = 0; call < 20; call++) expect(await gateway.statusOf(access_token)).toBe(200);
    expect(query).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 5_000);
    expect(await gateway.statusOf(access_token)).toBe(200);
    expect(query).toHaveBeenCalledTimes(1);
  });

  it("is up to date within 5 seconds, even without a notification", async ({ gateway }) => {
    const { access_token } = await tokensOf(gateway);
    const rolesOf = async () => (await gateway.call<{ roles: string[] }>("GET", "/probe/me", { token: access_token })).body.roles;
    freezeTime();
    expect(await rolesOf()).toEqual(["editor", "reader"]);
    await gateway.database.pool.query("delete from user_groups");
    vi.setSystemTime(Date.now() + 5_000);
    expect(await rolesOf()).toEqual(["editor"]);
    await gateway.database.pool.query("update users set locked = true");
    vi.setSystemTime(Date.now() + 5_000);
    expect(await gateway.statusOf(access_token)).toBe(401);
  });

  it("is signed out within 5 seconds after the account is deleted", async ({ gateway }) => {
    const { access_token, refresh_token } = await tokensOf(gateway);
    freezeTime();
    expect(await gateway.statusOf(access_token)).toBe(200);
    await gateway.database.pool.query("delete from users");
    vi.setSystemTime(Date.now() + 5_000);
    expect(await gateway.statusOf(access_token)).toBe(401);
    expect((await gateway.call("POST", "/auth/refresh", { body: { refreshToken: refresh_token } })).status).toBe(401);
  });

  it("is updated on every gateway immediately after a change", async ({ gateway }) => {
    const peer = await identityApp({ peer: gateway });
    const { access_token } = await tokensOf(gateway);
    const id = await idOf(gateway);
    freezeTime();
    expect(await peer.statusOf(access_token)).toBe(200);
    await gateway.database.pool.query("delete from user_roles");
    await gateway.identity.userChanged(id);
    await vi.waitFor(async () =>
      expect((await peer.call("GET", "/probe/me", { token: access_token })).body).toMatchObject({ roles: ["reader"] }),
    );
    await gateway.identity.lockUser(id);
    expect(await gateway.statusOf(access_token)).toBe(401);
    await vi.waitFor(async () => expect(await peer.statusOf(access_token)).toBe(401));
  });

  it("is read again after the connection for notifications was lost", async ({ gateway }) => {
    const { access_token } = await tokensOf(gateway);
    freezeTime();
    expect(await gateway.statusOf(access_token)).toBe(200);
    await gateway.database.pool.query("update users set locked = true");
    expect(await gateway.statusOf(access_token)).toBe(200);
    await gateway.database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fairway notifications' and datname = current_database()",
    );
    await vi.waitFor(async () => expect(await gateway.statusOf(access_token)).toBe(401), 4_000);
  });

  it("is signed out on every gateway immediately after a logout", async ({ gateway }) => {
    const peer = await identityApp({ peer: gateway });
    const { access_token, refresh_token } = await tokensOf(gateway);
    const other = await tokensOf(gateway);
    freezeTime();
    expect(await peer.statusOf(access_token)).toBe(200);
    await gateway.call("POST", "/auth/logout", { body: { refreshToken: refresh_token } });
    await vi.waitFor(async () => expect(await peer.statusOf(access_token)).toBe(401));
    expect(await peer.statusOf(other.access_token)).toBe(200);
  });

  it("loses every session when locked by an administrator, even after an unlock", async ({ gateway }) => {
    const { access_token, refresh_token } = await tokensOf(gateway);
    const id = await idOf(gateway);
    expect(await gateway.identity.lockUser(id)).toBe(true);
    expect(await gateway.identity.isLocked(id)).toBe(true);
    const attempt = await gateway.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword } });
    expect(attempt.status).toBe(401);
    expect(await gateway.identity.unlockUser(id)).toBe(true);
    expect(await gateway.statusOf(access_token)).toBe(401);
    expect((await gateway.call("POST", "/auth/refresh", { body: { refreshToken: refresh_token } })).status).toBe(401);
    expect(await gateway.statusOf((await tokensOf(gateway)).access_token)).toBe(200);
    expect([await gateway.identity.lockUser("nobody"), await gateway.identity.unlockUser("nobody")]).toEqual([false, false]);
  });
});
