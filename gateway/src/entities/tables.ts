import type { ColumnType, JSONColumnType } from "kysely";

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
}
