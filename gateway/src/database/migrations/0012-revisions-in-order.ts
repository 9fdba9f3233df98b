import { type Migration, sql } from "kysely";

/** `jsonb` reorders keys, which changes the meaning of a Jolt specification. */
export const revisionsInOrderMigration: Migration = {
  async up(db) {
    await sql`
      alter table entity_revisions
        alter column before type json using before::json,
        alter column after type json using after::json`.execute(db);
  },
};
