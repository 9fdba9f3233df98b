import { DatabaseError } from "pg";

/** Why a valid statement failed. */
type Reason =
  /** The server is unreachable, closed the connection, or does not respond. */
  | "away"
  /** The server has no free connection or takes too long. */
  | "busy"
  /** The caller's own calls wait for each other. */
  | "own-calls"
  /** The server has no disk space left. */
  | "full";

/** The database is temporarily unavailable; `cause` is the original error. Decision 0100. */
export class DatabaseUnavailable extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, cause: unknown) {
    super(messages[reason], { cause });
    this.reason = reason;
  }
}

const messages: Record<Reason, string> = {
  away: "the database cannot be reached",
  busy: "the database is too busy",
  "own-calls": "too many calls of one caller wait for the database",
  full: "the database has no space left",
};

/** SQLSTATEs by prefix: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const reasons: readonly (readonly [code: string, reason: Reason])[] = [
  ["53100", "full"],
  // Too many connections, out of memory, a configured limit.
  ["53", "busy"],
  // The statement timeout.
  ["57014", "busy"],
  // Shut down, crashed, or still starting.
  ["57P", "away"],
  ["08", "away"],
  // A server that became a standby refuses writes: another one is now the primary.
  ["25006", "away"],
];

/** Classifies the error of a statement; undefined if the statement itself is at fault. */
export function statementFailure(error: unknown): DatabaseUnavailable | undefined {
  if (error instanceof DatabaseUnavailable) return error;
  if (!(error instanceof DatabaseError)) return undefined;
  const [, reason] = reasons.find(([code]) => error.code?.startsWith(code)) ?? [];
  if (reason !== undefined) return new DatabaseUnavailable(reason, error);
  return error.severity === "FATAL" || error.severity === "PANIC" ? new DatabaseUnavailable("away", error) : undefined;
}

/** Classifies the error of a connection; any cause counts as unavailable, because no statement was executed. */
export function connectionFailure(error: unknown): DatabaseUnavailable {
  return statementFailure(error) ?? new DatabaseUnavailable("away", error);
}
