import { type OidcConfiguration, oidc, oidcReturnPath } from "@fairway/contract/oidc";
import { type Capability, implement } from "#capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Identity } from "#identity/identity.ts";
import type { ProviderProof } from "#identity/provider-sessions.ts";
import type { ReadPerson } from "#identity/provider-sign-in.ts";
import type { MasterKey } from "#master-key.ts";
import { type OpenIdProvider, notSignedIn } from "#openid/provider.ts";
import { type PendingRequest, newRequest, openRequest, sealRequest } from "./requests.ts";

interface OidcParts {
  readonly identity: Pick<Identity, "loginByProvider" | "countSignInAttempt" | "spendCode">;
  /** Undefined when no provider is configured. */
  readonly provider: OpenIdProvider | undefined;
  /** The portal's public address as configured by the operator; the origin of the request when undefined. */
  readonly publicUrl: string | undefined;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
}

export interface Oidc extends Capability {
  /** What browsers need to know about the provider; null without one. */
  readonly publicConfiguration: OidcConfiguration | null;
}

/** Difference of clocks between portal and provider that does not matter. */
const clockToleranceMs = 60_000;

/** Signing in at the organization's OpenID Connect provider. */
export const openOidc = (parts: OidcParts): Oidc => ({
  publicConfiguration: parts.provider === undefined ? null : { displayName: parts.provider.displayName },
  routes: { oidc: implement(oidc, handlers(parts)) },
});

const handlers = ({ identity, provider, publicUrl, masterKey }: OidcParts): Handlers<typeof oidc> => {
  const requireProvider = (): OpenIdProvider => {
    if (provider === undefined) throw new Refusal("not-found", "No OpenID Connect provider is configured here.");
    return provider;
  };
  /** Each request is accepted once. A code belongs to one request by its nonce, so it is accepted once as well. */
  const requireUnused = async (request: PendingRequest): Promise<void> => {
    if (!(await identity.spendCode(request.state))) throw notSignedIn(requireProvider().displayName);
  };
  return {
    request: async ({ body, ip, origin }) => {
      const { again } = body;
      requireProvider();
      await identity.countSignInAttempt({ ip });
      const request = newRequest(new URL(oidcReturnPath, publicUrl ?? origin), again);
      const address = await requireProvider().authorizationAddress(request, new URL(request.redirectUri), { again });
      return { address, state: request.state, request: sealRequest(masterKey, request) };
    },
    login: (call) => {
      const { body, ip, userAgent, isDirect, origin } = call;
      const { displayName } = requireProvider();
      const read: ReadPerson = async () => {
        const request = openRequest(masterKey, body.request);
        // The browser compares them, too. A response of another request is not sent to the provider.
        if (request === undefined || request.state !== body.state) throw notSignedIn(displayName);
        await requireUnused(request);
        const { code, state, iss } = body;
        const proof = await requireProvider().exchange({ code, state, iss, redirectUri: new URL(request.redirectUri) }, request);
        if (request.again) requireAuthenticatedAgain(proof, request, displayName);
        return proof;
      };
      return identity.loginByProvider(read, displayName, { ip, userAgent, isDirect, origin }, (person) => call.callerIs(person));
    },
  };
};

/** A provider that ignores `prompt` and `max_age` would confirm anyone who found the browser open. */
function requireAuthenticatedAgain({ authenticatedAtMs }: ProviderProof, { startedMs }: PendingRequest, displayName: string): void {
  if (authenticatedAtMs !== undefined && authenticatedAtMs >= startedMs - clockToleranceMs) return;
  throw new Refusal("forbidden", `${displayName} did not ask you to sign in again, so this cannot be confirmed. Tell your administrator.`);
}
