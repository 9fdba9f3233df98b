import type { DatasetRef } from "@fairway/contract/datasets";
import type { ColumnType, JSONColumnType } from "kysely";

export interface DatasetGroupTables {
  dataset_groups: {
    id: string;
    user_id: string;
    name: string;
    name_key: string;
    description: string;
    datasets: JSONColumnType<DatasetRef[]>;
    created_at: ColumnType<Date, never, never>;
  };
}
