import type { ColumnType } from "kysely";

export interface FavoriteTables {
  favorite_datasets: {
    user_id: string;
    category: string;
    dataset_id: string;
    created_at: ColumnType<Date, never, never>;
  };
}
