import type { AddressPolicy } from "#outbound/address-policy.ts";
import type { Compiled } from "#query/sql/compile.ts";

/** Trino, or PrestoDB and its relatives before Trino 351. They differ in the names of headers and in their SQL. */
export type ServerKind = "trino" | "presto";

export interface ResultColumn {
  readonly name: string;
  /** As the server names it: `timestamp(6) with time zone`. */
  readonly type: string;
}

export interface StatementResult {
  readonly queryId: string;
  readonly columns: readonly ResultColumn[];
  /**
   * The server's pages of rows as they come, as parsed from JSON; at most one page is fetched ahead. Can be read once. The query
   * is canceled if the consumer stops early. Throws EngineFailed.
   */
  readonly pages: AsyncIterable<readonly (readonly unknown[])[]>;
}

export interface StatementCall {
  readonly signal: AbortSignal;
  /** The user name of the person for whom the statement runs; undefined for the portal itself. */
  readonly user: string | undefined;
  /** For the whole statement, until its last page is read. The server gets the same limit. */
  readonly timeoutMs: number;
}

export interface CoordinatorLimits {
  readonly connectMs: number;
  /** For each whole answer. Servers answer within about a second, with an empty page if there are no rows yet. */
  readonly readMs: number;
  /** How long calls that may be repeated are repeated, from the first failure. */
  readonly retryMs: number;
  /** The largest page after decompression. Servers aim at 1 MB, but a row can be larger. */
  readonly pageBytes: number;
}

/** The portal's account at a Trino or Presto server. */
export interface PrestoSignIn {
  readonly user: string;
  readonly password?: string | undefined;
  /** A JWT. Used instead of a password. */
  readonly token?: string | undefined;
  /** Certificates in PEM to trust in addition to the public ones. */
  readonly ca?: string | undefined;
  /** Whether statements run as the person for whom they run, which the server has to allow the portal's account. */
  readonly asUser: boolean;
}

export interface CoordinatorSettings extends Omit<PrestoSignIn, "asUser"> {
  /** Without a path, or with the path of a proxy. */
  readonly url: string;
  /** Decides what the portal may call. */
  readonly addresses: AddressPolicy;
}

export interface StatementServerSettings extends CoordinatorSettings, PrestoSignIn {
  /** Names the portal to the server's resource groups; users are added to it as `fairway/ada`. */
  readonly source: string;
  /** For names without a catalog. */
  readonly catalog?: string | undefined;
  readonly log: StatementLog;
  readonly limits?: Partial<CoordinatorLimits>;
}

export interface StatementLog {
  warn(details: object, message: string): void;
}

/** One Trino or Presto server. */
export interface StatementServer {
  /** Asks the server on the first call; asks again after a failure. Rejects with EngineFailed. */
  kind(signal: AbortSignal): Promise<ServerKind>;
  /**
   * Resolves once the columns are known. Rejects with EngineFailed, or as StatementError if the server itself ended the statement.
   * Messages name the id of the query. Numbers after LIMIT and OFFSET are written into the statement, other values are parameters.
   */
  run(statement: Compiled, call: StatementCall): Promise<StatementResult>;
  /** Ends all statements. */
  close(): Promise<void>;
}
