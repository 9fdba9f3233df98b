import { createHash } from "node:crypto";
import { nonceSource } from "@fairway/contract/cac";
import * as oidc from "openid-client";
import { type CacSettings, expectsIdToken } from "#openid/cac-settings.ts";
import { Refusal } from "#http/refusal.ts";
import type { Card } from "#identity/card-links.ts";
import { cardRefused } from "#identity/card-sign-in.ts";
import {
  type IssuerCalls,
  IssuerFailure,
  callable,
  clientAuthentication,
  defaultAlgorithms,
  discover,
  messageOf,
  reasonOf,
  withIssuerFetch,
} from "#openid/issuer-calls.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";

/** The authorization code that a browser brought back from the issuer. */
export interface CardCode {
  readonly code: string;
  readonly codeVerifier: string | undefined;
  /** The redirect address that the code was issued for. */
  readonly redirectUri: URL;
}

interface IssuerParts {
  readonly settings: CacSettings;
  readonly policy: AddressPolicy;
  /** Never receives codes, tokens or secrets. */
  readonly log: { warn(details: object, message: string): void };
}

const maxSubjectLength = 500;
const endpoints = "token or user information endpoint";

/** OpenID Connect client of the service that reads cards and identifies their holders. */
export class CardIssuer {
  readonly #parts: IssuerParts;
  #discovery: Promise<oidc.Configuration> | undefined;

  constructor(parts: IssuerParts) {
    this.#parts = parts;
  }

  /** Identifies the issuer: a subject is only unique within it. */
  get name(): string {
    const { issuer, authUrl } = this.#parts.settings;
    return issuer ?? authUrl;
  }

  /**
   * Exchanges a code for the card it was issued for. Refuses with `wrong-credentials` when the issuer rejects the code or the
   * nonce does not match, and with `upstream-failed` when the issuer is unreachable or its response is unusable.
   */
  async read(cardCode: CardCode): Promise<Card> {
    try {
      const subject = await this.#subjectOf(cardCode);
      const hash = createHash("sha256")
        .update(JSON.stringify([this.name, subject]))
        .digest("hex");
      return { issuer: this.name, hash };
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  async #subjectOf({ code, codeVerifier, redirectUri }: CardCode): Promise<string> {
    const { settings } = this.#parts;
    const configuration = await this.#configuration();
    const callbackUrl = new URL(redirectUri);
    callbackUrl.searchParams.set("code", code);
    const idTokenExpected = expectsIdToken(settings);
    const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, {
      idTokenExpected,
      ...(settings.pkce && codeVerifier !== undefined ? { pkceCodeVerifier: codeVerifier } : {}),
      ...(idTokenExpected && codeVerifier !== undefined ? { expectedNonce: nonceOf(codeVerifier) } : {}),
    });
    const userInfo = new URL(callable(configuration.serverMetadata().userinfo_endpoint, endpoints));
    const user = await readUser(await oidc.fetchProtectedResource(configuration, tokens.access_token, userInfo, "GET"));
    const claims = tokens.claims();
    if (claims !== undefined && user["sub"] !== claims.sub) throw new IssuerFailure("its user information is about a different subject");
    return subjectOf(user, settings.subjectClaim);
  }

  /** Runs discovery on first use, so that an unreachable issuer does not keep the portal from starting. Retried after a failure. */
  #configuration(): Promise<oidc.Configuration> {
    this.#discovery ??= this.#open().catch((error: unknown) => {
      this.#discovery = undefined;
      throw error;
    });
    return this.#discovery;
  }

  async #open(): Promise<oidc.Configuration> {
    const { settings } = this.#parts;
    const { clientId } = settings;
    const discovered = await this.#discover();
    const token_endpoint = callable(settings.tokenUrl ?? discovered?.token_endpoint, endpoints);
    const userinfo_endpoint = callable(settings.userInfoUrl ?? discovered?.userinfo_endpoint, endpoints);
    const server = {
      issuer: settings.issuer ?? new URL(settings.authUrl).origin,
      token_endpoint,
      userinfo_endpoint,
      id_token_signing_alg_values_supported: discovered?.id_token_signing_alg_values_supported ?? defaultAlgorithms,
    };
    const authentication = clientAuthentication(settings.clientSecret, settings.clientAuthentication);
    return withIssuerFetch(new oidc.Configuration(server, clientId, undefined, authentication), this.#calls);
  }

  async #discover(): Promise<Readonly<oidc.ServerMetadata> | undefined> {
    const { issuer, tokenUrl, userInfoUrl, clientId } = this.#parts.settings;
    if (issuer === undefined || (tokenUrl !== undefined && userInfoUrl !== undefined)) return undefined;
    return discover(issuer, clientId, this.#calls);
  }

  get #calls(): IssuerCalls {
    const { policy, settings } = this.#parts;
    return { service: "card issuer", policy, timeoutMs: settings.timeoutMs };
  }

  #refusal(error: unknown): unknown {
    if (error instanceof oidc.ResponseBodyError && error.error === "invalid_grant") return cardRefused();
    if (error instanceof oidc.ClientError && /nonce/.test(messageOf(error.cause))) return cardRefused();
    const reason = reasonOf(error);
    if (reason === undefined) return error;
    this.#parts.log.warn({ reason }, "the card issuer could not be used");
    return new Refusal("upstream-failed", "The card issuer cannot be used right now. Try again later, or use your password.");
  }
}

const nonceOf = (codeVerifier: string): string => createHash("sha256").update(nonceSource(codeVerifier)).digest("base64url");

async function readUser(response: Response): Promise<Record<string, unknown>> {
  if (response.status !== 200) throw new IssuerFailure(`its user information endpoint responded with ${response.status}`);
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers.get("content-type") ?? ""))
    throw new IssuerFailure("its user information is not JSON");
  let user: unknown;
  try {
    user = JSON.parse(await response.text());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (typeof user !== "object" || user === null || Array.isArray(user))
    throw new IssuerFailure("its user information is not a JSON object");
  return { ...user };
}

function subjectOf(user: Record<string, unknown>, claim: string): string {
  const value = Object.hasOwn(user, claim) ? user[claim] : undefined;
  const subject = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof subject === "string" && subject.trim() !== "" && subject.length <= maxSubjectLength) return subject;
  throw new IssuerFailure(`its user information has no usable ${JSON.stringify(claim)}`);
}
