import type { ColumnType } from "kysely";

export interface SavedSearchTables {
  saved_searches: {
    id: string;
    user_id: string;
    category: string;
    dataset_id: string;
    name: string;
    name_key: string;
    description: string;
    query: string;
    shared_with_roles: string[];
    created_at: ColumnType<Date, never, never>;
  };
}
