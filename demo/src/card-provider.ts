import { randomBytes } from "node:crypto";
import type * as OidcProvider from "oidc-provider";
import type { AdapterFactory, JWK, Provider } from "oidc-provider";
import { failedPage } from "./card-pages.ts";

interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** No other URIs are accepted. */
  readonly redirectUris: readonly string[];
  readonly key: JWK;
}

const minute = 60;

/** An OpenID Connect provider that asks for a card at every sign-in. */
export async function openProvider({ issuer, clientId, clientSecret, redirectUris, key }: ProviderOptions): Promise<Provider> {
  const { Provider: OpenIdProvider, interactionPolicy, createMemoryAdapter } = await load();
  const policy = interactionPolicy.base();
  const { Check } = interactionPolicy;
  policy
    .get("login")
    ?.checks.add(
      new Check("card_needed", "a card is read at every sign-in", (ctx) =>
        ctx.oidc.result?.login === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    );
  return new OpenIdProvider(issuer, {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "client_secret_basic",
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [key] },
    cookies: {
      keys: [randomBytes(32).toString("base64url")],
      names: { session: "cards_session", interaction: "cards_card", resume: "cards_resume" },
    },
    scopes: ["openid", "UserProfile.me"],
    extraParams: ["domain"],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `/cards/${uid}` },
    ttl: {
      AccessToken: minute,
      AuthorizationCode: 2 * minute,
      IdToken: 5 * minute,
      Interaction: 10 * minute,
      Session: 10 * minute,
      Grant: 10 * minute,
    },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    // Choosing a card counts as consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId ?? "", clientId: oidc.client?.clientId ?? "" });
      grant.addOIDCScope("openid UserProfile.me");
      await grant.save();
      return grant;
    },
    renderError(ctx, { error_description, error }) {
      const { html, policy: contentPolicy } = failedPage(error_description ?? error);
      ctx.type = "html";
      ctx.set("content-security-policy", contentPolicy);
      ctx.body = html;
    },
  });
}

interface Library extends Pick<typeof OidcProvider, "Provider" | "interactionPolicy"> {
  /** Stores everything in memory. */
  readonly createMemoryAdapter: () => AdapterFactory;
}

/** Imports the package's modules instead of its entry, which prints a warning on older versions of Node.js that still work. */
async function load(): Promise<Library> {
  const part = (path: string): Promise<unknown> => import(`oidc-provider/lib/${path}.js`);
  const [provider, interactionPolicy, adapter] = await Promise.all([
    part("provider"),
    part("helpers/interaction_policy/index"),
    part("adapters/memory_adapter"),
  ]);
  return {
    ...(provider as Pick<Library, "Provider">),
    ...(adapter as Pick<Library, "createMemoryAdapter">),
    interactionPolicy: interactionPolicy as Library["interactionPolicy"],
  };
}
