import { type Migration, sql } from "kysely";

export const appendingKeysMigration: Migration = {
  async up(db) {
    await sql`alter table api_keys add column may_append boolean not null default false`.execute(db);
  },
};
