import { createHash } from "node:crypto";
import { nonceSource } from "@fairway/contract/cac";
import * as oidc from "openid-client";
import { type CacSettings, expectsIdToken, isCallable } from "#cac-settings.ts";
import { Refusal } from "#http/refusal.ts";
import type { Card } from "#identity/card-links.ts";
import { cardRefused } from "#identity/card-sign-in.ts";
import { AddressRefused, type AddressPolicy } from "#outbound/address-policy.ts";
import { AnswerRefused, boundedFetch } from "#outbound/bounded-fetch.ts";
import { systemCode } from "#system-code.ts";

/** What a browser brought back from the issuer. */
export interface CardCode {
  readonly code: string;
  readonly codeVerifier: string | undefined;
  /** The one that the code was asked for with. */
  readonly redirectUri: URL;
}

interface IssuerParts {
  readonly settings: CacSettings;
  readonly policy: AddressPolicy;
  /** Given no code, token or secret to write. */
  readonly log: { warn(details: object, message: string): void };
}

/** Tokens and user information are small; a megabyte of them is somebody's mistake, or worse. */
const maxAnswerBytes = 256_000;
const longestSubject = 500;
/** Where discovery does not tell. */
const usualAlgorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

/** The issuer cannot be used as it answers. The message goes into the log. */
class IssuerFailure extends Error {}

/** The service that reads cards and vouches for who holds them. */
export class CardIssuer {
  readonly #parts: IssuerParts;
  #opened: Promise<oidc.Configuration> | undefined;

  constructor(parts: IssuerParts) {
    this.#parts = parts;
  }

  /** Names the issuer for as long as its subjects mean the same people. */
  get name(): string {
    const { issuer, authUrl } = this.#parts.settings;
    return issuer ?? authUrl;
  }

  /**
   * Turns a code in for the card that it stands for. Refuses with `wrong-credentials` when the issuer does not accept the
   * code or vouches for another request, with `upstream-failed` when it cannot be asked or answers what cannot be used.
   */
  async read(turnedIn: CardCode): Promise<Card> {
    try {
      const subject = await this.#subjectOf(turnedIn);
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
    const answered = new URL(redirectUri);
    answered.searchParams.set("code", code);
    const idTokenExpected = expectsIdToken(settings);
    const tokens = await oidc.authorizationCodeGrant(configuration, answered, {
      idTokenExpected,
      ...(settings.pkce && codeVerifier !== undefined ? { pkceCodeVerifier: codeVerifier } : {}),
      ...(idTokenExpected && codeVerifier !== undefined ? { expectedNonce: nonceOf(codeVerifier) } : {}),
    });
    const userInfo = new URL(callable(configuration.serverMetadata().userinfo_endpoint));
    const user = await userOf(await oidc.fetchProtectedResource(configuration, tokens.access_token, userInfo, "GET"));
    const claims = tokens.claims();
    if (claims !== undefined && user["sub"] !== claims.sub) throw new IssuerFailure("its user information is of somebody else");
    return subjectOf(user, settings.subjectClaim);
  }

  /** Discovered at the first use, so that an issuer that is away keeps no portal from starting; and again after a failure. */
  #configuration(): Promise<oidc.Configuration> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #open(): Promise<oidc.Configuration> {
    const { settings } = this.#parts;
    const { clientId } = settings;
    const discovered = await this.#discover();
    const token_endpoint = callable(settings.tokenUrl ?? discovered?.token_endpoint);
    const userinfo_endpoint = callable(settings.userInfoUrl ?? discovered?.userinfo_endpoint);
    const server = {
      issuer: settings.issuer ?? new URL(settings.authUrl).origin,
      token_endpoint,
      userinfo_endpoint,
      id_token_signing_alg_values_supported: discovered?.id_token_signing_alg_values_supported ?? usualAlgorithms,
    };
    const configuration = new oidc.Configuration(server, clientId, undefined, this.#clientAuthentication());
    configuration[oidc.customFetch] = this.#fetch;
    configuration.timeout = settings.timeoutMs / 1_000;
    // Without https only on this machine: `callable` sees to it.
    oidc.allowInsecureRequests(configuration);
    return configuration;
  }

  async #discover(): Promise<Readonly<oidc.ServerMetadata> | undefined> {
    const { issuer, tokenUrl, userInfoUrl, clientId, timeoutMs } = this.#parts.settings;
    if (issuer === undefined || (tokenUrl !== undefined && userInfoUrl !== undefined)) return undefined;
    const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
      [oidc.customFetch]: this.#fetch,
      execute: [oidc.allowInsecureRequests],
      timeout: timeoutMs / 1_000,
    });
    return found.serverMetadata();
  }

  #clientAuthentication(): oidc.ClientAuth {
    const { clientSecret, clientAuthentication } = this.#parts.settings;
    if (clientSecret === undefined) return oidc.None();
    return clientAuthentication === "post" ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
  }

  readonly #fetch: oidc.CustomFetch = async (address, { method, headers, body, signal }) => {
    const url = new URL(callable(address));
    const text = typeof body === "string" || body instanceof URLSearchParams ? String(body) : undefined;
    const { policy, settings } = this.#parts;
    const limited = signal ?? AbortSignal.timeout(settings.timeoutMs);
    return boundedFetch(policy, maxAnswerBytes, url, { method, headers: { ...headers }, body: text, signal: limited });
  };

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

/** An address that the issuer names itself has to be as safe as one that the operator writes down. */
function callable(address: string | undefined): string {
  if (address !== undefined && isCallable(address)) return address;
  throw new IssuerFailure("it names no address with https where it gives tokens and user information");
}

async function userOf(answer: Response): Promise<Record<string, unknown>> {
  if (answer.status !== 200) throw new IssuerFailure(`its user information was answered with ${answer.status}`);
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(answer.headers.get("content-type") ?? ""))
    throw new IssuerFailure("its user information is not JSON");
  let user: unknown;
  try {
    user = JSON.parse(await answer.text());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (typeof user !== "object" || user === null || Array.isArray(user))
    throw new IssuerFailure("its user information is not an object of JSON");
  return { ...user };
}

function subjectOf(user: Record<string, unknown>, claim: string): string {
  const value = Object.hasOwn(user, claim) ? user[claim] : undefined;
  const subject = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof subject === "string" && subject.trim() !== "" && subject.length <= longestSubject) return subject;
  throw new IssuerFailure(`its user information has no usable ${JSON.stringify(claim)}`);
}

/** In words without anything that opens something; undefined for what is our own mistake. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof IssuerFailure || error instanceof AnswerRefused) return error.message;
  if (error instanceof AddressRefused) return "its address may not be called";
  if (error instanceof oidc.ResponseBodyError) return `it answered ${error.status} ${error.error.slice(0, 100)}`;
  if (error instanceof oidc.WWWAuthenticateChallengeError) return `it answered ${error.status}`;
  if (error instanceof oidc.ClientError) return reasonOf(error.cause) ?? `${error.message}: ${messageOf(error.cause)}`;
  if (error instanceof Error && error.name === "TimeoutError") return "it took too long";
  if (error instanceof Error && error.name === "AbortError") return "it took too long";
  const code = systemCode(error);
  return code !== undefined && /^E[A-Z_]+$/.test(code) ? code : undefined;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message.slice(0, 200) : "");
