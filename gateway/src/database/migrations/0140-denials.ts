import { type Migration, sql } from "kysely";

export const denialsMigration: Migration = {
  async up(db) {
    await sql`create table audit_denials (event_id bigint primary key, denied text[] not null)`.execute(db);
  },
};
