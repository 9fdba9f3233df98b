import { type Migration, sql } from "kysely";

export const savedSearchesMigration: Migration = {
  async up(db) {
    // Names that differ only in case, as defined by the gateway, have the same key.
    await sql`
      create table saved_searches (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        category text not null,
        dataset_id text not null,
        name text not null,
        name_key text not null,
        description text not null,
        query text not null,
        shared_with_roles text[] not null,
        created_at timestamptz not null default now(),
        unique (user_id, category, dataset_id, name_key)
      )`.execute(db);
    await sql`create index saved_searches_shared on saved_searches using gin (shared_with_roles)`.execute(db);
  },
};
