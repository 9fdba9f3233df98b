import type { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { adasPassword } from "#testing/identity-app.ts";
import { type ForgingProvider, forgingProvider, tokenResponse } from "#testing/forging-provider.ts";
import { type OidcApp, oidcApp } from "#testing/oidc-app.ts";

type Claims = Readonly<Record<string, unknown>>;

async function open(options?: Parameters<typeof oidcApp>[1]) {
  const provider = await forgingProvider();
  return { provider, app: await oidcApp(provider, options) };
}

/** Signs in as somebody with these claims. */
async function signIn({ provider, app }: { provider: ForgingProvider; app: OidcApp }, claims: Claims) {
  provider.tokens = (nonce) => tokenResponse(provider.signed(provider.claims(nonce, claims)), { refresh_token: "refresh" });
  return app.providerLogin(await app.returnOf("sub-1"));
}

const unusable = {
  status: 502,
  body: {
    errors: [{ code: "upstream-failed", message: "Harbour ID cannot be used right now. Try again later, or tell your administrator." }],
  },
};

const send = (status: number, type: string, body: string | Buffer) => (response: ServerResponse) =>
  void response.writeHead(status, { "content-type": type }).end(body);

/** Sends a byte now and then, for ever. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
}

const failures: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "never responds": () => {},
  "responds for ever": trickle,
  "closes connections": (response) => void response.destroy(),
  "responds with 500": send(500, "application/json", "{}"),
  "responds with HTML": send(200, "text/html", "<h1>Sign in</h1>"),
  "responds with HTML that claims to be JSON": send(200, "application/json", "<h1>Sign in</h1>"),
  "responds with 10 MB": send(200, "application/json", Buffer.alloc(10_000_000, " ")),
  "responds with null": send(200, "application/json", "null"),
  "responds with a list": send(200, "application/json", "[]"),
  "responds with deeply nested lists": send(200, "application/json", "[".repeat(100_000) + "]".repeat(100_000)),
  "redirects elsewhere": (response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
  "compresses a bomb": (response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(Buffer.alloc(1_000)),
};

it.each(Object.keys(failures))("a provider that %s signs nobody in, and local accounts go on", async (name) => {
  const { provider, app } = await open({ timeoutMs: 250 });
  provider.userInformation = { sub: "sub-1" };
  const start = () => app.call("POST", "/oidc/requests", { body: {} });
  const signsIn = async () => app.providerLogin(await app.returnOf("sub-1"));
  for (const [path, attempt] of [
    ["/.well-known/openid-configuration", start],
    ["/token", signsIn],
    ["/keys", signsIn],
    ["/me", signsIn],
  ] as const) {
    provider.intercept = (called, response) => {
      if (called === path) failures[name]?.(response);
      return called === path;
    };
    // On a busy machine, another call of the attempt may take too long.
    await vi.waitFor(
      async () => {
        expect([path, await attempt()]).toMatchObject([path, unusable]);
        expect(provider.calls.at(-1)).toMatch(new RegExp(`${path}$`));
      },
      { timeout: 60_000 },
    );
  }
  expect((await app.database.pool.query("select from provider_links")).rowCount).toBe(0);
  expect((await app.call("POST", "/auth/login", { body: { username: "ada", password: adasPassword } })).status).toBe(200);
  provider.intercept = () => false;
  await vi.waitFor(async () => expect((await signsIn()).status).toBe(200), { timeout: 60_000 });
});

describe("discovery", () => {
  it.each<[string, Claims]>([
    ["names another issuer", { issuer: "https://evil.example.org" }],
    ["names no issuer", { issuer: undefined }],
    ["names a token endpoint without encryption", { token_endpoint: "http://portal.example.org/token" }],
    ["names no token endpoint", { token_endpoint: undefined }],
    ["names no address to sign in at", { authorization_endpoint: undefined }],
    ["leads browsers to a script", { authorization_endpoint: "javascript:alert(1)//" }],
    ["leads browsers elsewhere without encryption", { authorization_endpoint: "http://evil.example.org/" }],
    ["names endpoints that are no texts", { token_endpoint: 7, authorization_endpoint: {} }],
  ])("that %s starts no sign-in", async (_what, discovery) => {
    const { provider, app } = await open();
    provider.discovery = discovery;
    expect(await app.call("POST", "/oidc/requests", { body: {} })).toMatchObject(unusable);
  });

  it.each([
    { token_endpoint: "https://169.254.169.254/latest/meta-data" },
    { jwks_uri: "https://169.254.169.254/keys" },
    { jwks_uri: "https://[::ffff:169.254.169.254]/keys" },
    { jwks_uri: "http://169.254.169.254/keys" },
    { jwks_uri: "http://localhost.example.org/keys" },
    { jwks_uri: "file:///etc/passwd" },
    { userinfo_endpoint: "https://[fd00:ec2::254]/me" },
  ])("makes the portal call no inner address: %j", async (discovery) => {
    const { provider, app } = await open();
    provider.discovery = discovery;
    expect(await app.providerLogin(await app.returnOf("sub-1"))).toMatchObject(unusable);
    expect(app.logged()).toMatch(/its address may not be called|is not an https address|only HTTP/);
  });

  it("may name keys on another server", async () => {
    const { provider, app } = await open();
    const other = await forgingProvider();
    provider.discovery = { jwks_uri: `${other.url}/keys` };
    expect((await app.providerLogin(await app.returnOf("sub-1"))).status).toBe(200);
    expect(other.calls).toEqual(["GET /keys"]);
  });

  it("that offers only algorithms with shared secrets or none signs nobody in", async () => {
    const { provider, app } = await open();
    provider.discovery = { id_token_signing_alg_values_supported: ["HS256", "none"] };
    expect(await app.providerLogin(await app.returnOf("sub-1"))).toMatchObject(unusable);
  });
});

describe("claims", () => {
  const environment = { OIDC_ROLE_MAPPING: '{"staff":"reader"}' };
  const details = { takeRoles: true, takeGroups: true };
  const many = (count: number) => Array.from({ length: count }, (_, index) => `${"g".repeat(100)}-${index}`);

  it("may have 2,000 values of roles and groups, and not more", async () => {
    const parts = await open({ environment, details });
    const { body, status } = await signIn(parts, { roles: [...many(1_999), "editor"], groups: [...many(1_999), "readers"] });
    expect(status).toBe(200);
    expect(await parts.app.rolesOf(body.token.access_token)).toEqual(["editor", "reader"]);
    expect(await signIn(parts, { roles: many(2_001) })).toMatchObject(unusable);
    expect(await signIn(parts, { groups: many(2_001) })).toMatchObject(unusable);
  });

  it.each<[string, Claims]>([
    [
      "scripts",
      { given_name: "<script>alert(1)</script>", family_name: '"><img src=x onerror=alert(1)>', roles: ["<script>"], groups: ["<b>"] },
    ],
    ["null characters", { given_name: "Ma\0rie", family_name: "\0", email: "m\0@example.org", roles: ["a\0b"], groups: ["\0"], sid: "\0" }],
    ["halves of characters", { given_name: "\ud800", roles: ["\udfff"], groups: ["\ud800"], sid: "\ud800" }],
    ["huge texts", { given_name: "n".repeat(200_000), email: `${"e".repeat(100_000)}@example.org`, roles: ["r".repeat(100_000)] }],
    ["other types", { given_name: {}, family_name: [], email: 7, roles: [null, 7, {}, ["admin"]], groups: { admin: true }, sid: 7 }],
    ["names of what objects inherit", { roles: ["__proto__", "constructor"], groups: ["toString"], given_name: "constructor" }],
    ["SQL", { given_name: "'; drop table users; --", roles: ["'; drop table users; --"], groups: ["{admin}", '","admin'] }],
  ])("with %s give nothing, and break nothing", async (_what, claims) => {
    const parts = await open({ environment, details });
    const { status, body } = await signIn(parts, claims);
    expect(status).toBe(200);
    expect(await parts.app.rolesOf(body.token.access_token)).toEqual([]);
    const { status: profileStatus } = await parts.app.call("GET", "/profile", { token: body.token.access_token });
    expect(profileStatus).toBe(200);
  });

  it.each(["mar\0ie", "\0", "mar\nie", "<script>alert(1)</script>/", "m".repeat(200_000), "\ud800\ud800"])(
    "with a username that nobody can have make no account",
    async (name) => {
      const parts = await open();
      const { status } = await signIn(parts, { preferred_username: name });
      const { rows } = await parts.app.database.pool.query<{ username: string }>(
        "select username from users join provider_links on user_id = id",
      );
      expect([status, rows]).toEqual([403, []]);
    },
  );

  it("with the role of administrators, however it is written, give it only where it is mapped", async () => {
    const parts = await open({ environment, details });
    for (const name of ["admin", "Admin", "ADMIN", " admin", "admin ", "admin\0", "аdmin", "\u202eadmin", "ａｄｍｉｎ"]) {
      const { body } = await signIn(parts, { roles: [name, [name]], groups: [name], role: name, is_admin: true });
      expect(body.errors).toBeUndefined();
      expect(await parts.app.rolesOf(body.token.access_token)).toEqual([]);
    }
    const mapped = await oidcApp(parts.provider, { environment: { OIDC_ROLE_MAPPING: '{"boss":"admin"}' }, peer: parts.app });
    const { body } = await signIn({ ...parts, app: mapped }, { roles: ["boss"] });
    expect(await mapped.rolesOf(body.token.access_token)).toEqual(["admin"]);
  });

  it("with someone else's email make an account of its own", async () => {
    const parts = await open();
    const { status, body } = await signIn(parts, { email: "ada@example.org", email_verified: true });
    expect(status).toBe(200);
    expect((await parts.app.call("GET", "/probe/me", { token: body.token.access_token })).body).toMatchObject({
      username: "marie",
      roles: [],
    });
    const ofAda = await parts.app.call<{ token: { access_token: string } }>("POST", "/auth/login", {
      body: { username: "ada", password: adasPassword },
    });
    expect((await parts.app.call("GET", "/oidc/link", { token: ofAda.body.token.access_token })).body).toMatchObject({ linked: false });
    // Nor does the email sign in.
    expect((await parts.app.call("POST", "/auth/login", { body: { username: "ada@example.org", password: adasPassword } })).status).toBe(
      401,
    );
  });
});
