import { type Migration, sql } from "kysely";

export const rolesOfKeysMigration: Migration = {
  async up(db) {
    await sql`alter table api_keys add column roles text[]`.execute(db);
  },
};
