import type { LoginAnswer } from "@fairway/contract/auth";
import { describe, expect, it } from "vitest";
import { StartFailure } from "#process/start-failure.ts";
import { administrationApp } from "#testing/administration-app.ts";
import { adasPassword, identityApp, someAccounts } from "#testing/identity-app.ts";

const asvs = { passwordRules: "asvs", limits: { passwordMinCharacters: 8 } } as const;
const tooShort = "A password needs at least 8 characters.";
const common = "This password is on a list of common and leaked passwords. Choose another one.";
const context = "This password is too similar to the username or the portal's name. Choose another one.";

/** With the rules `asvs`, for the user `ada` of the portal `Harbour Office`. */
const refused = [
  ["ada2026", tooShort],
  ["password1", common],
  ["PASSWORD1", common],
  ["iloveyou1", common],
  ["ada-ada-ada-1", context],
  ["Ada!Fairway!26", context],
  ["HarbourOffice2026", context],
  ["harbour.office", context],
] as const;
const accepted = ["correct horse battery", "harbour cranes at night", "8 ä ö ü 🌀 ß"];

describe("the rules asvs", () => {
  it("refuse own passwords that are short, common or contextual", async () => {
    const gateway = await identityApp({ accounts: someAccounts, ...asvs });
    const { body } = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } });
    const change = (password: string) =>
      gateway.call("PUT", "/profile/reset-password", { token: body.token.access_token, body: { password } });
    for (const [password, message] of refused) {
      expect([password, await change(password)]).toMatchObject([
        password,
        { status: 400, body: { errors: [{ code: "invalid-value", message, path: "password" }] } },
      ]);
    }
    for (const password of accepted) expect([password, (await change(password)).status]).toEqual([password, 204]);
  });

  it("apply to forced updates, which can then be retried", async () => {
    const gateway = await identityApp({ accounts: someAccounts, ...asvs });
    await gateway.database.pool.query("update users set require_password_change = true where username = 'ada'");
    const { body } = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } });
    const change = (password: string) =>
      gateway.call("PUT", "/profile/reset-password", { token: body.token.access_token, body: { password } });
    expect(await change("password1")).toMatchObject({ status: 400, body: { errors: [{ message: common }] } });
    expect((await change("correct horse battery")).status).toBe(204);
  });

  it("apply to the first administrator, with the setup link and the environment", async () => {
    const gateway = await identityApp(asvs);
    const creation = gateway.identity.ensureFirstAdministrator({ username: "chief", password: "qwertyuiop" });
    await expect(creation).rejects.toThrow(new StartFailure(`FAIRWAY_ADMIN_PASSWORD is not accepted: ${common}`));
    const setup = await gateway.identity.ensureFirstAdministrator(undefined);
    const create = (password: string) =>
      gateway.call("POST", "/setup", { body: { setupToken: setup?.setupToken, username: "chief", password } });
    expect(await create("chief12345")).toMatchObject({ status: 400, body: { errors: [{ message: context, path: "password" }] } });
    expect((await create("correct horse battery")).status).toBe(204);
  });

  it("apply to passwords that administrators set, individually and in imports", async () => {
    const { admin } = await administrationApp(undefined, {}, { passwordRules: "asvs", passwordMinCharacters: 8 });
    const user = (username: string, value: string) => ({ username, password: { setPassword: true, value } });
    for (const [password, message] of refused) {
      expect([password, await admin("POST", "users", user("ada-2", password))]).toMatchObject([
        password,
        { status: 400, body: { errors: [{ message, path: "password.value" }] } },
      ]);
    }
    expect((await admin("POST", "users", user("grace", "correct horse battery"))).status).toBe(201);
    const entities = [user("alan", "password1"), user("kurt", "incomplete but consistent")];
    const imported = await admin("PUT", "users/import", { entities, isReplace: false });
    expect([imported.status, JSON.stringify(imported.body)]).toEqual([400, expect.stringContaining(common)]);
  });
});

it("the rules of the specification check only the length", async () => {
  const gateway = await identityApp({ accounts: someAccounts });
  const { body } = await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } });
  const change = (password: string) =>
    gateway.call("PUT", "/profile/reset-password", { token: body.token.access_token, body: { password } });
  for (const password of ["ada", "123", "password"]) expect([password, (await change(password)).status]).toEqual([password, 204]);
  expect((await change("12")).status).toBe(400);
});
