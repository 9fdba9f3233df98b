import { type Migration, sql } from "kysely";

export const unpackedImportsMigration: Migration = {
  async up(db) {
    // Files that were unpacked have a container, which is not read itself.
    await sql`alter table import_files add column container integer`.execute(db);
    await sql`alter table import_files add column is_container boolean not null default false`.execute(db);
  },
};
