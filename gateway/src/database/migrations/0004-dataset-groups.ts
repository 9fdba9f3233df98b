import { type Migration, sql } from "kysely";

export const datasetGroupsMigration: Migration = {
  async up(db) {
    // Names that differ only in case, as defined by the gateway, have the same key.
    await sql`
      create table dataset_groups (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        name text not null,
        name_key text not null,
        description text not null,
        datasets jsonb not null,
        created_at timestamptz not null default now(),
        unique (user_id, name_key)
      )`.execute(db);
  },
};
