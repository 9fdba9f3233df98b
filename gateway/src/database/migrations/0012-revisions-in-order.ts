import { type Migration, sql } from "kysely";

/** Binary JSON puts keys into an order of its own; a Jolt specification means something else then. */
export const revisionsInOrderMigration: Migration = {
  async up(db) {
    await sql`
      alter table entity_revisions
        alter column before type json using before::json,
        alter column after type json using after::json`.execute(db);
  },
};
