import { type Migration, sql } from "kysely";

export const providerSubjectsMigration: Migration = {
  async up(db) {
    await sql`alter table provider_links add column subject text`.execute(db);
  },
};
