import { type Migration, sql } from "kysely";

export const flowReasonsMigration: Migration = {
  async up(db) {
    await sql`alter table flow_requests add column reason text not null default ''`.execute(db);
    await sql`alter table flow_iterations add column reason text not null default ''`.execute(db);
  },
};
