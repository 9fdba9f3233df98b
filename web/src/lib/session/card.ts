import { type CacConfiguration, cacReturnPaths, nonceSource } from "@fairway/contract/cac";
import { z } from "zod";
import { clearResponse, issuerResponse, readPending } from "./redirect-return.ts";
import { loginAddress } from "./return-address.ts";

type Screen = keyof typeof cacReturnPaths;

/** The result of a redirect back from the card's issuer. */
export type CardReturn =
  | { readonly kind: "code"; readonly code: string; readonly codeVerifier: string; readonly redirectUri: string }
  /** The issuer returned no code, or this tab did not start the request. */
  | { readonly kind: "failed" };

const storageKey = "fairway.card";

/** The request this tab sent to the issuer. The verifier is only sent to the gateway, together with the code. */
const pendingRequest = z.object({
  screen: z.enum(Object.keys(cacReturnPaths) as [Screen, ...Screen[]]),
  state: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
  /** The screen's query, restored after the redirect. */
  query: z.string(),
});
type PendingRequest = z.infer<typeof pendingRequest>;

export interface CardRequest {
  /** The issuer's authorization URL. */
  readonly address: string;
  /** Stores the request and navigates to `address`. */
  readonly leave: () => void;
}

/** Creates an authorization request that redirects back to the screen. Rejects with an Error worded for the user. */
export const createCardRequest = (configuration: CacConfiguration, screen: Screen): Promise<CardRequest> =>
  createRequest(configuration, screen, location.search);

/**
 * Like `createCardRequest`, for a signed-in user who must authenticate again: forces the issuer to ask for the card and
 * returns to the current page through Login.
 */
export const createCardReauthRequest = (configuration: CacConfiguration): Promise<CardRequest> =>
  createRequest(configuration, "login", new URL(loginAddress(location), location.origin).search, "login");

async function createRequest(configuration: CacConfiguration, screen: Screen, query: string, prompt?: "login"): Promise<CardRequest> {
  if (!isSecureContext) throw new Error("Cards work only over HTTPS. Tell your administrator.");
  const redirectUri = location.origin + cacReturnPaths[screen];
  const pending: PendingRequest = { screen, state: randomToken(), codeVerifier: randomToken(), redirectUri, query };
  const address = await issuerAddress(configuration, pending, prompt);
  const leave = () => {
    sessionStorage.setItem(storageKey, JSON.stringify(pending));
    location.assign(address);
  };
  return { address, leave };
}

async function issuerAddress(configuration: CacConfiguration, pending: PendingRequest, prompt: string | undefined): Promise<string> {
  const { authUrl, clientId, domain, scope, pkce, nonce } = configuration;
  const url = new URL(authUrl);
  const { state, codeVerifier, redirectUri } = pending;
  const query = { client_id: clientId, redirect_uri: redirectUri, response_type: "code", domain, scope, state };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (prompt !== undefined) url.searchParams.set("prompt", prompt);
  if (pkce) {
    url.searchParams.set("code_challenge", await sha256(codeVerifier));
    url.searchParams.set("code_challenge_method", "S256");
  }
  if (nonce) url.searchParams.set("nonce", await sha256(nonceSource(codeVerifier)));
  return url.href;
}

/**
 * Removes the issuer's response from the URL and returns it; null if there is none. Must run before anything else reads
 * the URL.
 */
export function takeCardReturn(screen: Screen): CardReturn | null {
  const response = issuerResponse();
  if (response === null) return null;
  const pending = readPending(storageKey, pendingRequest);
  sessionStorage.removeItem(storageKey);
  const isOurs = pending !== null && pending.screen === screen && response.get("state") === pending.state;
  clearResponse(isOurs ? pending.query : undefined);
  const code = response.get("code");
  if (!isOurs || code === null || response.has("error")) return { kind: "failed" };
  return { kind: "code", code, codeVerifier: pending.codeVerifier, redirectUri: pending.redirectUri };
}

/** 256 random bits. */
const randomToken = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

async function sha256(text: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
