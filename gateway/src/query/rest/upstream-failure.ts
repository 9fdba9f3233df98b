import { STATUS_CODES } from "node:http";
import { AddressRefused } from "#outbound/address-policy.ts";
import { EngineFailed } from "#query/engine.ts";
import { UnreadableResponse } from "./upstream-rows.ts";
import { systemCode } from "#process/system-code.ts";

/** A call that the portal ended early. */
export class CallStopped extends Error {
  override readonly name = "CallStopped";
  readonly why: "connect-timeout" | "read-timeout" | "too-large";
  constructor(why: CallStopped["why"]) {
    super(why);
    this.why = why;
  }
}

export interface UpstreamLimits {
  readonly upstreamConnectMs: number;
  readonly upstreamReadMs: number;
  readonly upstreamAnswerBytes: number;
}

const maxReasonCharacters = 300;
/** A fragment of a secret of this length counts as revealing it. */
const fragmentCharacters = 8;

/** Converts a failed call to an error that users may see. Never includes the cause, because an upstream's text may contain anything. */
export function callFailure(error: unknown, limits: UpstreamLimits): EngineFailed {
  if (error instanceof EngineFailed) return error;
  if (error instanceof CallStopped) return stopped(error, limits);
  if (error instanceof UnreadableResponse) return upstream(`The service behind this dataset ${error.message}.`);
  if (error instanceof AddressRefused) {
    return upstream("The service behind this dataset has an address that the portal does not call; an operator can allow it.");
  }
  const code = systemCode(error) ?? "unknown";
  return upstream(sentenceOf(code), error);
}

function stopped({ why }: CallStopped, limits: UpstreamLimits): EngineFailed {
  switch (why) {
    case "connect-timeout":
      return timedOut(`The service behind this dataset accepted no connection within ${seconds(limits.upstreamConnectMs)}.`);
    case "read-timeout":
      return timedOut(`The service behind this dataset did not answer within ${seconds(limits.upstreamReadMs)}.`);
    case "too-large": {
      const megabytes = (limits.upstreamAnswerBytes / 1_000_000).toLocaleString("en-US");
      return upstream(`The service behind this dataset returned more than ${megabytes} MB. Narrow the search with more filters.`);
    }
    default:
      return why satisfies never;
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toLocaleString("en-US")} s`;

/** The upstream refused the portal's client certificate, or requires one. */
const clientCertificateCodes =
  /^ERR_SSL_(?:TLSV1|TLSV13|SSLV3)_ALERT_(?:CERTIFICATE|UNKNOWN_CA|BAD_CERTIFICATE|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED)/;
const certificateCodes = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;

function sentenceOf(code: string): string {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The name of the service behind this dataset is not known (${code}).`;
  if (clientCertificateCodes.test(code)) return "The service behind this dataset does not accept the portal's client certificate.";
  if (certificateCodes.test(code)) return `The portal does not trust the certificate of the service behind this dataset (${code}).`;
  if (connectionCodes.has(code)) return `The connection to the service behind this dataset failed (${code}).`;
  return `The call of the service behind this dataset failed (${code}).`;
}

const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ECONNABORTED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
]);

/** The connection could not be opened or broke, so a retry may succeed. */
export function isConnectionFailure(error: unknown): boolean {
  return connectionCodes.has(systemCode(error) ?? "");
}

/** For a response with an error status. */
export function statusFailure(status: number, text: string, key: string): EngineFailed {
  if (status >= 300 && status < 400) {
    return upstream(`The service behind this dataset answered ${named(status)} and points elsewhere, which the portal does not follow.`);
  }
  const found = reasonIn(text);
  const reason = found === "" ? "." : revealsSecret(found, key) ? ". Its reason repeats a secret and is withheld." : `: ${found}`;
  const message = `The service behind this dataset answered ${named(status)}${reason}`;
  return status === 504 || status === 408 ? timedOut(message) : upstream(message);
}

/** Uses the standard reason phrase, because the upstream's own may contain anything. */
const named = (status: number): string => `${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();

/** Whether a response contains the key, or the part after its scheme. Very short secrets are ignored, as they may occur in any response. */
export function repeatsSecret(text: string, key: string): boolean {
  const secrets = secretsIn(key).filter((secret) => secret.length >= fragmentCharacters);
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .some((spelling) => text.includes(spelling));
}

/** Whether a reason contains the key or a fragment of it, plain or encoded. */
function revealsSecret(text: string, key: string): boolean {
  const lowerText = text.toLowerCase();
  return secretsIn(key)
    .flatMap(spellings)
    .some((spelling) => fragments(spelling.toLowerCase()).some((fragment) => lowerText.includes(fragment)));
}

/** For `Bearer x` also `x`, and for `Basic x` also the user and password that it encodes. */
function secretsIn(key: string): string[] {
  const [, scheme = "", credential = ""] = /^(\S+) +(\S.*)$/.exec(key) ?? [];
  const basic = scheme.toLowerCase() === "basic" ? Buffer.from(credential, "base64").toString() : "";
  return [key, credential, basic, basic.slice(basic.indexOf(":") + 1)].filter((secret) => secret !== "");
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // The last characters of base64 depend on what follows.
  const base64 = bytes.toString("base64").replaceAll("=", "").slice(0, -1);
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64, bytes.toString("hex")];
}

function fragments(text: string): string[] {
  const count = Math.max(1, text.length - fragmentCharacters + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + fragmentCharacters)).filter((fragment) => fragment !== "");
}

/** The reason in an error response: from the usual JSON fields, or a short plain text, but not an HTML page. */
function reasonIn(text: string): string {
  const json = parsed(text);
  const found = json === undefined ? (/^\s*[<{["]/.test(text) || text.length > maxReasonCharacters ? "" : text) : reasonOf(json, 0);
  const plain = found.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim();
  return plain.length > maxReasonCharacters ? `${plain.slice(0, maxReasonCharacters)}…` : plain;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const reasonNames = ["message", "detail", "error_description", "error", "errors", "reason", "title", "description"];

function reasonOf(json: unknown, depth: number): string {
  if (typeof json === "string") return json;
  if (typeof json !== "object" || json === null || depth > 3) return "";
  if (Array.isArray(json)) return reasonOf(json[0], depth + 1);
  const reasons = reasonNames.map((name) =>
    Object.hasOwn(json, name) ? reasonOf((json as Readonly<Record<string, unknown>>)[name], depth + 1) : "",
  );
  return reasons.find((reason) => reason !== "") ?? "";
}

const upstream = (message: string, cause?: unknown): EngineFailed => new EngineFailed("upstream", message, { cause });
const timedOut = (message: string): EngineFailed => new EngineFailed("timed-out", message);
