import { type Migration, sql } from "kysely";

export const importUploadsMigration: Migration = {
  async up(db) {
    await sql`alter table fileset_part_uploads add column holder_kind text not null default 'fileset'`.execute(db);
  },
};
