import { type CacConfiguration, cacReturnPaths, nonceSource } from "@fairway/contract/cac";
import { z } from "zod";
import { loginAddress } from "./session/return-address.ts";

type Screen = keyof typeof cacReturnPaths;

/** What the card's issuer sent this browser back with. */
export type CardReturn =
  | { readonly kind: "code"; readonly code: string; readonly codeVerifier: string; readonly redirectUri: string }
  /** The issuer gave none, or this tab did not ask for it. */
  | { readonly kind: "failed" };

const storageKey = "fairway.card";

/** What this tab asked the issuer for. The verifier never leaves it before the code is here. */
const asked = z.object({
  screen: z.enum(Object.keys(cacReturnPaths) as [Screen, ...Screen[]]),
  state: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
  /** Query of the screen once the browser is back. */
  query: z.string(),
});
type Asked = z.infer<typeof asked>;

/** Everything an issuer may put into the address. */
const answerNames = ["code", "state", "error", "error_description", "error_uri", "iss", "session_state"];

export interface CardRequest {
  /** The issuer's own page, with all that it has to be asked. */
  readonly address: string;
  /** Leaves for it. */
  readonly leave: () => void;
}

/** What the card's issuer is asked, which sends the browser back to the screen. Rejects with an Error that says why it cannot be. */
export const requestOfCard = (configuration: CacConfiguration, screen: Screen): Promise<CardRequest> =>
  requestOf(configuration, screen, location.search);

/**
 * The same for a user who is signed in and has to prove it again: the issuer must ask for the card itself, and the way back
 * leads over Login to this very page.
 */
export const requestOfCardAgain = (configuration: CacConfiguration): Promise<CardRequest> =>
  requestOf(configuration, "login", new URL(loginAddress(location), location.origin).search, "login");

async function requestOf(configuration: CacConfiguration, screen: Screen, query: string, prompt?: "login"): Promise<CardRequest> {
  if (!isSecureContext) throw new Error("Cards can be used over https only. Tell your administrator.");
  const redirectUri = location.origin + cacReturnPaths[screen];
  const ask: Asked = { screen, state: secret(), codeVerifier: secret(), redirectUri, query };
  const address = await issuerAddress(configuration, ask, prompt);
  const leave = () => {
    sessionStorage.setItem(storageKey, JSON.stringify(ask));
    location.assign(address);
  };
  return { address, leave };
}

async function issuerAddress(configuration: CacConfiguration, ask: Asked, prompt: string | undefined): Promise<string> {
  const { authUrl, clientId, domain, scope, pkce, nonce } = configuration;
  const url = new URL(authUrl);
  const { state, codeVerifier, redirectUri } = ask;
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
 * Takes what the issuer put into the address out of it, once. Null when it put nothing there. To be called before anything
 * else looks at the address.
 */
export function takeCardReturn(screen: Screen): CardReturn | null {
  const answer = new URLSearchParams(location.search);
  if (!answer.has("code") && !answer.has("error")) return null;
  const ask = takeAsked();
  const isOurs = ask !== null && ask.screen === screen && answer.get("state") === ask.state;
  history.replaceState(history.state, "", location.pathname + (isOurs ? ask.query : withoutAnswer(answer)) + location.hash);
  const code = answer.get("code");
  if (!isOurs || code === null || answer.has("error")) return { kind: "failed" };
  return { kind: "code", code, codeVerifier: ask.codeVerifier, redirectUri: ask.redirectUri };
}

function takeAsked(): Asked | null {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  try {
    return asked.safeParse(JSON.parse(text ?? "null")).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function withoutAnswer(query: URLSearchParams): string {
  for (const name of answerNames) query.delete(name);
  return query.size === 0 ? "" : `?${query}`;
}

/** 256 random bits. */
const secret = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

async function sha256(text: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
