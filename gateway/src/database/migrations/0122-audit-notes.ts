import { type Migration, sql } from "kysely";

export const auditNotesMigration: Migration = {
  async up(db) {
    // Beside the events, which stay narrow: few calls have one.
    await sql`create table audit_notes (event_id bigint primary key, note text not null)`.execute(db);
  },
};
