import { type Migration, sql } from "kysely";

export const authorsOfSearchesMigration: Migration = {
  async up(db) {
    // Whoever has written the query, if that is not the owner: authors see the columns that they name.
    await sql`alter table saved_searches add column query_by text`.execute(db);
  },
};
