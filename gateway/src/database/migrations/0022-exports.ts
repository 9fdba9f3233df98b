import { type Migration, sql } from "kysely";

export const exportsMigration: Migration = {
  async up(db) {
    // `json` instead of `jsonb`: searches may contain characters that jsonb refuses.
    await sql`
      create table exports (
        id text primary key,
        owner_id text not null references users (id) on delete cascade,
        dataset_category text not null,
        dataset_id text not null,
        request json not null,
        status text not null check (status in ('running', 'done', 'failed', 'cancelled')),
        attempt integer not null default 1,
        alive_at timestamptz,
        rows bigint not null default 0,
        total_rows bigint,
        bytes bigint not null default 0,
        failure text,
        result json,
        started_at timestamptz not null default now(),
        finished_at timestamptz
      )`.execute(db);
    await sql`create index on exports (owner_id)`.execute(db);
    await sql`create index exports_running on exports (started_at) where status = 'running'`.execute(db);
    await sql`create index on exports (finished_at)`.execute(db);
  },
};
