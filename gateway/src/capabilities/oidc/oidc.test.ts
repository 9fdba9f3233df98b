import { describe, expect, it, vi } from "vitest";
import { portalOrigin } from "#testing/card-issuer.ts";
import { adasPassword } from "#testing/identity-app.ts";
import { testProvider } from "#testing/identity-provider.ts";
import { type ProviderReturn, oidcApp } from "#testing/oidc-app.ts";

const refused = {
  status: 401,
  body: { errors: [{ code: "wrong-credentials", message: "Harbour ID did not confirm your sign-in. Please try again." }] },
};

const marie = { preferred_username: "marie", given_name: "Marie", family_name: "Curie", email: "marie@example.org" };

const withMarie = async (options?: Parameters<typeof oidcApp>[1]) => {
  const provider = await testProvider();
  provider.people.set("sub-1", marie);
  return { provider, app: await oidcApp(provider, options) };
};

const payloadOf = (token: string): unknown => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

describe("a first sign-in", () => {
  it("makes an account with name and email, which later sign-ins find by issuer and subject, whatever the name", async () => {
    const { provider, app } = await withMarie();
    const { access_token } = await app.signInAs("sub-1");
    const { body: first } = await app.call<{ id: string; username: string }>("GET", "/probe/me", { token: access_token });
    expect(first).toMatchObject({ username: "marie", roles: [] });
    expect(payloadOf(access_token)).toMatchObject({
      name: "Marie Curie",
      email: "marie@example.org",
      from_provider: true,
      passwordless: true,
    });

    provider.people.set("sub-1", { ...marie, preferred_username: "root", family_name: "Skłodowska", email: "m@example.org" });
    const again = await app.signInAs("sub-1");
    expect((await app.call("GET", "/probe/me", { token: again.access_token })).body).toMatchObject({ id: first.id, username: "marie" });
    expect(payloadOf(again.access_token)).toMatchObject({ name: "Marie Skłodowska", email: "m@example.org" });
    expect((await app.database.pool.query("select kind from security_events order by id")).rows).toEqual([
      { kind: "provider-linked" },
      { kind: "email-changed" },
    ]);
  });

  it("of one person in two tabs makes one account", async () => {
    const { app } = await withMarie();
    const returns = [await app.returnOf("sub-1"), await app.returnOf("sub-1")];
    const answers = await Promise.all(returns.map((response) => app.providerLogin(response)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it.each(["ada", "ADA", " ada ", "аda", "a\u200bda", "root"])(
    "does not take over an account with the username %j or one that looks like it",
    async (name) => {
      const { provider, app } = await withMarie();
      provider.people.set("sub-1", { ...marie, preferred_username: name, email: "ada@example.org" });
      const { status, body } = await app.providerLogin(await app.returnOf("sub-1"));
      expect([status, body.errors[0]?.code]).toEqual(name.includes("\u200b") ? [403, "forbidden"] : [409, "name-taken"]);
      expect((await app.database.pool.query("select from provider_links")).rowCount).toBe(0);
    },
  );

  it.each([undefined, "", "a/b", "x", "\u202eeiram", "m".repeat(101), 7])(
    "is refused with a username that cannot be one here: %j",
    async (name) => {
      const { provider, app } = await withMarie();
      provider.people.set("sub-1", { ...marie, preferred_username: name });
      const { status, body } = await app.providerLogin(await app.returnOf("sub-1"));
      expect([status, body.errors[0]?.code]).toEqual([403, "forbidden"]);
      expect(body.errors[0]?.message).toContain("2 to 100 visible characters");
    },
  );

  it("leaves out names and emails that could not be entered here", async () => {
    const { provider, app } = await withMarie();
    provider.people.set("sub-1", { ...marie, given_name: "Ma\u202erie", family_name: undefined, email: `${"m".repeat(400)}@example.org` });
    expect(payloadOf((await app.signInAs("sub-1")).access_token)).toMatchObject({ name: "marie", email: "" });
    provider.people.set("sub-1", { preferred_username: "marie", name: "Marie Curie" });
    expect(payloadOf((await app.signInAs("sub-1")).access_token)).toMatchObject({ name: "Marie Curie" });
  });

  it("after the account was deleted makes a new one without anything of the old", async () => {
    const { app } = await withMarie();
    const before = await app.signInAs("sub-1");
    await app.database.pool.query("delete from users where username = 'marie'");
    await app.identity.everyoneChanged();
    expect(await app.statusOf(before.access_token)).toBe(401);
    const { access_token } = await app.signInAs("sub-1");
    expect((payloadOf(access_token) as { sub: string }).sub).not.toBe((payloadOf(before.access_token) as { sub: string }).sub);
  });
});

describe("an account of a person", () => {
  it("is refused while an administrator has locked it, with a clear message", async () => {
    const { app } = await withMarie();
    const { access_token } = await app.signInAs("sub-1");
    const { body } = await app.call<{ id: string }>("GET", "/probe/me", { token: access_token });
    await app.identity.lockUser(body.id);
    expect(await app.statusOf(access_token)).toBe(401);
    expect(await app.providerLogin(await app.returnOf("sub-1"))).toMatchObject({
      status: 403,
      body: { errors: [{ code: "forbidden", message: "Your account is locked. Ask your administrator." }] },
    });
    await app.identity.unlockUser(body.id);
    await app.signInAs("sub-1");
  });

  it("has no password, and local accounts go on working", async () => {
    const { app } = await withMarie();
    await app.signInAs("sub-1");
    for (const password of ["", "marie", "null"]) {
      expect((await app.call("POST", "/auth/login", { body: { username: "marie", password } })).status).toBe(password === "" ? 400 : 401);
    }
    expect((await app.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })).status).toBe(200);
  });

  it("cannot be locked out by wrong passwords", async () => {
    const { app } = await withMarie({ limits: { lockoutFailuresPerAddress: 2 } });
    await app.signInAs("sub-1");
    for (const password of ["wrong", "wronger", "wrongest"])
      await app.call("POST", "/auth/login", { body: { username: "marie", password } });
    expect((await app.providerLogin(await app.returnOf("sub-1"))).status).toBe(200);
  });

  it("of another issuer with the same subject is another person", async () => {
    const { app } = await withMarie();
    await app.signInAs("sub-1");
    const other = await testProvider();
    other.people.set("sub-1", { ...marie, preferred_username: "other" });
    const otherApp = await oidcApp(other, { peer: app });
    const { access_token } = await otherApp.signInAs("sub-1");
    expect((await otherApp.call("GET", "/probe/me", { token: access_token })).body).toMatchObject({ username: "other" });
  });
});

describe("roles and groups", () => {
  const environment = { OIDC_ROLE_MAPPING: '{"data-analyst":["analyst","reader"]}' };
  const details = { groupMapping: { "/it, staff": "admin" } };
  const allOf = { environment, details: { ...details, takeRoles: true, takeGroups: true } };

  it("are those that the operator maps; others, and admin above all, are not taken", async () => {
    const { provider, app } = await withMarie({ environment, details });
    const roles = async (claims: object) => {
      provider.people.set("sub-1", { ...marie, ...claims });
      return app.rolesOf((await app.signInAs("sub-1")).access_token);
    };
    expect(await roles({ roles: ["admin", "editor", "data-analyst"], groups: ["readers", "admin"] })).toEqual(["analyst", "reader"]);
    expect(await roles({ roles: "data-analyst", groups: ["/it, staff"] })).toEqual(["admin", "analyst", "reader"]);
    // A group with the name of a mapped role is not that role, and the other way around.
    expect(await roles({ roles: ["/it, staff"], groups: ["data-analyst"] })).toEqual([]);
    expect(await roles({ roles: { admin: true }, groups: 7 })).toEqual([]);
  });

  it("are taken by name if the operator says so, except admin, also through a group that holds it", async () => {
    const { provider, app } = await withMarie(allOf);
    await app.database.pool.query(`
      insert into groups (id, name) values ('g', 'chiefs');
      insert into group_roles (group_id, role_id) select 'g', id from roles where name in ('admin', 'editor')`);
    provider.people.set("sub-1", { ...marie, roles: ["admin", "editor", "unheard-of"], groups: ["readers", "chiefs", "unheard-of"] });
    expect(await app.rolesOf((await app.signInAs("sub-1")).access_token)).toEqual(["editor", "reader"]);
    const { rows } = await app.database.pool.query(
      "select name from roles where name = 'unheard-of' union select name from groups where name = 'unheard-of'",
    );
    expect(rows).toEqual([]);
  });

  it("of the provider are replaced at each sign-in, those that an administrator gave stay", async () => {
    const { provider, app } = await withMarie(allOf);
    provider.people.set("sub-1", { ...marie, roles: ["editor", "data-analyst"], groups: ["readers"] });
    const first = await app.signInAs("sub-1");
    await app.database.pool.query(
      "insert into user_roles (user_id, role_id) select users.id, roles.id from users, roles where username = 'marie' and roles.name = 'admin'",
    );
    provider.people.set("sub-1", { ...marie, groups: ["unheard-of"] });
    const second = await app.signInAs("sub-1");
    // Also in the session that was there before.
    for (const { access_token } of [first, second]) expect(await app.rolesOf(access_token)).toEqual(["admin"]);
  });

  it("are found in nested claims", async () => {
    const { provider, app } = await withMarie({ environment, details: { ...details, claims: { roles: "realm_access.roles" } } });
    provider.people.set("sub-1", { ...marie, roles: [], realm_access: { roles: ["data-analyst"] } });
    expect(await app.rolesOf((await app.signInAs("sub-1")).access_token)).toEqual(["analyst", "reader"]);
  });

  it("may be required for a sign-in, of which one is enough", async () => {
    const { provider, app } = await withMarie({
      details: { requiredGroups: ["users", "staff"], requiredRoles: ["portal, user"] },
    });
    const statusWith = async (claims: object) => {
      provider.people.set("sub-1", { ...marie, ...claims });
      return (await app.providerLogin(await app.returnOf("sub-1"))).status;
    };
    for (const claims of [{}, { groups: ["user"] }, { roles: ["staff"] }, { groups: "users, staff" }])
      expect(await statusWith(claims)).toBe(403);
    expect((await app.database.pool.query("select from users where username = 'marie'")).rowCount).toBe(0);
    for (const claims of [{ groups: ["x", "staff"] }, { roles: "portal, user" }]) expect(await statusWith(claims)).toBe(200);
  });
});

describe("a response of the provider", () => {
  it("works once, across gateways", async () => {
    const { provider, app } = await withMarie();
    const second = await oidcApp(provider, { peer: app });
    const response = await app.returnOf("sub-1");
    const answers = await Promise.all([app.providerLogin(response), second.providerLogin(response)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
    expect(await second.providerLogin(response)).toMatchObject(refused);
  });

  it("is refused with the code, the state, the nonce or the issuer of another one", async () => {
    const { provider, app } = await withMarie();
    provider.people.set("sub-2", { ...marie, preferred_username: "mallory" });
    const mixed = async (mix: (own: ProviderReturn, other: ProviderReturn) => Partial<ProviderReturn>) => {
      const [own, other] = [await app.returnOf("sub-1"), await app.returnOf("sub-2")];
      return app.providerLogin({ ...own, ...mix(own, other) });
    };
    // A code that was issued for another request: its PKCE challenge and its nonce are different.
    expect(await mixed((_own, { code }) => ({ code }))).toMatchObject(refused);
    expect(await mixed((_own, { state }) => ({ state }))).toMatchObject(refused);
    expect(await mixed((_own, { request }) => ({ request }))).toMatchObject(refused);
    expect(await mixed((_own, { code, state }) => ({ code, state }))).toMatchObject(refused);
    expect(await mixed(() => ({ iss: "https://evil.example.org" }))).toMatchObject(refused);
    expect(await mixed(({ request }) => ({ request: `${request.slice(0, -2)}AA` }))).toMatchObject(refused);
    expect(await mixed(() => ({ request: "v1.00000000.AAAA" }))).toMatchObject(refused);
    const { iss: _iss, ...withoutIssuer } = await app.returnOf("sub-1");
    expect(await app.providerLogin(withoutIssuer)).toMatchObject(refused);
    expect(await mixed(() => ({ code: "guessed" }))).toMatchObject(refused);
    expect((await app.database.pool.query("select from users where username in ('marie', 'mallory')")).rowCount).toBe(0);
  });

  it("is throttled like passwords: an address with too many failures gets 429", async () => {
    const { app } = await withMarie({ limits: { loginFailuresPerMinute: 3 } });
    const body = { request: "v1.00000000.AAAA", code: "x", state: "x" };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await app.providerLogin(body)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await app.call("POST", "/oidc/requests", { body: {} })).status).toBe(429);
    expect((await app.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })).status).toBe(429);
  });

  it("leads back to the portal's own Login only, whatever host the request names", async () => {
    const { app } = await withMarie();
    const { body } = await app.call<{ address: string }>("POST", "/oidc/requests", { body: {}, headers: { host: "evil.example.org" } });
    const { searchParams } = new URL(body.address);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      redirect_uri: `${portalOrigin}/login`,
      response_type: "code",
      code_challenge_method: "S256",
      scope: "openid profile email",
    });
    for (const name of ["state", "nonce", "code_challenge"]) expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    expect(searchParams.has("prompt")).toBe(false);
  });
});

