import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AdapterFactory, Provider } from "oidc-provider";

/** A running OpenID Connect provider that signs anyone in by the name that is typed. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientSecret: string;
  readonly stop: () => void;
}

/** Starts one whose only client is the portal at this address. The name that somebody types is subject and username. */
export async function startIdentityProvider(portal: string): Promise<IdentityProvider> {
  const clientSecret = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handle = (await openProvider(issuer, portal, clientSecret)).callback();
  return {
    issuer,
    clientSecret,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

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
