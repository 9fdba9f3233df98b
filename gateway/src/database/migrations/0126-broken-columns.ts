import { type Migration, sql } from "kysely";

export const brokenColumnsMigration: Migration = {
  async up(db) {
    // The warnings of columns that its owner has been told.
    await sql`alter table own_datasets add column broken jsonb not null default '[]'`.execute(db);
  },
};
