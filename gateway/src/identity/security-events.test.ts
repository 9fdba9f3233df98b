import type { LoginAnswer } from "@fairway/contract/auth";
import type { SecurityEvent } from "@fairway/contract/security-events";
import { TOTP } from "otpauth";
import { expect, it } from "vitest";
import { administrationApp, rootsPassword } from "#testing/administration-app.ts";
import { adasPassword, identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";
import { noteSecurityEvents, removeOldSecurityEvents } from "./security-events.ts";

const methods = "/profile/sign-in-methods";

async function signIn(gateway: IdentityApp, username = "ada", password = adasPassword) {
  const { body } = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } });
  const token = body.token.access_token;
  const call = <Body>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, content?: unknown) =>
    gateway.call<Body>(method, path, { token, ...(content === undefined ? {} : { body: content }) });
  return { call, events: async () => (await call<SecurityEvent[]>("GET", "/profile/security-events")).body };
}

const idOf = async (gateway: IdentityApp, username: string): Promise<string> => {
  const { rows } = await gateway.database.pool.query<{ id: string }>("select id from users where username = $1", [username]);
  return rows[0]?.id ?? "";
};

it("records every change of a user's sign-in methods, newest first, without secrets", async () => {
  const gateway = await identityApp({ accounts: someAccounts });
  const ada = await signIn(gateway);
  expect(await ada.events()).toEqual([]);
  const { secret } = (await ada.call<{ secret: string }>("POST", `${methods}/authenticator`)).body;
  const code = new TOTP({ algorithm: "SHA1", digits: 6, period: 30, secret }).generate();
  await ada.call("PUT", `${methods}/authenticator`, { code });
  const { recoveryCodes } = (await ada.call<{ recoveryCodes: string[] }>("POST", `${methods}/recovery-codes`)).body;
  const step = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } });
  const [recoveryCode = ""] = recoveryCodes;
  const prove = (body: object) => gateway.call("POST", "/auth/second-factor", { token: step.body.token.access_token, body });
  expect((await prove({ recoveryCode: "a".repeat(16) })).status).toBe(401);
  expect((await prove({ recoveryCode })).status).toBe(200);
  await ada.call("DELETE", `${methods}/authenticator`);
  await ada.call("PUT", "/profile", { email: "ada@example.org", firstName: "Augusta", lastName: "Lovelace" });
  await ada.call("PUT", "/profile", { email: "countess@example.org", firstName: "Augusta", lastName: "Lovelace" });
  expect((await ada.call("PUT", "/profile/reset-password", { password: "x" })).status).toBe(400);
  expect((await ada.call("PUT", "/profile/reset-password", { password: "a new one" })).status).toBe(204);
  const events = await ada.events();
  expect(events.map(({ kind, by, subject }) => [kind, by, subject])).toEqual([
    ["password-changed", null, null],
    ["email-changed", null, null],
    ["authenticator-removed", null, null],
    ["recovery-code-used", null, null],
    ["recovery-codes-made", null, null],
    ["authenticator-added", null, null],
  ]);
  const stored = JSON.stringify((await gateway.database.pool.query("select * from security_events")).rows);
  for (const word of [secret, recoveryCode, "a new one", "countess"]) expect(stored).not.toContain(word);
  const grace = await signIn(gateway, "grace", "nanoseconds");
  expect(await grace.events()).toEqual([]);
  expect((await gateway.call("GET", "/profile/security-events")).status).toBe(401);
});

it("records an unlinked card only if one was linked", async () => {
  const gateway = await identityApp({ accounts: someAccounts });
  const id = await idOf(gateway, "ada");
  await gateway.identity.unlinkCard(id);
  await gateway.database.pool.query("insert into card_links (user_id, issuer, card_hash) values ($1, 'cards', 'hash')", [id]);
  await gateway.identity.unlinkCard(id);
  expect((await (await signIn(gateway)).events()).map(({ kind }) => kind)).toEqual(["card-unlinked"]);
});

it("names administrators who make changes and lets them read any history; an own password change is also a revision", async () => {
  const { gateway, admin, signIn, root } = await administrationApp();
  const id = await idOf(gateway, "ada");
  const user = { id, username: "ada", email: "ada@example.org", firstName: "Ada", lastName: "Lovelace", groups: [], roles: [] };
  await admin("PUT", "users", { ...user, firstName: "Augusta" });
  await admin("PUT", "users", { ...user, email: "countess@example.org", password: { setPassword: true, value: "set by root" } });
  await gateway.database.pool.query("insert into authenticators (user_id, secret, confirmed_at) values ($1, 'secret', now())", [id]);
  expect((await admin("DELETE", `users/${id}/secondFactors`)).status).toBe(204);
  const { body } = await signIn("ada", "set by root");
  const token = body.token.access_token;
  await gateway.call("PUT", "/profile/reset-password", { token, body: { password: "her own" } });
  const expected = [
    ["password-changed", null],
    ["second-factors-removed", "root"],
    ["email-changed", "root"],
    ["password-changed", "root"],
  ];
  const summaryOf = (answer: { body: SecurityEvent[] }) => answer.body.map(({ kind, by }) => [kind, by]);
  expect(summaryOf(await gateway.call("GET", "/profile/security-events", { token }))).toEqual(expected);
  expect(summaryOf(await admin<SecurityEvent[]>("GET", `users/${id}/securityEvents`))).toEqual(expected);
  expect((await gateway.call("GET", `/admin/users/${id}/securityEvents`, { token })).status).toBe(403);
  const revisions = await admin<{ action: string; by: string }[]>("GET", `users/${id}/revisions`);
  expect(revisions.body[0]).toMatchObject({ action: "password", by: "ada" });
  // For their own accounts, administrators are not named.
  await gateway.call("PUT", "/profile/reset-password", { token: root, body: { password: `${rootsPassword}!` } });
  const own = await gateway.call<SecurityEvent[]>("GET", "/profile/security-events", { token: root });
  expect(summaryOf(own)).toEqual([["password-changed", null]]);
});

it("keeps the newest 200 events of an account until they expire or the account is deleted", async () => {
  const gateway = await identityApp({ accounts: someAccounts });
  const { db } = gateway.database;
  const [ada, grace] = [await idOf(gateway, "ada"), await idOf(gateway, "grace")];
  const count = async (userId: string) =>
    (await gateway.database.pool.query("select from security_events where user_id = $1", [userId])).rowCount;
  await noteSecurityEvents(db, [{ userId: grace, kind: "email-changed" }]);
  await noteSecurityEvents(
    db,
    Array.from({ length: 203 }, () => ({ userId: ada, kind: "email-changed" as const })),
  );
  expect([await count(ada), await count(grace)]).toEqual([200, 1]);
  await gateway.database.pool.query("update security_events set at = now() - interval '366 days' where user_id = $1", [grace]);
  await removeOldSecurityEvents(db, 365);
  expect([await count(ada), await count(grace)]).toEqual([200, 0]);
  await gateway.database.pool.query("delete from users where id = $1", [ada]);
  expect(await count(ada)).toBe(0);
});
