import * as jose from "jose";
import type * as oidc from "openid-client";
import { clockToleranceSeconds } from "./id-token.ts";
import { type IssuerCalls, IssuerFailure, callable, defaultAlgorithms, issuerFetch } from "./issuer-calls.ts";

/** Content of a logout token: the provider has ended a session there, or all of a person. */
export interface LogoutNotice {
  /** Identifies the token, which counts once. */
  readonly id: string;
  /** Undefined: the session of any person. */
  readonly subject: string | undefined;
  /** Undefined: all sessions of the person. */
  readonly sid: string | undefined;
}

/** Providers send a token when the logout happens. */
const maxAgeSeconds = 300;
const maxTextCharacters = 500;
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
/** The last one is what the specification recommends; an access token or another typed one is never a logout token. */
const types: ReadonlySet<string | undefined> = new Set([undefined, "jwt", "application/jwt", "logout+jwt", "application/logout+jwt"]);

interface Parts {
  readonly issuer: string;
  readonly clientId: string;
  readonly calls: IssuerCalls;
}

/** Verifies logout tokens as OpenID Connect Back-Channel Logout 1.0, section 2.6, says. */
export class LogoutTokens {
  readonly #parts: Parts;
  #keys: { readonly address: string; readonly get: jose.JWTVerifyGetKey } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether the token was used before is up to the caller. Throws JOSEError or IssuerFailure for an unusable one. */
  async read(token: string, { jwks_uri, id_token_signing_alg_values_supported }: Readonly<oidc.ServerMetadata>): Promise<LogoutNotice> {
    const { issuer, clientId } = this.#parts;
    const { payload, protectedHeader } = await jose.jwtVerify(token, this.#keysAt(callable(jwks_uri, "keys")), {
      issuer,
      audience: clientId,
      algorithms: id_token_signing_alg_values_supported ?? defaultAlgorithms,
      clockTolerance: clockToleranceSeconds,
      maxTokenAge: maxAgeSeconds,
      requiredClaims: ["iat", "jti", "events"],
    });
    return noticeOf(payload, protectedHeader.typ);
  }

  /** Fetches keys again when a token names an unknown one, but not for each token that somebody makes up. */
  #keysAt(address: string): jose.JWTVerifyGetKey {
    if (this.#keys?.address === address) return this.#keys.get;
    const { calls } = this.#parts;
    const fetchKeys = issuerFetch(calls);
    const get = jose.createRemoteJWKSet(new URL(address), {
      timeoutDuration: calls.timeoutMs,
      [jose.customFetch]: (url, { signal }) => fetchKeys(url, { method: "GET", headers: {}, body: undefined, redirect: "manual", signal }),
    });
    this.#keys = { address, get };
    return get;
  }
}

function noticeOf({ jti, sub, sid, events, nonce }: jose.JWTPayload, type: string | undefined): LogoutNotice {
  if (!types.has(type?.toLowerCase())) throw new IssuerFailure("its logout token is of another type");
  if (nonce !== undefined) throw new IssuerFailure("its logout token has a nonce");
  if (!isObject(events) || !Object.hasOwn(events, logoutEvent) || !isObject(events[logoutEvent])) {
    throw new IssuerFailure("its logout token names no logout");
  }
  if (!isText(jti) || (sub !== undefined && !isText(sub)) || (sid !== undefined && !isText(sid)) || (sub ?? sid) === undefined) {
    throw new IssuerFailure("its logout token names no session and no person");
  }
  return { id: jti, subject: sub, sid };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= maxTextCharacters;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
