import type { LoginAnswer } from "@fairway/contract/auth";
import type { OwnProfile } from "@fairway/contract/profile";
import { describe, expect, it } from "vitest";
import { adasPassword, identityApp, someAccounts } from "#testing/identity-app.ts";

async function open() {
  const gateway = await identityApp({ accounts: someAccounts });
  const login = async (username: string, password: string) =>
    (await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username, password } })).body.token;
  return { gateway, ada: await login("ada", adasPassword), grace: await login("grace", "nanoseconds") };
}

const draft = { email: "countess@example.org", firstName: "Augusta Ada", lastName: "King" };

/** The claims that the web app reads from a token. */
const claims = (token: string): unknown => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));

describe("a profile", () => {
  it("shows the caller's own data, with all roles in order", async () => {
    const { gateway, ada, grace } = await open();
    const read = async (token: string) => (await gateway.call<OwnProfile>("GET", "/profile", { token })).body;
    expect(await read(ada.access_token)).toEqual({
      username: "ada",
      email: "ada@example.org",
      firstName: "Ada",
      lastName: "Lovelace",
      roles: ["editor", "reader"],
    });
    expect(await read(grace.access_token)).toMatchObject({ username: "grace", roles: [] });
    expect((await gateway.call("GET", "/profile")).status).toBe(401);
  });

  it("[PROFILE-09] saves email, firstName and lastName, trimmed; the next token carries them, and other profiles stay the same", async () => {
    const { gateway, ada, grace } = await open();
    const saved = await gateway.call<OwnProfile>("PUT", "/profile", {
      token: ada.access_token,
      body: { ...draft, firstName: "  Augusta Ada " },
    });
    expect(saved).toMatchObject({ status: 200, body: { username: "ada", ...draft, roles: ["editor", "reader"] } });
    expect((await gateway.call("GET", "/profile", { token: ada.access_token })).body).toMatchObject(draft);
    const next = await gateway.call<LoginAnswer["token"]>("POST", "/auth/refresh", { body: { refreshToken: ada.refresh_token } });
    expect(claims(next.body.access_token)).toMatchObject({
      preferred_username: "ada",
      name: "Augusta Ada King",
      given_name: "Augusta Ada",
      family_name: "King",
      email: "countess@example.org",
      roles: ["editor", "reader"],
    });
    expect((await gateway.call("GET", "/profile", { token: grace.access_token })).body).toMatchObject({ email: "grace@example.org" });
  });

  it("refuses values that are too short or too long and fields that users may not set, naming the field", async () => {
    const { gateway, ada } = await open();
    for (const [overrides, path] of [
      [{ email: "a@b" }, "email"],
      [{ email: " a@b " }, "email"],
      [{ email: "x".repeat(321) }, "email"],
      [{ firstName: "" }, "firstName"],
      [{ firstName: "  " }, "firstName"],
      [{ lastName: "" }, "lastName"],
      [{ lastName: "a\0b" }, "lastName"],
      [{ lastName: "x".repeat(201) }, "lastName"],
      [{ email: 7 }, "email"],
      [{ email: "not an email\r\nBcc: x" }, "email"],
      [{ firstName: "A\u202eda" }, "firstName"],
      [{ id: "1" }, "id"],
      [{ locked: false }, "locked"],
    ] as const) {
      const response = await gateway.call("PUT", "/profile", { token: ada.access_token, body: { ...draft, ...overrides } });
      expect([overrides, response.status, response.body.errors[0]?.path]).toEqual([overrides, 400, path]);
    }
    expect((await gateway.call("GET", "/profile", { token: ada.access_token })).body).toMatchObject({
      email: "ada@example.org",
      roles: ["editor", "reader"],
    });
  });

  it("requires a sign-in within the last 10 minutes to change the email, but not the names", async () => {
    const { gateway, ada } = await open();
    await gateway.database.pool.query("update sessions set signed_in_at = now() - interval '11 minutes'");
    await gateway.identity.everyoneChanged();
    const save = (body: typeof draft) => gateway.call("PUT", "/profile", { token: ada.access_token, body });
    expect(await save(draft)).toMatchObject({ status: 401, body: { errors: [{ code: "sign-in-again" }] } });
    expect((await gateway.call("GET", "/profile", { token: ada.access_token })).body).toMatchObject({ firstName: "Ada" });
    expect(await save({ ...draft, email: " ada@example.org " })).toMatchObject({
      status: 200,
      body: { email: "ada@example.org", firstName: "Augusta Ada" },
    });
    // The first email of an account, too.
    await gateway.database.pool.query("update users set email = null where username = 'ada'");
    expect(await save(draft)).toMatchObject({ status: 401, body: { errors: [{ code: "sign-in-again" }] } });
    const { access_token: token } = (
      await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })
    ).body.token;
    expect(await gateway.call("PUT", "/profile", { token, body: draft })).toMatchObject({ status: 200, body: draft });
  });

  it("ignores username and roles in the request body", async () => {
    const { gateway, ada } = await open();
    const body = { ...draft, username: "root", roles: ["admin"] };
    expect(await gateway.call("PUT", "/profile", { token: ada.access_token, body })).toMatchObject({
      status: 200,
      body: { ...draft, username: "ada", roles: ["editor", "reader"] },
    });
  });

  it("returns markup as the plain text it was stored as", async () => {
    const { gateway, ada } = await open();
    const body = { email: "<b>@x</b>", firstName: "<img src=x onerror=alert(1)>", lastName: "'; drop table users; --" };
    expect((await gateway.call("PUT", "/profile", { token: ada.access_token, body })).body).toMatchObject(body);
  });
});
