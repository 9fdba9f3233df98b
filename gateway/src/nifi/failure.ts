import { AddressRefused } from "#outbound/address-policy.ts";
import { CallTimedOut, ResponseRefused } from "#outbound/bounded-fetch.ts";
import { systemCode } from "#process/system-code.ts";
import { plainText } from "./plain-text.ts";

/**
 * - `unreachable`: no connection, or an address that the portal may not call
 * - `timed-out`: the connect or the read timeout passed
 * - `untrusted`: TLS failed, such as for a certificate that is not trusted
 * - `insecure`: credentials would travel unencrypted
 * - `not-nifi`: something else answers there
 * - `signed-out`: credentials are missing, wrong or expired
 * - `forbidden`: the NiFi user may not do this
 * - `missing`: the process group does not exist
 * - `unsupported`: the NiFi does not take flows of this format
 * - `refused`: NiFi or the portal does not accept the request in this state
 * - `failed`: NiFi failed, or took too long with something that it had started
 */
export type NifiFailureReason =
  | "unreachable"
  | "timed-out"
  | "untrusted"
  | "insecure"
  | "not-nifi"
  | "signed-out"
  | "forbidden"
  | "missing"
  | "unsupported"
  | "refused"
  | "failed";

/** A call of NiFi failed. The message is for administrators: complete sentences in one line that never contain credentials. */
export class NifiFailed extends Error {
  override readonly name: string = "NifiFailed";
  readonly reason: NifiFailureReason;
  /** The HTTP status, if NiFi answered. */
  readonly status: number | undefined;

  constructor(reason: NifiFailureReason, message: string, status?: number) {
    super(plainText(message));
    this.reason = reason;
    this.status = status;
  }
}

const certificateCodes = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;

interface CallLimits {
  readonly connectTimeoutMs: number;
  readonly readTimeoutMs: number;
}

/** Why a call got no answer. Causes are left out on purpose: they can contain the request. */
export function callFailure(error: unknown, host: string, limits: CallLimits): NifiFailed {
  if (error instanceof NifiFailed) return error;
  if (error instanceof CallTimedOut) {
    return error.during === "connect"
      ? new NifiFailed("timed-out", `${host} accepted no connection within ${seconds(limits.connectTimeoutMs)}.`)
      : new NifiFailed("timed-out", `${host} did not answer within ${seconds(limits.readTimeoutMs)}.`);
  }
  if (error instanceof AddressRefused) {
    return new NifiFailed("unreachable", `The portal does not call the address of ${host}. An operator can allow it.`);
  }
  if (error instanceof ResponseRefused) return new NifiFailed("failed", `NiFi's response cannot be used: ${error.message}.`);
  return new NifiFailed(...sentenceOf(systemCode(error) ?? "unknown", host));
}

function sentenceOf(code: string, host: string): [NifiFailureReason, string] {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return ["unreachable", `The name ${host} is not known (${code}).`];
  if (certificateCodes.test(code)) return ["untrusted", `The portal does not trust the certificate of ${host} (${code}).`];
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) {
    return ["untrusted", `${host} does not speak TLS as expected (${code}). Check whether its address starts with http or https.`];
  }
  if (code.startsWith("HPE_")) {
    return ["not-nifi", `${host} does not answer in HTTP (${code}). Check whether its address starts with http or https.`];
  }
  return ["unreachable", `The connection to ${host} failed (${code}).`];
}

const seconds = (ms: number): string => `${(ms / 1_000).toLocaleString("en-US")} s`;
