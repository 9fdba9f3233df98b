import { type ErrorCode, type ErrorItem, errorStatus } from "@fairway/contract/errors";

/**
 * A refusal the caller is told about. Anything else that is thrown is logged with its cause and answered as `internal`.
 * The status comes from the table in the contract.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly ErrorItem[];
  /** Seconds, sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** Methods, sent as Allow. */
  readonly allow: readonly string[] | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { path?: string; retryAfterSeconds?: number; allow?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.errors = [{ code, message, ...(more.path === undefined ? {} : { path: more.path }) }];
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.allow = more.allow;
  }

  /** Several things are wrong at once; the first decides the status. */
  static of(errors: readonly [ErrorItem, ...ErrorItem[]]): Refusal {
    const refusal = new Refusal(errors[0].code, errors.map((error) => error.message).join(" "));
    (refusal as { errors: readonly ErrorItem[] }).errors = errors;
    return refusal;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}
