import type { CacConfiguration } from "@fairway/contract/cac";
import { expect } from "vitest";

/** A card issuer that the gateway is configured with. */
export const cardIssuer: CacConfiguration = {
  clientId: "fairway",
  authUrl: "https://cards.example.org/auth",
  scope: "UserProfile.me",
  domain: "DefaultDomain",
  pkce: true,
  nonce: true,
};

/** A random value that only this page knows, or the hash of one. */
export const cardSecret: unknown = expect.stringMatching(/^[\w-]{43}$/);

/** The parameters of a request to the card issuer that returns to this address. */
export const cardRequest = (redirectUri: string): Record<string, unknown> => ({
  client_id: "fairway",
  redirect_uri: redirectUri,
  response_type: "code",
  domain: "DefaultDomain",
  scope: "UserProfile.me",
  state: cardSecret,
  nonce: cardSecret,
  code_challenge: cardSecret,
  code_challenge_method: "S256",
});
