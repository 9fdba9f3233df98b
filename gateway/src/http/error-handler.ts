import type { ErrorBody, ErrorItem } from "@fairway/contract/errors";
import { errorStatus } from "@fairway/contract/errors";
import { type FieldIssue, unknownFieldIssues } from "@fairway/contract/unknown-fields";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import { EngineFailed } from "#query/engine.ts";
import { KnownPaths } from "./known-paths.ts";
import { StoreFailed } from "#storage/storage.ts";
import { systemCode } from "#process/system-code.ts";
import { Refusal } from "./refusal.ts";

/** Decides status, body and log line of every error. Call it before any route is registered. */
export function installErrorHandler(app: FastifyInstance, paths = new KnownPaths()): void {
  paths.observe(app);
  // Before the body is read, which an unknown route does not need.
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.is404) throw paths.refusal(request.method, request.url);
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => answerFailure(toRefusal(error, request), request, reply));
  app.setNotFoundHandler((request, reply) => answerFailure(paths.refusal(request.method, request.url), request, reply));
}

export function answerFailure(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (refusal.retryAfterSeconds !== undefined) reply.header("retry-after", String(Math.ceil(refusal.retryAfterSeconds)));
  if (refusal.allow !== undefined) reply.header("allow", refusal.allow.join(", "));
  // Not logged as an error: a refusal is the caller's fault, and the request log has the rest. The message of an invalid request
  // names unknown fields, and a secret may be in the place of a name.
  if (refusal.status < 500)
    request.log.debug({ code: refusal.code }, refusal.code === "invalid-request" ? "invalid request" : refusal.message);
  const body: ErrorBody = { errors: refusal.errors.map((error) => ({ ...error })), current: refusal.current };
  return reply.status(refusal.status).type("application/json; charset=utf-8").send(JSON.stringify(body));
}

/** Converts any error to a refusal. Unexpected errors are logged with their cause and answered as `internal`. */
export function toRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof EngineFailed) return engineRefusal(error, request);
  if (error instanceof DatabaseUnavailable) return databaseRefusal(error, request);
  if (error instanceof StoreFailed) return storeRefusal(error, request);
  if (isFullDisk(error)) return storageFull();
  const refusal = frameworkRefusal(error as FastifyError);
  if (refusal) return refusal;
  request.log.error({ err: error }, "unexpected failure");
  return new Refusal("internal", `Something went wrong on the server. Quote request ${request.id} when you report it.`);
}

/** Logged at debug level only, because `Outage` already logs each outage once. */
function databaseRefusal(error: DatabaseUnavailable, request: FastifyRequest): Refusal {
  request.log.debug({ err: error }, "the database is not available");
  if (error.reason === "full") return storageFull();
  if (error.reason === "own-calls") {
    return new Refusal("too-many-requests", "Too many of your own calls are waiting. Try again when some of them have finished.", {
      retryAfterSeconds: 5,
    });
  }
  const message = {
    away: "The portal cannot reach its database at the moment. Try again in a few seconds.",
    busy: "The portal's database is too busy at the moment. Try again in a few seconds.",
  }[error.reason];
  return new Refusal("not-ready", message, { retryAfterSeconds: 5 });
}

function storeRefusal(error: StoreFailed, request: FastifyRequest): Refusal {
  request.log.warn({ err: error }, "a file store failed");
  return new Refusal("upstream-failed", error.message);
}

const isFullDisk = (error: unknown): boolean => ["ENOSPC", "EDQUOT"].includes(systemCode(error) ?? "");

const storageFull = (): Refusal =>
  new Refusal("not-ready", "The portal's storage is full, so nothing can be saved at the moment. Try again later.", {
    retryAfterSeconds: 30,
  });

function engineRefusal(error: EngineFailed, request: FastifyRequest): Refusal {
  if (error.reason === "failed" || error.reason === "out-of-memory") request.log.error({ err: error }, "query failed");
  if (error.reason === "not-ready") {
    // Without a stack, because the same dataset may fail on every call until it is fixed.
    const cause = error.cause instanceof Error ? { cause: error.cause.message.slice(0, 500) } : {};
    request.log.warn(cause, error.message);
  }
  const code = {
    busy: "engine-busy",
    "too-many": "too-many-requests",
    "too-much": "too-large",
    "timed-out": "timed-out",
    upstream: "upstream-failed",
    "out-of-memory": "engine-busy",
    abandoned: "abandoned",
    unsupported: "not-supported",
    "not-ready": "not-ready",
    failed: "internal",
  } as const;
  const retryAfterSeconds = error.retryAfterSeconds ?? (error.reason === "busy" ? 5 : undefined);
  return new Refusal(code[error.reason], error.message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

function frameworkRefusal(error: FastifyError): Refusal | undefined {
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Refusal("too-large", "The request body is too large.");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Refusal("unsupported-media-type", "The request body must be JSON (content-type application/json).");
    case "FST_ERR_CTP_INVALID_JSON_BODY":
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return new Refusal("malformed-json", "The request body is not valid JSON.");
    case "22021":
      // PostgreSQL: text cannot contain U+0000, which JSON allows in any string.
      return new Refusal("invalid-value", "The request contains a null character, which text cannot contain.");
    case "55P03":
      // PostgreSQL: lock timeout.
      return new Refusal("not-ready", "Someone else is changing this right now. Please try again.", { retryAfterSeconds: 5 });
    case "FST_ERR_BAD_URL":
      return new Refusal("invalid-request", "The path is not a valid URL.");
    default:
      // Other client errors of the framework (invalid header, invalid content length) remain client errors.
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? new Refusal(error.statusCode === errorStatus["too-large"] ? "too-large" : "invalid-request", error.message)
        : undefined;
  }
}

/** Converts Zod issues to error items with paths such as `filters.0.value`. `basePath` is the path of the parsed value, `subject` names it. */
export function issueItems(issues: readonly FieldIssue[], subject: string, basePath: readonly string[] = []): [ErrorItem, ...ErrorItem[]] {
  const items = unknownFieldIssues(issues, "there is no such field.").map((issue): ErrorItem => {
    const path = [...basePath, ...issue.path].map(String).join(".");
    if (path === "") return { code: "invalid-request", message: `${subject}: ${issue.message}` };
    return { code: "invalid-request", message: `'${path}': ${issue.message}`, path };
  });
  return [items[0] ?? { code: "invalid-request", message: `${subject} is invalid` }, ...items.slice(1)];
}
