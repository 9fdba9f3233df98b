import { type Migration, sql } from "kysely";

export const partUploadsMigration: Migration = {
  async up(db) {
    await sql`
      create table fileset_part_uploads (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        fileset_id text not null,
        file text not null,
        version text not null,
        size bigint not null,
        part_bytes bigint not null,
        bucket text not null,
        key text not null,
        store_upload_id text not null,
        room_id text not null,
        confirmed integer[] not null default '{}',
        joining_until timestamptz,
        outcome text,
        started_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index on fileset_part_uploads (user_id)`.execute(db);
    await sql`create index on fileset_part_uploads (started_at)`.execute(db);
  },
};
