import { type ErrorCode, type ErrorItem, errorStatus } from "@fairway/contract/errors";

/**
 * An error that is reported to the caller. All other errors are logged with their cause and answered as `internal`. The
 * contract defines the status of each code.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly ErrorItem[];
  /** Sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** Allowed methods, sent as Allow. */
  readonly allow: readonly string[] | undefined;
  /** The stored value, for `stale-version` and `conflict`. */
  readonly current: unknown;

  constructor(
    code: ErrorCode,
    message: string,
    options: { path?: string; retryAfterSeconds?: number; allow?: readonly string[]; current?: unknown; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.errors = [{ code, message, ...(options.path === undefined ? {} : { path: options.path }) }];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
    this.current = options.current;
  }

  /** A refusal with several errors. The first one decides the status. */
  static of(errors: readonly [ErrorItem, ...ErrorItem[]]): Refusal {
    const refusal = new Refusal(errors[0].code, errors.map((error) => error.message).join(" "));
    (refusal as { errors: readonly ErrorItem[] }).errors = errors;
    return refusal;
  }

  /** For content that exceeds a limit in bytes. */
  static fileTooLarge(maxBytes: number, path?: string): Refusal {
    return new Refusal(
      "too-large",
      `The file is larger than ${maxBytes.toLocaleString("en-US")} bytes.`,
      path === undefined ? {} : { path },
    );
  }

  get status(): number {
    return errorStatus[this.code];
  }
}
