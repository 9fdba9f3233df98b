import { type OidcConfiguration, type OidcLink, type OidcRequest, oidc, oidcReturnPaths } from "@fairway/contract/oidc";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Identity } from "#identity/identity.ts";
import { personHash } from "#identity/provider-links.ts";
import type { ProviderProof } from "#identity/provider-sessions.ts";
import type { ReadPerson } from "#identity/provider-sign-in.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { type OpenIdProvider, notSignedIn } from "#openid/provider.ts";
import { type PendingRequest, newRequest, openRequest, sealRequest } from "./requests.ts";

interface OidcParts {
  readonly identity: Pick<
    Identity,
    | "loginByProvider"
    | "logoutFromProvider"
    | "endByProvider"
    | "linkPerson"
    | "personLinkedSince"
    | "unlinkPerson"
    | "requireFreshSignIn"
    | "countSignInAttempt"
    | "spendCode"
  >;
  /** Undefined when no provider is configured. */
  readonly provider: OpenIdProvider | undefined;
  /** The portal's public address as configured by the operator; the origin of the request when undefined. */
  readonly publicUrl: string | undefined;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
}

export interface Oidc extends Capability {
  /** Values that browsers need to know about the provider; null without one. */
  readonly publicConfiguration: OidcConfiguration | null;
}

/** Difference of clocks between portal and provider that does not matter. */
const clockToleranceMs = 60_000;

const maxLogoutBytes = 20_000;

/** Signing in at the organization's OpenID Connect provider. */
export const openOidc = (parts: OidcParts): Oidc => ({
  publicConfiguration: parts.provider === undefined ? null : { displayName: parts.provider.displayName },
  routes: { oidc: implement(oidc, handlers(parts)) },
});

/** Parameters that a browser brought back from the provider. */
interface Returned {
  readonly request: string;
  readonly code: string;
  readonly state: string;
  readonly iss?: string | undefined;
}

const handlers = ({ identity, provider, publicUrl, masterKey }: OidcParts): Handlers<typeof oidc> => {
  const requireProvider = (): OpenIdProvider => {
    if (provider === undefined) throw new Refusal("not-found", "No OpenID Connect provider is configured here.");
    return provider;
  };
  const start = async (
    screen: keyof typeof oidcReturnPaths,
    purpose: Pick<PendingRequest, "again" | "linksUserId">,
    { ip, origin }: { ip: string; origin: string },
  ): Promise<OidcRequest> => {
    const starting = requireProvider();
    await identity.countSignInAttempt({ ip });
    const redirectUri = new URL(oidcReturnPaths[screen], publicUrl ?? origin);
    const request = newRequest(redirectUri, purpose);
    const address = await starting.authorizationAddress(request, redirectUri, purpose);
    return { address, state: request.state, request: sealRequest(masterKey, request) };
  };
  /** `linksUserId`: the request must have been started to link this user's account; null: to sign in. */
  const personReader = ({ request: sealed, code, state, iss }: Returned, linksUserId: string | null): ReadPerson => {
    const reading = requireProvider();
    return async () => {
      const request = openRequest(masterKey, sealed);
      // The browser compares the states, too. A response of another request is not sent to the provider.
      if (request === undefined || request.state !== state || request.linksUserId !== linksUserId) throw notSignedIn(reading.displayName);
      // Each request is accepted once. A code belongs to one request by its nonce, so it is accepted once as well.
      if (!(await identity.spendCode(request.state))) throw notSignedIn(reading.displayName);
      const proof = await reading.exchange({ code, state, iss, redirectUri: new URL(request.redirectUri) }, request);
      if (request.again) requireAuthenticatedAgain(proof, request, reading.displayName);
      return proof;
    };
  };
  const linkOf = async (userId: string): Promise<OidcLink> => {
    const since = await identity.personLinkedSince(userId, requireProvider().issuer);
    return { linked: since !== undefined, linkedTimestamp: since?.toISOString() ?? null };
  };
  return {
    request: ({ body, ip, origin }) => start("login", { again: body.again, linksUserId: null }, { ip, origin }),
    login: (call) => {
      const { body, ip, userAgent, isDirect, origin } = call;
      const { displayName } = requireProvider();
      const from = { ip, userAgent, isDirect, origin };
      return identity.loginByProvider(personReader(body, null), displayName, from, (person) => call.callerIs(person));
    },
    logout: async ({ body, origin }) => {
      const signingOut = requireProvider();
      const ended = await identity.logoutFromProvider(body.refreshToken);
      if (!ended) return { address: null };
      const returnTo = new URL(oidcReturnPaths.login, publicUrl ?? origin);
      return { address: (await signingOut.endSessionAddress(ended.idToken, returnTo)) ?? null };
    },
    backchannelLogout: async (call) => {
      const telling = requireProvider();
      const token = await logoutTokenOf(call.content);
      const read = async () => {
        const { id, subject, sid } = await telling.readLogoutToken(token);
        const { issuer } = telling;
        return { id, issuer, sid, personHash: subject === undefined ? undefined : personHash(issuer, subject) };
      };
      const user = await identity.endByProvider(read, { ip: call.ip });
      if (user) call.callerIs(user);
      return undefined;
    },
    link: ({ user }) => linkOf(user.id),
    requestLink: ({ user, ip, origin }) => {
      requireProvider();
      identity.requireFreshSignIn(user);
      return start("link", { again: false, linksUserId: user.id }, { ip, origin });
    },
    addLink: async ({ user, body, ip, userAgent, isDirect, origin }) => {
      const { displayName } = requireProvider();
      await identity.linkPerson(user, personReader(body, user.id), displayName, { ip, userAgent, isDirect, origin });
      return linkOf(user.id);
    },
    removeLink: async ({ user }) => {
      const { displayName } = requireProvider();
      identity.requireFreshSignIn(user);
      await identity.unlinkPerson(user, displayName);
      return undefined;
    },
  };
};

/** The token of a form. Refuses with `invalid-request` without exactly one, and with `too-large`. */
async function logoutTokenOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > maxLogoutBytes) throw new Refusal("too-large", `A logout token may have ${maxLogoutBytes} bytes.`);
    chunks.push(chunk);
  }
  const [token, ...more] = new URLSearchParams(Buffer.concat(chunks).toString()).getAll("logout_token");
  if (token === undefined || more.length > 0) {
    throw new Refusal("invalid-request", "The request body needs the form field 'logout_token' once.");
  }
  return token;
}

/** A provider that ignores `prompt` and `max_age` would confirm anyone who found the browser open. */
function requireAuthenticatedAgain({ authenticatedAtMs }: ProviderProof, { startedMs }: PendingRequest, displayName: string): void {
  if (authenticatedAtMs !== undefined && authenticatedAtMs >= startedMs - clockToleranceMs) return;
  throw new Refusal("forbidden", `${displayName} did not ask you to sign in again, so this cannot be confirmed. Tell your administrator.`);
}
