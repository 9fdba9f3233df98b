import type { ErrorCode } from "@fairway/contract/errors";

/** One reason of a refusal. A newer server may send codes that this version does not know. */
export interface ReceivedErrorItem {
  code: ErrorCode | (string & {});
  message: string;
  path?: string | undefined;
}

/** A call that did not succeed. The screen words it; `errors` holds the server's own messages. */
export class GatewayError extends Error {
  /** The HTTP status; 0 where no answer came (offline, cut off). */
  readonly status: number;
  readonly errors: readonly ReceivedErrorItem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    errors: readonly ReceivedErrorItem[],
    more: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(errors.map((error) => error.message).join(" ") || withoutReason(status), { cause: more.cause });
    this.name = "GatewayError";
    this.status = status;
    this.errors = errors;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** The server's embedded messages of a failure, for dialogs that list them. */
export function messagesOf(error: unknown): string[] {
  if (error instanceof GatewayError) return error.errors.length > 0 ? error.errors.map((item) => item.message) : [error.message];
  return [error instanceof Error ? error.message : String(error)];
}

/** The dataset answers no such call at all: no part of what was asked is at fault. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof GatewayError && error.errors.some(({ code, path }) => code === "not-supported" && path === undefined);

/**
 * Whether the same call may succeed another time. What the gateway refused stays refused; a dataset whose files are missing
 * may be mended at any moment.
 */
export const canSucceedLater = (error: unknown): boolean =>
  !(error instanceof GatewayError) || error.status < 400 || error.status >= 500 || passing.has(error.status);

/** Signed out meanwhile, timed out, too many calls. */
const passing: ReadonlySet<number> = new Set([401, 408, 429]);

/** A failure for which the server gave no reason of its own, such as the page of a proxy in front of it. */
function withoutReason(status: number): string {
  if (status === 0) return "The server could not be reached.";
  if (status === 502 || status === 503 || status === 504)
    return `The server answered ${status}: it cannot be used right now. Try again in a moment.`;
  return `The server answered ${status} without a reason.`;
}

/** Whether the gateway wants to see first that it is still the same person. */
export const isSignInAgain = (error: unknown): boolean => error instanceof GatewayError && error.errors[0]?.code === "sign-in-again";
