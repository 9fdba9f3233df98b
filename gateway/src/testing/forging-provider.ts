import { type KeyObject, createHmac, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Json = Readonly<Record<string, unknown>>;

export interface TestKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** An OpenID Connect provider whose responses a test forges. It knows no passwords: whoever asks gets what `tokens` says. */
export interface ForgingProvider {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Paths of all calls so far, with their methods. */
  readonly calls: string[];
  /** Overrides the discovery document. */
  discovery: Json;
  /** Keys that it publishes. ID tokens are signed with the last one. */
  keys: TestKey[];
  /** The response of the token endpoint to an authorization request with this nonce. */
  tokens: (nonce: string) => unknown;
  /** The response of the user information endpoint; undefined: there is no such endpoint. */
  userInformation: Json | undefined;
  /** Responds instead of an endpoint; false leaves it to the endpoint. */
  intercept: (path: string, response: ServerResponse) => boolean;
  /** Claims of an ID token without faults. */
  claims(nonce: string | undefined, overrides?: Json): Json;
  /** Signs what it says with the last key. */
  signed(claims: Json, options?: { header?: Json; key?: TestKey }): string;
  /** A logout token without faults, except that it names neither a session nor a person. */
  logoutToken(overrides: Json, options?: { header?: Json; key?: TestKey }): string;
  signIn(address: string): Promise<URL>;
}

let keys: readonly TestKey[] = [];

/** Two RSA keys, which take long to make. */
export function testKeys(): readonly TestKey[] {
  if (keys.length === 0) keys = ["key-1", "key-2"].map(newKey);
  return keys;
}

function newKey(kid: string): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { kid, privateKey, publicKey };
}

/** Starts a provider that is closed when the test has finished. */
export async function forgingProvider(): Promise<ForgingProvider> {
  let nonce = "";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://provider");
    provider.calls.push(`${request.method} ${pathname}`);
    request.resume();
    if (provider.intercept(pathname, response)) return;
    const body = endpoints[pathname]?.();
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoints: Readonly<Record<string, () => unknown>> = {
    "/.well-known/openid-configuration": () => ({
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
      response_types_supported: ["code"],
      id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
      authorization_response_iss_parameter_supported: true,
      ...(provider.userInformation === undefined ? {} : { userinfo_endpoint: `${url}/me` }),
      ...provider.discovery,
    }),
    "/keys": () => ({
      keys: provider.keys.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" })),
    }),
    "/token": () => provider.tokens(nonce),
    "/me": () => provider.userInformation,
  };
  const provider: ForgingProvider = {
    url,
    clientId: "fairway",
    clientSecret: "a secret of the portal and its provider",
    calls: [],
    discovery: {},
    keys: testKeys().slice(0, 1),
    tokens: (asked) => tokenResponse(provider.signed(provider.claims(asked))),
    userInformation: undefined,
    intercept: () => false,
    claims: (asked, overrides = {}) => {
      const nowSeconds = Math.floor(Date.now() / 1_000);
      return {
        iss: url,
        sub: "sub-1",
        aud: "fairway",
        iat: nowSeconds,
        exp: nowSeconds + 60,
        auth_time: nowSeconds,
        nonce: asked,
        preferred_username: "marie",
        ...overrides,
      };
    },
    signed: (claims, { header = {}, key = provider.keys.at(-1) ?? testKeys()[0] } = {}) =>
      signJwt({ alg: "RS256", kid: key?.kid, ...header }, claims, key?.privateKey),
    logoutToken: (overrides, options = {}) => {
      const { iss, aud, iat, exp } = provider.claims(undefined);
      const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
      const header = { typ: "logout+jwt", ...options.header };
      return provider.signed({ iss, aud, iat, exp, jti: randomUUID(), events, ...overrides }, { ...options, header });
    },
    signIn: (address) => {
      const { searchParams } = new URL(address);
      nonce = searchParams.get("nonce") ?? "";
      const redirect = new URL(searchParams.get("redirect_uri") ?? "");
      redirect.search = new URLSearchParams({ code: randomUUID(), state: searchParams.get("state") ?? "", iss: url }).toString();
      return Promise.resolve(redirect);
    },
  };
  return provider;
}

export const tokenResponse = (idToken: string, more: Json = {}): Json => ({
  access_token: "access",
  token_type: "Bearer",
  id_token: idToken,
  ...more,
});

/** Signs with the algorithm of the header: RS256, HS256 with the given text, or none. */
export function signJwt(header: Json, claims: Json, key: KeyObject | string | undefined): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature =
    typeof key === "string" ? createHmac("sha256", key).update(text).digest() : key && sign("sha256", Buffer.from(text), key);
  return `${text}.${signature?.toString("base64url") ?? ""}`;
}
