import { type Migration, sql } from "kysely";

export const boardBytesMigration: Migration = {
  async up(db) {
    // Computed once when a state is saved, so that counting a user's boards reads none of their contents.
    for (const table of ["boards", "board_revisions"]) {
      await sql`
        alter table ${sql.table(table)}
        add column bytes integer not null generated always as (octet_length(content::text)) stored`.execute(db);
    }
  },
};
