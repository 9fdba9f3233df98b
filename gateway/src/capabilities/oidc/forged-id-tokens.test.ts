import { describe, expect, it, vi } from "vitest";
import { type ForgingProvider, type TestKey, forgingProvider, signJwt, testKeys, tokenResponse } from "#testing/forging-provider.ts";
import { type OidcApp, oidcApp } from "#testing/oidc-app.ts";

type Claims = Readonly<Record<string, unknown>>;

async function open() {
  const provider = await forgingProvider();
  return { provider, app: await oidcApp(provider) };
}

/** Signs in with an ID token that the test makes of the claims of one without faults. */
async function statusWith({ provider, app }: { provider: ForgingProvider; app: OidcApp }, idToken: (claims: Claims) => string) {
  provider.tokens = (nonce) => tokenResponse(idToken(provider.claims(nonce)));
  return (await app.providerLogin(await app.returnOf("sub-1"))).status;
}

async function expectNobodySignedIn({ database }: OidcApp): Promise<void> {
  const { rows } = await database.pool.query(
    "select (select count(*)::int from sessions) as sessions, (select count(*)::int from provider_links) as links",
  );
  expect(rows).toEqual([{ sessions: 0, links: 0 }]);
}

const mapValues = <T>(of: object, value: (name: string) => T): Record<string, T> =>
  Object.fromEntries(Object.keys(of).map((name) => [name, value(name)]));

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const [ownKey, otherKey] = testKeys() as [TestKey, TestKey];
const pem = ownKey.publicKey.export({ type: "spki", format: "pem" }).toString();
const otherJwk = { ...otherKey.publicKey.export({ format: "jwk" }), kid: "key-1" };

