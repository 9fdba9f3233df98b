import { DatabaseError } from "pg";

/** Why a statement could not be done although nothing is wrong with it. */
type Reason =
  /** The server cannot be reached, ended the connection, or gives no answer. */
  | "away"
  /** It has no connection left, or needs too long. */
  | "busy"
  /** It has no room left. */
  | "full";

/** The database could not take a statement at this moment; the cause says what it or its connection said. Decision 0100. */
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
  full: "the database has no space left",
};

/** SQLSTATEs, by their first characters: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const reasons: readonly (readonly [code: string, reason: Reason])[] = [
  ["53100", "full"],
  // Too many connections, out of memory, a configured limit.
  ["53", "busy"],
  // The statement timeout.
  ["57014", "busy"],
  // Shut down, crashed, or still starting.
  ["57P", "away"],
  ["08", "away"],
  // A server that became a standby takes no writes: its successor is elsewhere.
  ["25006", "away"],
];

/** What a failed statement means; undefined where the statement itself is at fault. */
export function unavailableBy(error: unknown): DatabaseUnavailable | undefined {
  if (error instanceof DatabaseUnavailable) return error;
  if (!(error instanceof DatabaseError)) return undefined;
  const [, reason] = reasons.find(([code]) => error.code?.startsWith(code)) ?? [];
  if (reason !== undefined) return new DatabaseUnavailable(reason, error);
  return error.severity === "FATAL" || error.severity === "PANIC" ? new DatabaseUnavailable("away", error) : undefined;
}

/** The same of a connection that could not be made: whatever the cause, no statement was tried. */
export function unconnectedBy(error: unknown): DatabaseUnavailable {
  return unavailableBy(error) ?? new DatabaseUnavailable("away", error);
}
