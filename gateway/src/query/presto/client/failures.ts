import { EngineFailed } from "#query/engine.ts";
import { AddressRefused } from "#outbound/address-policy.ts";
import { systemCode } from "#process/system-code.ts";
import type { ServerError } from "./protocol.ts";

interface ServerReport {
  /** Such as `TABLE_NOT_FOUND`. Presto calls missing tables, columns and functions all `SYNTAX_ERROR`. */
  readonly errorName: string;
  /** `USER_ERROR`, `INTERNAL_ERROR`, `INSUFFICIENT_RESOURCES` or `EXTERNAL`. */
  readonly errorType: string;
  readonly queryId: string;
  /** Can contain the statement, names of Java classes and paths: for decisions and the log, never for users. */
  readonly serverMessage: string;
}

/** The server ended a statement with an error of its own. */
export class StatementError extends EngineFailed implements ServerReport {
  override readonly name = "StatementError";
  readonly errorName: string;
  readonly errorType: string;
  readonly queryId: string;
  readonly serverMessage: string;

  constructor(reason: EngineFailed["reason"], message: string, report: ServerReport) {
    super(reason, message);
    this.errorName = report.errorName;
    this.errorType = report.errorType;
    this.queryId = report.queryId;
    this.serverMessage = report.serverMessage;
  }
}

type Meaning = readonly [reason: EngineFailed["reason"], sentence: string];

const meanings: readonly (readonly [names: string, ...Meaning])[] = [
  ["QUERY_QUEUE_FULL QUERY_REJECTED SERVER_STARTING_UP", "busy", "The query server accepts no more queries right now. Try again later"],
  ["EXCEEDED_TIME_LIMIT", "timed-out", "The query took longer than the query server allows"],
  [
    "EXCEEDED_GLOBAL_MEMORY_LIMIT EXCEEDED_LOCAL_MEMORY_LIMIT EXCEEDED_REVOCABLE_MEMORY_LIMIT CLUSTER_OUT_OF_MEMORY",
    "out-of-memory",
    "The query needs more memory than the query server gives it. Narrow the search with more filters",
  ],
  [
    "EXCEEDED_CPU_LIMIT EXCEEDED_SCAN_LIMIT EXCEEDED_SPILL_LIMIT EXCEEDED_FUNCTION_MEMORY_LIMIT EXCEEDED_OUTPUT_SIZE_LIMIT EXCEEDED_OUTPUT_POSITIONS_LIMIT QUERY_HAS_TOO_MANY_STAGES HIVE_EXCEEDED_PARTITION_LIMIT",
    "too-much",
    "The query needs more work than the query server allows. Narrow the search with more filters",
  ],
  [
    "SERVER_SHUTTING_DOWN NO_NODES_AVAILABLE REMOTE_TASK_ERROR REMOTE_TASK_MISMATCH REMOTE_HOST_GONE PAGE_TRANSPORT_ERROR PAGE_TRANSPORT_TIMEOUT TOO_MANY_REQUESTS_FAILED WORKER_RESTARTED NODE_GONE",
    "upstream",
    "A part of the query server failed or was stopped. Try again",
  ],
  ["ABANDONED_QUERY ABANDONED_TASK", "timed-out", "The query server ended the query because its rows were read too slowly"],
  ["USER_CANCELED ADMINISTRATIVELY_KILLED ADMINISTRATIVELY_PREEMPTED", "upstream", "The query was ended on the query server. Try again"],
  ["PERMISSION_DENIED", "upstream", "The query server does not allow this query. Tell an administrator"],
  ["NOT_SUPPORTED", "unsupported", "The query server cannot run this kind of query"],
];
const meaningByName = new Map<string, Meaning>(
  meanings.flatMap(([names, reason, sentence]) => names.split(" ").map((name) => [name, [reason, sentence]] as const)),
);

function meaningOf(errorName: string, errorType: string): Meaning {
  const known = meaningByName.get(errorName);
  if (known !== undefined) return known;
  if (errorType === "INSUFFICIENT_RESOURCES") return ["too-much", "The query needs more than the query server can give now"];
  if (errorType === "EXTERNAL") return ["upstream", "The query server could not read the data of this dataset"];
  if (errorType === "USER_ERROR") return ["failed", "The query server did not accept the query"];
  return ["upstream", "The query server failed while it ran the query"];
}

