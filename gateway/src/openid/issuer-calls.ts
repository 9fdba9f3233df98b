import * as oidc from "openid-client";
import { isCallable } from "#openid/cac-settings.ts";
import { AddressRefused, type AddressPolicy } from "#outbound/address-policy.ts";
import { type CalledService, ResponseRefused, boundedFetch } from "#outbound/bounded-fetch.ts";
import { systemCode } from "#process/system-code.ts";

/** Used when discovery does not name any. Excludes `none` and everything with a shared secret. */
export const defaultAlgorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

/** An issuer's response cannot be used. The message goes to the log. */
export class IssuerFailure extends Error {}

/** Addresses from discovery must be as safe as those from the settings. */
export function callable(address: string | undefined, endpoint: string): string {
  if (address !== undefined && isCallable(address)) return address;
  throw new IssuerFailure(`its ${endpoint} is not an https address`);
}

export interface IssuerCalls {
  /** The issuer, for traces. */
  readonly service: CalledService;
  readonly policy: AddressPolicy;
  /** Timeout of one call. */
  readonly timeoutMs: number;
  /** Larger responses are errors or attacks. Default: 256 kB. */
  readonly maxResponseBytes?: number;
  readonly ca?: string | undefined;
}

/** Calls only addresses that the policy allows, over https or on this machine, without redirects and with small responses. */
export const issuerFetch =
  ({ service, policy, timeoutMs, maxResponseBytes = 256_000, ca }: IssuerCalls): oidc.CustomFetch =>
  (address, { method, headers, body, signal }) => {
    const url = new URL(callable(address, "endpoint"));
    const text = typeof body === "string" || body instanceof URLSearchParams ? String(body) : undefined;
    const boundedSignal = signal ?? AbortSignal.timeout(timeoutMs);
    return boundedFetch(policy, maxResponseBytes, url, { service, method, headers: { ...headers }, body: text, signal: boundedSignal, ca });
  };

/** Configures a client whose calls are those of `issuerFetch`. */
export function withIssuerFetch(configuration: oidc.Configuration, calls: IssuerCalls): oidc.Configuration {
  configuration[oidc.customFetch] = issuerFetch(calls);
  configuration.timeout = calls.timeoutMs / 1_000;
  // `callable` has already restricted plain HTTP to this machine.
  oidc.allowInsecureRequests(configuration);
  return configuration;
}

/** The issuer's own description. Throws for another issuer than the one that was asked. */
export async function discover(issuer: string, clientId: string, calls: IssuerCalls): Promise<Readonly<oidc.ServerMetadata>> {
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
    [oidc.customFetch]: issuerFetch(calls),
    execute: [oidc.allowInsecureRequests],
    timeout: calls.timeoutMs / 1_000,
  });
  return found.serverMetadata();
}

export function clientAuthentication(secret: string | undefined, method: "basic" | "post"): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  return method === "post" ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

/** A loggable reason without secrets; undefined for errors that are bugs of the portal. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof IssuerFailure || error instanceof ResponseRefused) return error.message;
  if (error instanceof AddressRefused) return "its address may not be called";
  if (error instanceof oidc.ResponseBodyError) return `it responded with ${error.status} ${error.error.slice(0, 100)}`;
  const status = unexpectedStatus(error);
  if (status !== undefined) return `it responded with ${status}`;
  if (error instanceof oidc.AuthorizationResponseError) return `it redirected with ${error.error.slice(0, 100)}`;
  if (error instanceof oidc.ClientError) return reasonOf(error.cause) ?? `${error.message}: ${messageOf(error.cause)}`;
  if (error instanceof Error && error.name === "TimeoutError") return "it timed out";
  if (error instanceof Error && error.name === "AbortError") return "it timed out";
  const code = systemCode(error);
  return code !== undefined && /^E[A-Z_]+$/.test(code) ? code : undefined;
}

/** The status of a response whose body is no error of OAuth. */
export const unexpectedStatus = (error: unknown): number | undefined =>
  error instanceof oidc.ClientError && error.cause instanceof Response ? error.cause.status : undefined;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message.slice(0, 200) : "");
