import { type Migration, sql } from "kysely";

/** The parts of a name, so that a search finds what reaches from one part into the next. Filled when datasets are indexed again. */
export const catalogNamePartsMigration: Migration = {
  async up(db) {
    await sql`alter table catalog_words add column parts text collate "C"`.execute(db);
  },
};
