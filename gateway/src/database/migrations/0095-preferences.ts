import { type Migration, sql } from "kysely";

export const preferencesMigration: Migration = {
  async up(db) {
    // Values are JSON text, which is returned as it is.
    await sql`
      create table preferences (
        user_id text not null references users (id) on delete cascade,
        key text not null,
        value text not null,
        primary key (user_id, key)
      )`.execute(db);
  },
};
