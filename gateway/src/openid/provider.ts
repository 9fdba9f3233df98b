import * as jose from "jose";
import * as oidc from "openid-client";
import { Refusal } from "#http/refusal.ts";
import type { Confirmation, ProviderProof, ProviderTokens, SessionProvider } from "#identity/provider-sessions.ts";
import { WorkLane } from "#identity/work-lane.ts";
import { type OidcSettings, providerTimeoutMs } from "#openid/oidc-settings.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import { type Claims, personOf } from "./claims.ts";
import { authenticatedAtMs, clockToleranceSeconds, requireUsableIdToken } from "./id-token.ts";
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
} from "./issuer-calls.ts";
import { type LogoutNotice, LogoutTokens } from "./logout-token.ts";
import { PersonRefused, fetchUser } from "./user-information.ts";

interface ProviderParts {
  readonly settings: OidcSettings;
  readonly policy: AddressPolicy;
  /** Timeout of one call. */
  readonly timeoutMs?: number;
  /** Never receives codes, tokens or secrets. */
  readonly log: { warn(details: object, message: string): void };
}

/** The secrets of one authorization request. */
export interface RequestSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Parameters of the provider's redirect. */
export interface AuthorizationResponse {
  readonly code: string;
  readonly state: string;
  readonly iss: string | undefined;
  /** The redirect address that the code was issued for. */
  readonly redirectUri: URL;
}

/** Endpoints and keys may change, so they are discovered again after this time. */
const discoveryMs = 3_600_000;
/** Pause after a renewal that did not reach the provider, so that not every page load waits for its timeout. */
const pauseMs = 10_000;
/** More is not kept: some browsers and proxies refuse such long addresses at a logout. */
const maxIdTokenCharacters = 6_000;
const maxTokenCharacters = 100_000;
/** Holds an ID token and an access token with as many roles and groups as are read. */
const maxResponseBytes = 1_000_000;
// Renewals wait here instead of opening a connection each.
const [maxConcurrentRenewals, maxWaitingRenewals] = [32, 2_000];

/** OpenID Connect client of the organization's provider. */
export class OpenIdProvider implements SessionProvider {
  readonly #parts: ProviderParts;
  readonly #calls: IssuerCalls;
  readonly #logoutTokens: LogoutTokens;
  readonly #renewals = new WorkLane(maxConcurrentRenewals, maxWaitingRenewals);
  #discovery: { readonly configuration: Promise<oidc.Configuration>; readonly staleAtMs: number } | undefined;
  #pausedUntilMs = 0;

  constructor(parts: ProviderParts) {
    const { settings, policy, timeoutMs = providerTimeoutMs } = parts;
    const { issuer, clientId, ca } = settings;
    this.#parts = parts;
    this.#calls = { service: "identity provider", policy, timeoutMs, maxResponseBytes, ca };
    this.#logoutTokens = new LogoutTokens({ issuer, clientId, calls: this.#calls });
  }

  get issuer(): string {
    return this.#parts.settings.issuer;
  }

  get displayName(): string {
    return this.#parts.settings.displayName;
  }

