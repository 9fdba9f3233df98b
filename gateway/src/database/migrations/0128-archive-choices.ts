import { type Migration, sql } from "kysely";

export const archiveChoicesMigration: Migration = {
  async up(db) {
    // The content of an archive, and the file of it that was chosen.
    await sql`alter table import_files add column contents jsonb`.execute(db);
    await sql`alter table import_files add column entry text`.execute(db);
  },
};
