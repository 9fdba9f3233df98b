import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nonceSource } from "@fairway/contract/cac";
import type { AdapterFactory, Provider } from "oidc-provider";
import { onTestFinished } from "vitest";

/** A real OpenID Connect provider. A request names the card that it "reads". */
export interface TestIssuer {
  readonly url: string;
  readonly clientSecret: string;
  /** How many codes it has been asked to exchange so far. */
  readonly exchanged: () => number;
  /** A code for a card, as a browser receives it. */
  codeFor(card: string, options?: CodeOptions): Promise<CardAuthorization>;
}

export interface CodeOptions {
  readonly redirectUri?: string;
  /** Overrides the nonce that is derived from the code verifier. */
  readonly nonce?: string;
}

export interface CardAuthorization {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

export const portalOrigin = "https://portal.example.org";
export const testClient = "portal";

/** Starts an issuer that is closed when the test has finished. */
export async function testIssuer(): Promise<TestIssuer> {
  const clientSecret = randomBytes(24).toString("base64url");
  let exchanged = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://issuer");
    if (url.pathname === "/token") exchanged += 1;
    const card = async () => {
      const { params } = await provider.interactionDetails(request, response);
      await provider.interactionFinished(request, response, { login: { accountId: String(params["login_hint"]) } });
    };
    void (url.pathname.startsWith("/card/") ? card() : handleRequest(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await openProvider(url, clientSecret);
  const handleRequest = provider.callback();
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url,
    clientSecret,
    exchanged: () => exchanged,
    async codeFor(card, { redirectUri = `${portalOrigin}/login`, nonce } = {}) {
      const codeVerifier = randomBytes(32).toString("base64url");
      const query = new URLSearchParams({
        client_id: testClient,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "openid UserProfile.me",
        login_hint: card,
        code_challenge: sha256(codeVerifier),
        code_challenge_method: "S256",
        nonce: nonce ?? sha256(nonceSource(codeVerifier)),
      });
      const returned = await followRedirects(`${url}/auth?${query.toString()}`, url);
      const code = returned.searchParams.get("code");
      if (code === null) throw new Error(`the issuer returned no code: ${returned.search}`);
      return { code, codeVerifier, redirectUri };
    },
  };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** Follows the issuer's redirects with cookies until one leaves the issuer, and returns it. */
export async function followRedirects(start: string, issuer: string, cookies = new Map<string, string>()): Promise<URL> {
  let next = new URL(start);
  while (next.href.startsWith(issuer)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`the issuer responded with ${response.status}: ${await response.text()}`);
    next = new URL(location, next);
  }
  return next;
}

/** Imports the internals: the package's entry point prints a warning on Node.js versions that still work. */
export async function importProvider(): Promise<{ OpenIdProvider: typeof Provider; createMemoryAdapter: () => AdapterFactory }> {
  const importPart = (path: string): Promise<unknown> => import(`oidc-provider/lib/${path}.js`);
  const { Provider: OpenIdProvider } = (await importPart("provider")) as { Provider: typeof Provider };
  const { createMemoryAdapter } = (await importPart("adapters/memory_adapter")) as { createMemoryAdapter: () => AdapterFactory };
  return { OpenIdProvider, createMemoryAdapter };
}

async function openProvider(url: string, clientSecret: string): Promise<Provider> {
  const { OpenIdProvider, createMemoryAdapter } = await importProvider();
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  return new OpenIdProvider(url, {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: testClient,
        client_secret: clientSecret,
        redirect_uris: [`${portalOrigin}/login`, `${portalOrigin}/manage-cac`, "https://elsewhere.example.org/login"],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    scopes: ["openid", "UserProfile.me"],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/card/${uid}` },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 60, Session: 60, Grant: 60 },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId ?? "", clientId: oidc.client?.clientId ?? "" });
      grant.addOIDCScope("openid UserProfile.me");
      await grant.save();
      return grant;
    },
  });
}