  /**
   * The address at which a browser requests a code. With `again`, the provider has to ask the person to authenticate, even if it
   * knows who it is. Refuses with `upstream-failed`.
   */
  async authorizationAddress(secrets: RequestSecrets, redirectUri: URL, { again }: { again: boolean }): Promise<string> {
    return this.#refusing(async () => {
      const configuration = await this.#configuration();
      callable(configuration.serverMetadata().authorization_endpoint, "authorization endpoint");
      const { state, nonce, codeVerifier } = secrets;
      return oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri.href,
        scope: this.#parts.settings.scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
        ...(again ? { prompt: "login", max_age: "0" } : {}),
      }).href;
    });
  }

  /**
   * Exchanges a code for the person it was issued for. Refuses with `wrong-credentials` when the provider rejects the code or its
   * response belongs to another request, and with `upstream-failed` when the provider is unreachable or its response is unusable.
   */
  async exchange({ code, state, iss, redirectUri }: AuthorizationResponse, secrets: RequestSecrets): Promise<ProviderProof> {
    return this.#refusing(async () => {
      const configuration = await this.#configuration();
      const callback = new URL(redirectUri);
      callback.searchParams.set("code", code);
      callback.searchParams.set("state", state);
      if (iss !== undefined) callback.searchParams.set("iss", iss);
      const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: secrets.codeVerifier,
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (idToken === undefined) throw new IssuerFailure("its response has no ID token");
      requireUsableIdToken(idToken, this.#parts.settings.clientId, { isNew: true });
      const { claims } = await this.#claimsOf(configuration, tokens, undefined);
      return {
        person: personOf(claims, this.#parts.settings, { complete: true }),
        tokens: keptTokens(tokens),
        authenticatedAtMs: authenticatedAtMs(idToken),
      };
    });
  }

  /**
   * Address at which a browser signs out at the provider, which then returns to `returnTo`. Undefined if the provider offers no such
   * address.
   */
  async endSessionAddress(idToken: string | undefined, returnTo: URL): Promise<string | undefined> {
    try {
      const configuration = await this.#configuration();
      const { end_session_endpoint: endpoint } = configuration.serverMetadata();
      if (endpoint === undefined) return undefined;
      callable(endpoint, "logout endpoint");
      return oidc.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: returnTo.href,
        ...(idToken === undefined ? {} : { id_token_hint: idToken }),
      }).href;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      this.#parts.log.warn({ reason }, "nobody can sign out at the identity provider");
      return undefined;
    }
  }

  /** Verifies a logout token that somebody sent. Refuses with `invalid-request` if the provider did not send it to the portal just now. */
  async readLogoutToken(token: string): Promise<LogoutNotice> {
    try {
      return await this.#logoutTokens.read(token, (await this.#configuration()).serverMetadata());
    } catch (error) {
      const reason = error instanceof jose.errors.JOSEError ? error.code : reasonOf(error);
      if (reason === undefined) throw error;
      this.#parts.log.warn({ reason }, "a logout token could not be used");
      throw new Refusal("invalid-request", "The logout token is not valid.");
    }
  }

  async confirm(refreshToken: string): Promise<Confirmation> {
    if (Date.now() < this.#pausedUntilMs) return { kind: "unreachable" };
    try {
      return await this.#renewals.run(() => this.#confirm(refreshToken));
    } catch (error) {
      if (isRefused(error)) return { kind: "refused", reason: reasonOf(error) ?? "" };
      const reason = error instanceof Refusal ? "too many sessions wait for it" : reasonOf(error);
      if (reason === undefined) throw error;
      this.#pausedUntilMs = Date.now() + pauseMs;
      this.#parts.log.warn({ reason }, "the identity provider could not be asked to renew a session");
      return { kind: "unreachable" };
    }
  }

  async #confirm(refreshToken: string): Promise<Confirmation> {
    const configuration = await this.#configuration();
    const tokens = await oidc.refreshTokenGrant(configuration, refreshToken);
    const idToken = tokens.claims();
    if (idToken !== undefined) requireUsableIdToken(idToken, this.#parts.settings.clientId, { isNew: false });
    const { claims, complete } = await this.#claimsOf(configuration, tokens, idToken?.sub);
    return { kind: "confirmed", person: personOf(claims, this.#parts.settings, { complete }), tokens: keptTokens(tokens) };
  }

  /** The claims of the ID token, supplemented by the user information. `complete`: there is an ID token. */
  async #claimsOf(
    configuration: oidc.Configuration,
    tokens: Awaited<ReturnType<typeof oidc.refreshTokenGrant>>,
    subject: string | undefined,
  ): Promise<{ claims: Claims; complete: boolean }> {
    const idClaims = tokens.claims();
    const sub = idClaims?.sub ?? subject;
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const user = hasUserInfo ? await fetchUser(configuration, tokens.access_token, sub) : {};
    return { claims: { ...idClaims, ...user }, complete: idClaims !== undefined };
  }

  /** Runs discovery on first use, so that an unreachable provider does not keep the portal from starting. */
  async #configuration(): Promise<oidc.Configuration> {
    const known = this.#discovery;
    if (known !== undefined && Date.now() < known.staleAtMs) return known.configuration;
    const fresh = { configuration: this.#open(), staleAtMs: Date.now() + discoveryMs };
    this.#discovery = fresh;
    try {
      return await fresh.configuration;
    } catch (error) {
      if (this.#discovery === fresh) this.#discovery = known && { ...known, staleAtMs: Date.now() + pauseMs };
      if (known !== undefined) return known.configuration;
      throw error;
    }
  }

  async #open(): Promise<oidc.Configuration> {
    const { settings } = this.#parts;
    const { issuer, clientId, clientSecret } = settings;
    const found = await discover(issuer, clientId, this.#calls);
    callable(found.token_endpoint, "token endpoint");
    const algorithms = found.id_token_signing_alg_values_supported ?? defaultAlgorithms;
    const server = {
      ...found,
      id_token_signing_alg_values_supported: algorithms.filter((algorithm) => defaultAlgorithms.includes(algorithm)),
    };
    const metadata = { [oidc.clockTolerance]: clockToleranceSeconds };
    const authentication = clientAuthentication(clientSecret, settings.clientAuthentication);
    const configuration = withIssuerFetch(new oidc.Configuration(server, clientId, metadata, authentication), this.#calls);
    // Verifies the signatures of ID tokens, although they come directly from the provider.
    oidc.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  async #refusing<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const { log, settings } = this.#parts;
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      log.warn({ reason }, "the identity provider did not sign a person in");
      if (isRefused(error) || isOfAnotherRequest(error)) throw notSignedIn(settings.displayName);
      throw new Refusal(
        "upstream-failed",
        `${settings.displayName} cannot be used right now. Try again later, or tell your administrator.`,
      );
    }
  }
}

export const notSignedIn = (displayName: string): Refusal =>
  new Refusal("wrong-credentials", `${displayName} did not confirm your sign-in. Please try again.`);

/** The provider rejects the code or refresh token, or the person it was issued for. */
const isRefused = (error: unknown): boolean =>
  error instanceof PersonRefused || (error instanceof oidc.ResponseBodyError && error.error === "invalid_grant");

const isOfAnotherRequest = (error: unknown): boolean =>
  error instanceof oidc.ClientError && /nonce|state|"iss" \(issuer\)/.test(messageOf(error.cause));

function keptTokens(tokens: Awaited<ReturnType<typeof oidc.refreshTokenGrant>>): ProviderTokens {
  const { refresh_token: refreshToken, id_token: idToken } = tokens;
  if (refreshToken !== undefined && refreshToken.length > maxTokenCharacters) throw new IssuerFailure("its refresh token is too long");
  const sid = tokens.claims()?.["sid"];
  return {
    refreshToken,
    idToken: idToken !== undefined && idToken.length <= maxIdTokenCharacters ? idToken : undefined,
    sid: typeof sid === "string" ? sid : undefined,
  };
}
