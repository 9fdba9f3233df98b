import type { ColumnType } from "kysely";

export interface GraphTemplateTables {
  graph_templates: {
    id: string;
    user_id: string;
    category: string;
    dataset_id: string;
    name: string;
    name_key: string;
    template: string;
    created_at: ColumnType<Date, never, never>;
  };
}
