import { type Migration, sql } from "kysely";

export const providerLogoutsMigration: Migration = {
  async up(db) {
    await sql`create index on provider_sessions (sid_hash) where sid_hash is not null`.execute(db);
  },
};
