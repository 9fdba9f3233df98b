import { type Migration, sql } from "kysely";

export const uploadRoomMigration: Migration = {
  async up(db) {
    await sql`
      create table fileset_uploads (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        bytes bigint not null,
        started_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index on fileset_uploads (user_id)`.execute(db);
  },
};