describe("an ID token", () => {
  it("without faults signs in, also with more audiences if it names the portal as the authorized party", async () => {
    const parts = await open();
    expect(await statusWith(parts, (claims) => parts.provider.signed(claims))).toBe(200);
    const audiences = { aud: ["fairway", "another"], azp: "fairway" };
    expect(await statusWith(parts, (claims) => parts.provider.signed({ ...claims, ...audiences }))).toBe(200);
  });

  const signatures: Readonly<Record<string, (claims: Claims) => string>> = {
    "no signature": (claims) => signJwt({ alg: "none" }, claims, undefined),
    "no signature, but the name of a key": (claims) => signJwt({ alg: "None", kid: "key-1" }, claims, undefined),
    "an empty signature of a real algorithm": (claims) => signJwt({ alg: "RS256", kid: "key-1" }, claims, undefined),
    "the public key as a shared secret": (claims) => signJwt({ alg: "HS256", kid: "key-1" }, claims, pem),
    "the client secret as a shared secret": (claims) =>
      signJwt({ alg: "HS256", kid: "key-1" }, claims, "a secret of the portal and its provider"),
    "another key under the name of the provider's": (claims) => signJwt({ alg: "RS256", kid: "key-1" }, claims, otherKey.privateKey),
    "another key that the token brings along": (claims) =>
      signJwt({ alg: "RS256", kid: "key-1", jwk: otherJwk, jku: "https://evil.example.org/keys" }, claims, otherKey.privateKey),
    "a key that the provider does not publish": (claims) => signJwt({ alg: "RS256", kid: "key-2" }, claims, otherKey.privateKey),
    "other claims than were signed": (claims) => {
      const [header, , signature] = signJwt({ alg: "RS256", kid: "key-1" }, claims, ownKey.privateKey).split(".");
      return [header, Buffer.from(JSON.stringify({ ...claims, sub: "sub-2" })).toString("base64url"), signature].join(".");
    },
    "a critical extension": (claims) => signJwt({ alg: "RS256", kid: "key-1", crit: ["exp"] }, claims, ownKey.privateKey),
    "no parts": () => "not a token",
    "text instead of claims": () => `${Buffer.from('{"alg":"RS256"}').toString("base64url")}.bm90IGpzb24.AAAA`,
  };
  it("that is not signed by the provider signs nobody in", async () => {
    const parts = await open();
    const statuses: Record<string, number> = {};
    for (const [name, forge] of Object.entries(signatures)) statuses[`with ${name}`] = await statusWith(parts, forge);
    expect(statuses).toEqual(mapValues(statuses, () => 502));
    await expectNobodySignedIn(parts.app);
  });

  const claims: Readonly<Record<string, () => Claims>> = {
    "another issuer": () => ({ iss: "https://evil.example.org" }),
    "no issuer": () => ({ iss: undefined }),
    "another audience": () => ({ aud: "another" }),
    "several audiences without the portal": () => ({ aud: ["another", "third"], azp: "fairway" }),
    "several audiences and no authorized party": () => ({ aud: ["fairway", "another"] }),
    "several audiences and another authorized party": () => ({ aud: ["fairway", "another"], azp: "another" }),
    "another authorized party": () => ({ azp: "another" }),
    "an expiry in the past": () => ({ exp: nowSeconds() - 31 }),
    "no expiry": () => ({ exp: undefined }),
    "an expiry that is a text": () => ({ exp: String(nowSeconds() + 60) }),
    "an issue in the future": () => ({ iat: nowSeconds() + 120 }),
    "an issue long ago": () => ({ iat: nowSeconds() - 7_200, exp: nowSeconds() + 60 }),
    "no time of issue": () => ({ iat: undefined }),
    "a validity that has not begun": () => ({ nbf: nowSeconds() + 120 }),
    "no subject": () => ({ sub: undefined }),
    "an empty subject": () => ({ sub: " " }),
    "a subject that is a number": () => ({ sub: 7 }),
    "a huge subject": () => ({ sub: "s".repeat(10_000) }),
    "an authentication before all time": () => ({ auth_time: -1 }),
    "no nonce": () => ({ nonce: undefined }),
    "an empty nonce": () => ({ nonce: "" }),
    "the nonce of another sign-in": () => ({ nonce: "another" }),
    "a nonce that is a number": () => ({ nonce: 7 }),
  };
  it("that was not made for the portal, for this sign-in and for now signs nobody in", async () => {
    const parts = await open();
    const statuses: Record<string, number> = {};
    for (const [name, change] of Object.entries(claims)) {
      statuses[`with ${name}`] = await statusWith(parts, (honest) => parts.provider.signed({ ...honest, ...change() }));
    }
    expect(statuses).toEqual(mapValues(statuses, (name) => (/nonce|issuer$/.test(name) ? 401 : 502)));
    await expectNobodySignedIn(parts.app);
  });

  it("that is missing signs nobody in, although the user information names a person", async () => {
    const { provider, app } = await open();
    provider.userInformation = { sub: "sub-1", preferred_username: "marie" };
    provider.tokens = () => ({ access_token: "access", token_type: "Bearer" });
    expect((await app.providerLogin(await app.returnOf("sub-1"))).status).toBe(502);
    await expectNobodySignedIn(app);
  });

  it("of one person with the user information of another signs nobody in", async () => {
    const { provider, app } = await open();
    provider.userInformation = { sub: "sub-2", preferred_username: "marie" };
    expect((await app.providerLogin(await app.returnOf("sub-1"))).status).toBe(502);
    await expectNobodySignedIn(app);
  });

  it.each([nowSeconds() + 86_400, 1e20, 1e300, 0])(
    "with the authentication time %d is no recent sign-in for longer than others",
    async (authTime) => {
      const parts = await open();
      const { provider, app } = parts;
      provider.tokens = (nonce) => tokenResponse(provider.signed(provider.claims(nonce, { auth_time: authTime })));
      const token = await app.signInAs("sub-1");
      expect((await app.call("POST", "/profile/sign-in-methods/authenticator", { token: token.access_token })).status).toBe(401);
    },
  );
});

describe("keys of the provider", () => {
  it("may be replaced: tokens of the new key sign in, those of a key that was withdrawn do not", async () => {
    const parts = await open();
    const { provider } = parts;
    expect(await statusWith(parts, (claims) => provider.signed(claims))).toBe(200);
    provider.keys = [otherKey];
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 301_000 });
    try {
      expect(await statusWith(parts, (claims) => provider.signed(claims))).toBe(200);
      expect(await statusWith(parts, (claims) => signJwt({ alg: "RS256", kid: "key-1" }, claims, ownKey.privateKey))).toBe(502);
    } finally {
      vi.useRealTimers();
    }
  });

  it("are not fetched again for each token with a key that nobody knows", async () => {
    const parts = await open();
    const { provider } = parts;
    for (const kid of ["a", "b", "c", "d"]) {
      expect(await statusWith(parts, (claims) => signJwt({ alg: "RS256", kid }, claims, otherKey.privateKey))).toBe(502);
    }
    expect(provider.calls.filter((call) => call === "GET /keys")).toHaveLength(1);
  });
});
