import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import { onTestFinished } from "vitest";
import { followRedirects, importProvider, portalOrigin } from "./card-issuer.ts";

/** The provider's claims about a person besides the subject. */
export type PersonClaims = Readonly<Record<string, unknown>>;

/** Takes a request instead of the provider; false leaves it to the provider. */
type Intercept = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

/** A real OpenID Connect provider of an organization. */
export interface TestProvider {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** People by subject. Someone who is deleted here is deprovisioned. */
  readonly people: Map<string, PersonClaims>;
  /** Paths of all calls so far. */
  readonly calls: string[];
  /** Replaces the behavior of single endpoints. */
  intercept: Intercept;
  /** Goes to an address of the portal's authorization request as a browser of this person, and returns the redirect to the portal. */
  signIn(address: string, subject: string, browser?: Map<string, string>): Promise<URL>;
}

interface Options {
  /** Default: true. */
  readonly issuesRefreshTokens?: boolean;
}

/** Starts a provider that is closed when the test has finished. Refresh tokens are accepted once, as with Keycloak's strictest setting. */
export async function testProvider({ issuesRefreshTokens = true }: Options = {}): Promise<TestProvider> {
  const clientSecret = randomBytes(24).toString("base64url");
  const people = new Map<string, PersonClaims>();
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://provider").pathname;
    calls.push(path);
    if (test.intercept(request, response, path)) return;
    const interaction = async () => {
      const { params, prompt } = await provider.interactionDetails(request, response);
      if (prompt.name !== "login") throw new Error(`the provider asks for ${prompt.name}`);
      await provider.interactionFinished(request, response, { login: { accountId: String(params["login_hint"]) } });
    };
    void (path.startsWith("/person/") ? interaction() : handle(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await openProvider(url, clientSecret, people, issuesRefreshTokens);
  const handle = provider.callback();
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const test: TestProvider = {
    url,
    clientId: "fairway",
    clientSecret,
    people,
    calls,
    intercept: () => false,
    signIn: (address, subject, browser) => {
      const hinted = new URL(address);
      hinted.searchParams.set("login_hint", subject);
      return followRedirects(hinted.href, url, browser);
    },
  };
  return test;
}

async function openProvider(
  url: string,
  clientSecret: string,
  people: ReadonlyMap<string, PersonClaims>,
  issuesRefreshTokens: boolean,
): Promise<Provider> {
  const { OpenIdProvider, createMemoryAdapter } = await importProvider();
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const scope = "openid profile email";
  return new OpenIdProvider(url, {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: "fairway",
        client_secret: clientSecret,
        redirect_uris: [`${portalOrigin}/login`, `${portalOrigin}/sign-in-methods`],
        post_logout_redirect_uris: [`${portalOrigin}/login`],
        response_types: ["code"],
        grant_types: ["authorization_code", ...(issuesRefreshTokens ? ["refresh_token"] : [])],
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    scopes: ["openid", "profile", "email"],
    claims: {
      openid: ["sub", "auth_time", "roles", "groups", "realm_access"],
      profile: ["preferred_username", "given_name", "family_name", "name"],
      email: ["email"],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx: KoaContextWithOIDC, form: string) => {
          ctx.body = `<!doctype html><title>logout</title>${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`;
        },
      },
    },
    interactions: { url: (_ctx: KoaContextWithOIDC, { uid }: { uid: string }) => `/person/${uid}` },
    issueRefreshToken: () => issuesRefreshTokens,
    rotateRefreshToken: true,
    findAccount: (_ctx, id) => {
      const claims = people.get(id);
      return claims && { accountId: id, claims: () => ({ ...claims, sub: id }) };
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 60, Session: 3_600, Grant: 3_600, RefreshToken: 1_800 },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId ?? "", clientId: oidc.client?.clientId ?? "" });
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
  });
}
