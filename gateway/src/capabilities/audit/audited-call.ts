import type { RouteShape } from "@fairway/contract/route";

/** A call as received; secrets are removed when it is stored. */
export interface AuditedCall extends CallFacts {
  readonly id: bigint;
  /** Whether to wait until the call is on disk. */
  readonly durable: boolean;
}

export interface CallFacts {
  readonly timeMs: number;
  readonly durationMs: number;
  readonly responseCode: number;
  readonly method: string;
  /** The requested path; the query string is not stored. */
  readonly url: string;
  readonly shape: RouteShape | undefined;
  readonly userId: string | null;
  readonly username: string;
  /** Name of the API key that the user called with, or null. */
  readonly apiKey: string | null;
  /** The subject of the call: names and counts. */
  readonly note?: string | undefined;
  /** Whatever there is and was withheld from the caller. */
  readonly denied?: readonly string[] | undefined;
  readonly ip: string;
  readonly userAgent: string | undefined;
}
