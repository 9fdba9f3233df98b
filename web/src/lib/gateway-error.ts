import type { ErrorItem } from "@fairway/contract/errors";

/** A call that did not succeed. The screen words it; `errors` holds the server's own messages. */
export class GatewayError extends Error {
  /** The HTTP status; 0 where no answer came (offline, cut off). */
  readonly status: number;
  readonly errors: readonly ErrorItem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, errors: readonly ErrorItem[], more: { retryAfterSeconds?: number | undefined; cause?: unknown } = {}) {
    super(errors.map((error) => error.message).join(" ") || "The server could not be reached.", { cause: more.cause });
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