/** Runs something with the clock of that time. */
async function elevenMinutesAgo(run: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 11 * 60_000 });
  try {
    await run();
  } finally {
    vi.useRealTimers();
  }
}

describe("a recent sign-in", () => {
  it("is one with a recent authentication, which a request with `again` makes the provider ask for", async () => {
    const { app } = await withMarie();
    const browser = new Map<string, string>();
    const statusAfter = async (again: boolean) => {
      const { body } = await app.providerLogin(await app.returnOf("sub-1", { again, browser }));
      const { status } = await app.call("POST", "/profile/sign-in-methods/authenticator", { token: body.token.access_token });
      return status;
    };
    await elevenMinutesAgo(async () => expect(await statusAfter(false)).toBe(200));
    // The provider still knows the browser, so nobody authenticated.
    expect(await statusAfter(false)).toBe(401);
    expect(await statusAfter(true)).toBe(200);
    const { searchParams } = new URL((await app.request({ again: true })).address);
    expect([searchParams.get("prompt"), searchParams.get("max_age")]).toEqual(["login", "0"]);
  });

  it("is not one whose provider ignored the request to authenticate again", async () => {
    const { provider, app } = await withMarie();
    const browser = new Map<string, string>();
    await elevenMinutesAgo(() => app.returnOf("sub-1", { browser }));
    const { address, request } = await app.request({ again: true });
    const url = new URL(address);
    for (const name of ["prompt", "max_age"]) url.searchParams.delete(name);
    const { code, state, iss } = Object.fromEntries((await provider.signIn(url.href, "sub-1", browser)).searchParams);
    expect(await app.providerLogin({ request, code: code ?? "", state: state ?? "", iss: iss ?? "" })).toMatchObject({
      status: 403,
      body: { errors: [{ message: expect.stringContaining("did not ask you to sign in again") as unknown }] },
    });
  });
});

it("an account without a password cannot give itself one, nor change the name that the provider says", async () => {
  const { app } = await withMarie();
  const { access_token: token } = await app.signInAs("sub-1");
  const { status } = await app.call("PUT", "/profile/reset-password", { token, body: { password: "my own secret" } });
  expect(status).toBe(403);
  expect((await app.call("GET", "/profile", { token })).body).toMatchObject({ username: "marie", managed: true });
  const draft = { email: "other@example.org", firstName: "Marie", lastName: "Curie" };
  expect((await app.call("PUT", "/profile", { token, body: draft })).status).toBe(403);
});

it("neither tokens nor codes nor claims of the provider are logged", async () => {
  const { provider, app } = await withMarie();
  const response = await app.returnOf("sub-1");
  await app.providerLogin(response);
  provider.intercept = (_request, answer, path) =>
    path === "/token" && Boolean(answer.writeHead(500).end(`secret ${provider.clientSecret}`));
  await app.providerLogin(await app.returnOf("sub-1"));
  const logged = app.logged();
  expect(logged).toContain("the identity provider did not sign a person in");
  for (const secret of [response.code, response.request, response.state, provider.clientSecret, "marie@example.org"]) {
    expect(logged).not.toContain(secret);
  }
});
