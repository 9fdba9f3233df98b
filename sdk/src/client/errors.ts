import type { Errors } from "./api.ts";

export type ErrorItem = Errors["errors"][number];

/**
 * A code of the portal, or `unreachable` if nothing answered, `unexpected-answer` if what answered was not a portal or a file
 * store that explains itself, `exists` if a file was not to be replaced, and `invalid-argument` if nothing was sent because an
 * argument is wrong.
 */
export type FailureCode = ErrorItem["code"] | "unreachable" | "unexpected-answer" | "exists" | "invalid-argument";

interface Failure {
  code: FailureCode;
  message: string;
  status?: number;
  errors?: readonly ErrorItem[];
  cause?: unknown;
}

/** A call that failed. The message is the portal's own sentence. */
export class FairwayError extends Error {
  override readonly name = "FairwayError";
  readonly code: FailureCode;
  /** HTTP status; undefined if there was no answer. */
  readonly status: number | undefined;
  /** Everything that the portal found wrong, with the fields concerned. */
  readonly errors: readonly ErrorItem[];

  constructor({ code, message, status, errors = [], cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.errors = errors;
  }
}

export const invalidArgument = (message: string): FairwayError => new FairwayError({ code: "invalid-argument", message });

/** The error that an answer with a status of 400 or above stands for. */
export async function errorOf(response: Response): Promise<FairwayError> {
  const errors = errorsIn(await response.text());
  const [first] = errors;
  if (first === undefined) {
    const message = `${new URL(response.url).origin} answered with status ${response.status}, but not as a Fairway portal does.`;
    return new FairwayError({ code: "unexpected-answer", message, status: response.status });
  }
  return new FairwayError({
    code: first.code,
    message: errors.map((error) => error.message).join(" "),
    status: response.status,
    errors,
  });
}

function errorsIn(text: string): readonly ErrorItem[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof body !== "object" || body === null || !("errors" in body) || !Array.isArray(body.errors)) return [];
  return body.errors.every(isErrorItem) ? body.errors : [];
}

const isErrorItem = (item: unknown): item is ErrorItem =>
  typeof item === "object" && item !== null && "code" in item && "message" in item && typeof item.message === "string";
