import type { ColumnType, Generated } from "kysely";

export interface SecurityEventTables {
  security_events: {
    id: Generated<string>;
    user_id: string;
    at: ColumnType<Date, never, never>;
    kind: string;
    subject: string | null;
    /** Username of the administrator who did it; null: the account's own user. */
    by: string | null;
  };
}
