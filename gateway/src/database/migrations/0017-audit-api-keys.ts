import { type Migration, sql } from "kysely";

/** By which API key somebody called. */
export const auditApiKeyMigration: Migration = {
  async up(db) {
    await sql`alter table audit_clients add column api_key text`.execute(db);
  },
};
