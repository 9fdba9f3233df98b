import type { ErrorCode } from "@fairway/contract/errors";

/** One reason for a refusal. A newer server may send codes that this version does not know. */
export interface ReceivedErrorItem {
  code: ErrorCode | (string & {});
  message: string;
  path?: string | undefined;
}

/** A failed call. The screen words the failure; `errors` holds the server's own messages. */
export class GatewayError extends Error {
  /** The HTTP status; 0 if there was no response (offline, connection lost). */
  readonly status: number;
  readonly errors: readonly ReceivedErrorItem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    errors: readonly ReceivedErrorItem[],
    options: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(errors.map((error) => error.message).join(" ") || defaultMessage(status), { cause: options.cause });
    this.name = "GatewayError";
    this.status = status;
    this.errors = errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The server's messages for a failure, for dialogs that list them. */
export function messagesOf(error: unknown): string[] {
  if (error instanceof GatewayError) return error.errors.length > 0 ? error.errors.map((item) => item.message) : [error.message];
  return [error instanceof Error ? error.message : String(error)];
}

/** The dataset does not support this kind of call at all, whatever its parameters. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof GatewayError && error.errors.some(({ code, path }) => code === "not-supported" && path === undefined);

/**
 * Whether a retry of the same call may succeed. Most 4xx refusals are final; server errors, such as missing files of a dataset,
 * may be fixed at any moment.
 */
export const canSucceedLater = (error: unknown): boolean =>
  !(error instanceof GatewayError) || error.status < 400 || error.status >= 500 || retryableStatuses.has(error.status);

/** Someone else saved since the version that this call wanted to change. */
export const isStaleVersion = (error: unknown): boolean =>
  error instanceof GatewayError && error.errors.some(({ code }) => code === "stale-version");

/** Session expired, request timeout, too many requests. */
const retryableStatuses: ReadonlySet<number> = new Set([401, 408, 429]);

/** The message for a failure without a server message, such as the error page of a proxy. */
function defaultMessage(status: number): string {
  if (status === 0) return "The server could not be reached.";
  if (status === 502 || status === 503 || status === 504)
    return `The server can't be used right now (status ${status}). Try again in a moment.`;
  return `The server failed with status ${status} and gave no reason.`;
}

/** Whether the gateway requires a recent sign-in for this call. */
export const needsRecentSignIn = (error: unknown): boolean => error instanceof GatewayError && error.errors[0]?.code === "sign-in-again";
