import type { ColumnType, Generated } from "kysely";

/** The log is narrow on purpose: an event is four numbers, and what many events have in common stands once. Decision 0078. */
export interface AuditTables {
  /** Who asked for what with which outcome. */
  audit_shapes: {
    id: Generated<string>;
    /** A digest of all that follows. */
    key: string;
    user_id: string | null;
    username: string;
    response_code: number;
    method: string;
    path: string;
    route: string;
    /** The facets that count it. */
    user_facet_id: string;
    path_facet_id: string;
  };
  /** Shapes together: those of a user, whatever the path, and those of a path, whoever the user; see `by_user`. */
  audit_facets: {
    id: Generated<string>;
    /** A digest of all that follows, made by the database. */
    key: ColumnType<string, never, never>;
    by_user: boolean;
    /** Empty in a facet of a path. */
    username: string;
    response_code: number;
    method: string;
    /** Empty in a facet of a user. */
    path: string;
  };
  /** From where and with what. */
  audit_clients: {
    id: Generated<string>;
    key: string;
    ip_address: string;
    user_agent: string;
    /** The name of an API key; null: none. */
    api_key: string | null;
    /** The last day it was seen. */
    last_day: number;
  };
  audit_events: {
    /** Sorts by time: see `event-ids.ts`. */
    id: string;
    shape_id: string;
    client_id: string;
    duration_ms: number;
  };
  /** Events of each shape on each day (days since 1970, UTC); shape 0 stands for all. */
  audit_counts: { shape_id: string; day: number; n: number };
  /** The same of each facet. */
  audit_facet_counts: { facet_id: string; day: number; n: number };
}
