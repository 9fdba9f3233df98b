import { type Migration, sql } from "kysely";

export const uploadPartsMigration: Migration = {
  async up(db) {
    await sql`
      create table fileset_upload_parts (
        upload_id text not null references fileset_part_uploads (id) on delete cascade,
        part integer not null,
        tag text not null,
        primary key (upload_id, part)
      )`.execute(db);
  },
};
