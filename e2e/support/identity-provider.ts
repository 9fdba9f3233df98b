import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { AdapterFactory, KoaContextWithOIDC, Provider } from "oidc-provider";

/** A running OpenID Connect provider that signs anyone in by the name that is typed. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientSecret: string;
  readonly stop: () => void;
}

/** Starts one whose only client is the portal at this address. The name that somebody types is subject and username. */
export async function startIdentityProvider(portal: string): Promise<IdentityProvider> {
  const clientSecret = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    void (request.url?.startsWith("/person/") ? askWho(provider, request, response) : handle(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await openProvider(issuer, portal, clientSecret);
  const handle = provider.callback();
  return {
    issuer,
    clientSecret,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The page that asks for the name, and its answer. */
async function askWho(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "POST") {
    const accountId = new URLSearchParams(await text(request)).get("login") ?? "";
    return provider.interactionFinished(request, response, { login: { accountId } });
  }
  const fields = '<input name="login" aria-label="Name"><input name="password" type="password" aria-label="Password">';
  response.setHeader("content-type", "text/html");
  response.end(`<!doctype html><title>Sign-in</title><form method="post">${fields}<button>Sign-in</button></form>`);
}

const minute = 60;

async function openProvider(issuer: string, portal: string, clientSecret: string): Promise<Provider> {
  const importPart = (path: string): Promise<unknown> => import(`oidc-provider/lib/${path}.js`);
  // Imports the internals: the package's entry point prints a warning on Node.js versions that still work.
  const { Provider: OpenIdProvider } = (await importPart("provider")) as { Provider: typeof Provider };
  const { createMemoryAdapter } = (await importPart("adapters/memory_adapter")) as { createMemoryAdapter: () => AdapterFactory };
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  return new OpenIdProvider(issuer, {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: "fairway",
        client_secret: clientSecret,
        redirect_uris: [`${portal}/login`, `${portal}/sign-in-methods`],
        post_logout_redirect_uris: [`${portal}/login`],
        response_types: ["code"],
        grant_types: ["authorization_code", "refresh_token"],
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    claims: { openid: ["sub"], profile: ["preferred_username", "given_name", "family_name"], email: ["email"] },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx: KoaContextWithOIDC, form: string) => {
          const button = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';
          ctx.body = `<!doctype html><title>Sign out</title>${form}${button}`;
        },
      },
    },
    interactions: { url: (_ctx: KoaContextWithOIDC, { uid }: { uid: string }) => `/person/${uid}` },
    ttl: {
      AccessToken: minute,
      AuthorizationCode: minute,
      IdToken: minute,
      Interaction: 10 * minute,
      Session: 60 * minute,
      Grant: 60 * minute,
      RefreshToken: 30 * minute,
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, given_name: "Marie", family_name: "Curie", email: "marie@example.org" }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId ?? "", clientId: oidc.client?.clientId ?? "" });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  });
}
