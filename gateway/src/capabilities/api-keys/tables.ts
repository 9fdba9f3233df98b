import type { DatasetRef } from "@fairway/contract/datasets";
import type { ColumnType, JSONColumnType } from "kysely";

type SetByDatabase = ColumnType<Date, never, never>;

export interface ApiKeyTables {
  api_keys: {
    id: string;
    user_id: string;
    name: string;
    /** `nameKey(name)`; unique for each user. */
    name_key: string;
    datasets: JSONColumnType<DatasetRef[]>;
    fileset_ids: string[];
    ecosystem_names: string[];
    expires_at: Date | null;
    last_used_at: Date | null;
    created_at: SetByDatabase;
  };
  /** The values of keys: the current one, and for a while the one before it. */
  api_key_values: {
    /** sha256 of the value, hex. */
    hash: string;
    key_id: string;
    /** The value, encrypted with the master key. */
    value: string;
    /** Its last characters. */
    hint: string;
    /** Null: the current one. */
    ends_at: Date | null;
  };
}
