import { type Migration, sql } from "kysely";

export const schemaUpdatesMigration: Migration = {
  async up(db) {
    await sql`
      create table schema_updates (
        id text primary key,
        dataset_id text not null,
        status text not null check (status in ('running', 'done', 'failed')),
        done integer not null default 0,
        step text not null,
        started_at timestamptz not null default now(),
        alive_at timestamptz not null default now(),
        finished_at timestamptz,
        result jsonb,
        problem text
      )`.execute(db);
    await sql`create unique index schema_updates_running on schema_updates (dataset_id) where status = 'running'`.execute(db);
    await sql`create index on schema_updates (started_at)`.execute(db);
  },
};
