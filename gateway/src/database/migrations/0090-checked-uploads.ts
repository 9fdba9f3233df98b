import { type Migration, sql } from "kysely";

export const checkedUploadsMigration: Migration = {
  async up(db) {
    await sql`alter table fileset_part_uploads add column is_checked boolean not null default false`.execute(db);
  },
};
