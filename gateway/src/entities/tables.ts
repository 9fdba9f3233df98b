import type { ColumnType, GeneratedAlways, JSONColumnType } from "kysely";

/** Everything an administrator configures, of every type, in one table; the type's contract knows the body. */
export interface EntityTables {
  entities: {
    /** `datasets/internal`, `notices`, …: the path segment of the administration's calls. */
    type: string;
    id: string;
    enabled: boolean;
    /** Counts up with each save; a save that names an older one is refused. */
    version: ColumnType<number, number | undefined, number>;
    body: JSONColumnType<Record<string, unknown>>;
    created_at: ColumnType<Date, never, never>;
    updated_at: ColumnType<Date, never, Date>;
  };
  /** Every change that administrators make, of accounts too; without secrets. */
  entity_revisions: {
    revision: GeneratedAlways<string>;
    type: string;
    entity_id: string;
    at: ColumnType<Date, never, never>;
    /** A username, which may be gone meanwhile; null: the portal itself. */
    by: string | null;
    action: string;
    /** Null: it was not there. */
    before: JSONColumnType<Record<string, unknown> | null>;
    after: JSONColumnType<Record<string, unknown> | null>;
  };
}
