import { type Migration, sql } from "kysely";

export const apiKeysMigration: Migration = {
  async up(db) {
    await sql`
      create table api_keys (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        name text not null,
        name_key text not null,
        datasets jsonb not null,
        fileset_ids text[] not null,
        ecosystem_names text[] not null,
        expires_at timestamptz,
        last_used_at timestamptz,
        created_at timestamptz not null default now(),
        unique (user_id, name_key)
      )`.execute(db);
    await sql`
      create table api_key_values (
        hash text primary key,
        key_id text not null references api_keys (id) on delete cascade,
        value text not null,
        hint text not null,
        ends_at timestamptz
      )`.execute(db);
    await sql`create unique index api_key_values_current on api_key_values (key_id) where ends_at is null`.execute(db);
    await sql`create index on api_key_values (key_id)`.execute(db);
  },
};
