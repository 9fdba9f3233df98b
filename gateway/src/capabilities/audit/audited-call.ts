import type { RouteShape } from "@fairway/contract/route";

/** A call as it was; it is cleaned when it is stored. */
export interface AuditedCall extends CallFacts {
  readonly id: bigint;
  /** Not lost even when the machine fails right afterwards. */
  readonly durable: boolean;
}

export interface CallFacts {
  readonly timeMs: number;
  readonly durationMs: number;
  readonly responseCode: number;
  readonly method: string;
  /** As it was asked for; a query is not kept. */
  readonly url: string;
  readonly shape: RouteShape | undefined;
  readonly userId: string | null;
  readonly username: string;
  /** The name of the API key that the user called with; null: none. */
  readonly apiKey: string | null;
  readonly ip: string;
  readonly userAgent: string | undefined;
}
