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

/** What a token tells the screen. */
const claims = (token: string): unknown => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));

describe("a profile", () => {
  it("is the caller's own, with all roles in order", async () => {
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

  it("[PROFILE-09] takes email, firstName and lastName, trimmed; the next token carries them, and nobody else's changes", async () => {
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

  it("refuses what is too short or too long, and every field that is not the person's to set, naming it", async () => {
    const { gateway, ada } = await open();
    for (const [more, path] of [
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
      const answer = await gateway.call("PUT", "/profile", { token: ada.access_token, body: { ...draft, ...more } });
      expect([more, answer.status, answer.body.errors[0]?.path]).toEqual([more, 400, path]);
    }
    expect((await gateway.call("GET", "/profile", { token: ada.access_token })).body).toMatchObject({
      email: "ada@example.org",
      roles: ["editor", "reader"],
    });
  });

  it("changes its email after a sign-in of the last 10 minutes only; names can be changed later, too", async () => {
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
    const { access_token: token } = (
      await gateway.call<LoginAnswer>("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })
    ).body.token;
    expect(await gateway.call("PUT", "/profile", { token, body: draft })).toMatchObject({ status: 200, body: draft });
  });

  it("takes a profile as it was read; username and roles stay", async () => {
    const { gateway, ada } = await open();
    const body = { ...draft, username: "root", roles: ["admin"] };
    expect(await gateway.call("PUT", "/profile", { token: ada.access_token, body })).toMatchObject({
      status: 200,
      body: { ...draft, username: "ada", roles: ["editor", "reader"] },
    });
  });

  it("shows markup as the text that it is stored as", async () => {
    const { gateway, ada } = await open();
    const body = { email: "<b>@x</b>", firstName: "<img src=x onerror=alert(1)>", lastName: "'; drop table users; --" };
    expect((await gateway.call("PUT", "/profile", { token: ada.access_token, body })).body).toMatchObject(body);
  });
});
