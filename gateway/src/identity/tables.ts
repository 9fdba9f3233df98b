import type { ColumnType, Generated } from "kysely";

/** Accounts, sessions and keys. Ids are random texts without '/'. */
export interface AccountTables {
  users: {
    id: string;
    username: string;
    email: string | null;
    first_name: string | null;
    last_name: string | null;
    /** argon2id, encoded with its parameters; null where the account has no password. */
    password_hash: string | null;
    require_password_change: Generated<boolean>;
    /** An administrator's lock, until an administrator ends it. */
    locked: Generated<boolean>;
    created_at: ColumnType<Date, never, never>;
  };
  groups: { id: string; name: string };
  roles: { id: string; name: string };
  user_groups: { user_id: string; group_id: string };
  user_roles: { user_id: string; role_id: string };
  group_roles: { group_id: string; role_id: string };
}
