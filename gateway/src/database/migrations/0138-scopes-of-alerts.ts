import { type Migration, sql } from "kysely";

export const scopesOfAlertsMigration: Migration = {
  async up(db) {
    // Null of what was stored before, which was of everything, and of what has no figures.
    for (const table of ["alerts", "alert_checks", "alert_deliveries", "notifications"]) {
      await sql`alter table ${sql.table(table)} add column scope_keys jsonb`.execute(db);
    }
  },
};
