import { type Migration, sql } from "kysely";

export const scopesOfExportsMigration: Migration = {
  async up(db) {
    // Null of exports of before, which were of everything, and were started in the name of their owner.
    await sql`alter table exports add column scope_keys jsonb, add column api_key_id text`.execute(db);
  },
};
