import { readdir } from "node:fs/promises";
import type { Revision } from "@fairway/contract/entities";
import type { SecurityEvent } from "@fairway/contract/security-events";
import { type TOTP, URI } from "otpauth";
import { expect, it, vi } from "vitest";
import { readPage } from "#capabilities/audit/pages.ts";
import { type AdministrationApp, administrationApp } from "#testing/administration-app.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { operatorCommand as run } from "#testing/run-command.ts";

// Some tests start processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const password = "a brand new password";
const by = "operator (command line)";

const environment = async ({ gateway }: AdministrationApp) => ({
  DATABASE_URL: gateway.database.url,
  FAIRWAY_HOME: await temporaryFolder(),
});

interface User {
  readonly id: string;
  readonly username: string;
  readonly roles: { readonly name: string }[];
}

const userNamed = async ({ admin }: AdministrationApp, username: string): Promise<User | undefined> =>
  (await admin<User[]>("GET", "users")).body.find((user) => user.username === username);

it("gives an account the role admin and the password of standard input, unlocks it and ends its sessions on every gateway", async () => {
  const portal = await administrationApp();
  const ada = (await portal.signIn("ada", "correct horse")).body.token;
  // Another gateway has the session in its cache.
  const peer = await administrationApp(portal);
  expect(await peer.gateway.statusOf(ada.access_token)).toBe(200);
  await portal.gateway.database.pool.query("update users set locked = true where username = 'ada'");
  for (let attempt = 0; attempt < 6; attempt += 1) await portal.signIn("ada", "wrong");

  const done = await run(["reset-admin", "ADA"], await environment(portal), `${password}\nmore\n`);
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(done.out).toContain("The account ada is unlocked");
  expect(done.out).not.toContain(password);
  await expect.poll(() => peer.gateway.statusOf(ada.access_token), { timeout: 30_000 }).toBe(401);
  expect((await portal.signIn("ada", "correct horse")).status).toBe(401);
  const again = (await peer.signIn("ada", password)).body;
  expect(again.requiresPasswordChange).toBe(false);
  expect((await peer.gateway.call("GET", "/admin/users", { token: again.token.access_token })).status).toBe(200);

  const id = (await userNamed(portal, "ada"))?.id ?? "";
  const events = await portal.admin<SecurityEvent[]>("GET", `users/${id}/securityEvents`);
  expect(events.body[0]).toMatchObject({ kind: "password-changed", by });
  const revisions = await portal.admin<Revision[]>("GET", `users/${id}/revisions`);
  expect(revisions.body[0]).toMatchObject({ action: "edit", by });
  const { content } = await readPage(portal.gateway.database.db, { username: by }, 1);
  expect(content).toMatchObject([{ method: "POST", path: `/commands/reset-admin/${id}`, responseCode: 200 }]);
});

it("removes second factors only if asked", async () => {
  const portal = await administrationApp();
  const { gateway } = portal;
  const token = (await portal.signIn("ada", "correct horse")).body.token.access_token;
  const setUp = await gateway.call<{ uri: string }>("POST", "/profile/sign-in-methods/authenticator", { token });
  const code = (URI.parse(setUp.body.uri) as TOTP).generate();
  expect((await gateway.call("PUT", "/profile/sign-in-methods/authenticator", { token, body: { code } })).status).toBe(200);
  const env = await environment(portal);
  expect((await run(["reset-admin", "ada"], env, password)).code).toBe(0);
  expect((await portal.signIn("ada", password)).body.requiresSecondFactor).toBe(true);
  const done = await run(["reset-admin", "ada", "--remove-second-factors"], env, password);
  expect(done.out).toContain("Its second factors are removed.");
  expect((await portal.signIn("ada", password)).body.requiresSecondFactor).toBeUndefined();
  const id = (await userNamed(portal, "ada"))?.id ?? "";
  const events = await portal.admin<SecurityEvent[]>("GET", `users/${id}/securityEvents`);
  expect(events.body[0]).toMatchObject({ kind: "second-factors-removed", by });
});

it("makes a password that has to be replaced at the first sign-in", async () => {
  const portal = await administrationApp();
  const { code, out } = await run(["reset-admin", "ada", "--one-time-password"], await environment(portal));
  expect(code).toBe(0);
  const made = /choose another one: (\S{24})\n/.exec(out)?.[1] ?? "";
  expect((await portal.signIn("ada", made)).body.requiresPasswordChange).toBe(true);
});

it("keeps what the account has besides", async () => {
  const portal = await administrationApp();
  const before = await userNamed(portal, "ada");
  expect((await run(["reset-admin", "ada"], await environment(portal), password)).code).toBe(0);
  expect(await userNamed(portal, "ada")).toMatchObject({ ...before, roles: [{ name: "admin" }], version: expect.any(Number) as number });
});

it("refuses a password on the command line, none, a weak one and a bad name, and changes nothing", async () => {
  const portal = await administrationApp();
  const env = await environment(portal);
  expect(await run(["reset-admin", "ada", password], env)).toMatchObject({ code: 2 });
  expect(await run(["reset-admin"], env, password)).toMatchObject({ code: 2 });
  expect(await run(["reset-admin", "ada"], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining("no password on standard input") as string,
  });
  expect(await run(["reset-admin", "ada"], { ...env, PASSWORD_RULES: "asvs" }, "password1")).toMatchObject({
    code: 1,
    err: expect.stringContaining("list of common and leaked passwords") as string,
  });
  expect(await run(["reset-admin", "\u0007"], env, password)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/username|user/i) as string,
  });
  expect((await portal.signIn("ada", "correct horse")).status).toBe(200);
  expect(await userNamed(portal, "ada")).toMatchObject({ roles: [] });
});

it("creates nothing in a folder without a portal", async () => {
  const home = await temporaryFolder();
  const done = await run(["reset-admin", "ada"], { FAIRWAY_HOME: home }, password);
  expect(done).toMatchObject({ code: 1, err: expect.stringContaining("There is no portal's database") as string });
  expect(await readdir(home)).toEqual([]);
});
