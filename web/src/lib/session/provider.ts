import { type OidcRequest, oidc, oidcReturnPaths } from "@fairway/contract/oidc";
import { z } from "zod";
import { call } from "../gateway/call.ts";
import { clearResponse, issuerResponse, readPending } from "./redirect-return.ts";
import { loginAddress } from "./return-address.ts";

/** The result of a redirect back from the organization's OpenID Connect provider. */
export type ProviderReturn =
  | { readonly kind: "response"; readonly request: string; readonly code: string; readonly state: string; readonly iss?: string }
  /** The provider returned no code, for example because the user canceled. */
  | { readonly kind: "failed" };

const storageKey = "fairway.provider";

type Screen = keyof typeof oidcReturnPaths;

/** The request with which this tab left for the provider. */
const pendingRequest = z.object({
  screen: z.enum(Object.keys(oidcReturnPaths) as [Screen, ...Screen[]]),
  state: z.string(),
  request: z.string(),
  /** The screen's query, restored after the redirect. */
  query: z.string(),
});

/** Leaves Login for the provider, which returns to it. Rejects with GatewayError. */
export async function leaveForProvider(): Promise<void> {
  leave("login", location.search, await call(oidc.request, { body: { again: false } }));
}

/**
 * Like `leaveForProvider`, for a signed-in user who must authenticate again. Returns to the current page through Login.
 * `beforeLeaving` is called when nothing can fail any more.
 */
export async function leaveToAuthenticateAgain(beforeLeaving: () => void): Promise<void> {
  const request = await call(oidc.request, { body: { again: true } });
  beforeLeaving();
  leave("login", new URL(loginAddress(location), location.origin).search, request);
}

/** Leaves Sign-in Methods for the provider, to link the account. Rejects with GatewayError. */
export async function leaveToLink(): Promise<void> {
  leave("link", location.search, await call(oidc.requestLink, {}));
}

function leave(screen: Screen, query: string, { address, state, request }: OidcRequest): void {
  sessionStorage.setItem(storageKey, JSON.stringify({ screen, state, request, query }));
  location.assign(address);
}

/**
 * Removes the provider's response from the URL and returns it. Null if there is none that this tab has requested: otherwise, a
 * link with someone else's response could sign a user in to a foreign account. Must run before anything else reads the URL.
 */
export function takeProviderReturn(screen: Screen): ProviderReturn | null {
  const response = issuerResponse();
  const pending = readPending(storageKey, pendingRequest);
  if (response === null || pending?.screen !== screen || response.get("state") !== pending.state) return null;
  sessionStorage.removeItem(storageKey);
  clearResponse(pending.query);
  const [code, iss] = [response.get("code"), response.get("iss")];
  if (code === null || response.has("error")) return { kind: "failed" };
  return { kind: "response", request: pending.request, state: pending.state, code, ...(iss === null ? {} : { iss }) };
}
