import { type Migration, sql } from "kysely";

/** The API key of a call. */
export const auditApiKeyMigration: Migration = {
  async up(db) {
    await sql`alter table audit_clients add column api_key text`.execute(db);
  },
};
