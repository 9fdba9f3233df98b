import { type Migration, sql } from "kysely";

export const graphTemplatesMigration: Migration = {
  async up(db) {
    await sql`
      create table graph_templates (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        category text not null,
        dataset_id text not null,
        name text not null,
        name_key text not null,
        template text not null,
        created_at timestamptz not null default now(),
        unique (user_id, category, dataset_id, name_key)
      )`.execute(db);
  },
};