export function statementError({ message, errorName, errorType }: ServerError, queryId: string): StatementError {
  const report = { errorName: errorName ?? "", errorType: errorType ?? "", queryId, serverMessage: message ?? "" };
  const [reason, sentence] = meaningOf(report.errorName, report.errorType);
  return new StatementError(reason, withQuery(sentence, queryId), report);
}

/** Ends a sentence. Administrators find the query by its id in the server's own pages and logs. */
export const withQuery = (sentence: string, queryId: string | undefined): string =>
  queryId === undefined ? `${sentence}.` : `${sentence} (query ${queryId}).`;

/** A call that the client ended, or an answer that it does not take. */
export class CallRefused extends Error {
  override readonly name = "CallRefused";
  readonly why: "read-timeout" | "too-large" | "not-the-protocol" | "elsewhere";
  constructor(why: CallRefused["why"]) {
    super(why);
    this.why = why;
  }
}

interface CallLimits {
  readonly connectMs: number;
  readonly readMs: number;
  readonly pageBytes: number;
}

/** Converts a failed call. Never repeats a text of the server, which may contain anything. */
export function callFailure(error: unknown, limits: CallLimits, queryId: string | undefined): EngineFailed {
  if (error instanceof EngineFailed) return error;
  const failed = (reason: EngineFailed["reason"], sentence: string) =>
    new EngineFailed(reason, withQuery(sentence, queryId), { cause: error });
  if (error instanceof CallRefused) {
    switch (error.why) {
      case "read-timeout":
        return failed("timed-out", `The query server did not answer within ${seconds(limits.readMs)}`);
      case "too-large":
        return failed(
          "too-much",
          `The query server sent a page of more than ${megabytes(limits.pageBytes)}. Ask for fewer or smaller columns`,
        );
      case "elsewhere":
        return failed("upstream", "The query server points to another address, which the portal does not follow. Tell an administrator");
      case "not-the-protocol":
        return failed("upstream", "The address of the query server does not respond like Trino or Presto. Tell an administrator");
      default:
        return error.why satisfies never;
    }
  }
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof AddressRefused)) {
    return failed("upstream", "The query server has an address that the portal does not call; an operator can allow it");
  }
  const code = causes.map(systemCode).find((found) => found !== undefined) ?? "unknown";
  if (code === "UND_ERR_CONNECT_TIMEOUT") {
    return failed("timed-out", `The query server accepted no connection within ${seconds(limits.connectMs)}`);
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return failed("upstream", `The name of the query server is not known (${code})`);
  if (certificateCodes.test(code)) {
    return failed("upstream", `The portal does not trust the certificate of the query server (${code})`);
  }
  return failed("upstream", `The connection to the query server failed (${code})`);
}

const certificateCodes = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;

/** `fetch` wraps what went wrong, and connecting to several addresses of a name wraps once more. */
export function causesOf(error: unknown, depth = 0): unknown[] {
  if (!(error instanceof Error) || depth > 4) return [error];
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return [error, ...[error.cause, ...inner].filter((cause) => cause !== undefined).flatMap((cause) => causesOf(cause, depth + 1))];
}

const seconds = (ms: number): string => `${(ms / 1_000).toLocaleString("en-US")} s`;
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toLocaleString("en-US")} MB`;

/** An answer without success to a call of a statement. */
export function statusFailure(status: number, queryId: string | undefined): EngineFailed {
  const failed = (reason: EngineFailed["reason"], sentence: string) => new EngineFailed(reason, withQuery(sentence, queryId));
  if (status === 401) return failed("upstream", "The query server does not accept the portal's sign-in. Tell an administrator");
  if (status === 403) return failed("upstream", "The query server does not allow this query. Tell an administrator");
  if (status === 429 || status === 503) return failed("busy", "The query server accepts no more queries right now. Try again later");
  if (status >= 300 && status < 400) {
    return failed("upstream", "The query server points to another address, which the portal does not follow. Tell an administrator");
  }
  if ((status === 404 || status === 410) && queryId !== undefined) {
    return failed("upstream", "The query server was restarted, or no longer knows the query. Try again");
  }
  if (status === 404)
    return failed("upstream", "The address of the query server does not respond like Trino or Presto. Tell an administrator");
  return failed("upstream", `The query server failed with the status ${status}`);
}
