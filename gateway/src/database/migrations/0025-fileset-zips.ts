import { type Migration, sql } from "kysely";

export const filesetZipsMigration: Migration = {
  async up(db) {
    await sql`
      create table fileset_zips (
        id uuid primary key default gen_random_uuid(),
        user_id text not null references users (id) on delete cascade,
        fileset_id text not null,
        paths jsonb not null,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index fileset_zips_user on fileset_zips (user_id, created_at)`.execute(db);
  },
};
