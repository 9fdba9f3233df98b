import { type Migration, sql } from "kysely";

export const revisionsMigration: Migration = {
  async up(db) {
    await sql`
      create table entity_revisions (
        revision bigint generated always as identity primary key,
        type text not null,
        entity_id text not null,
        at timestamptz not null default now(),
        by text,
        action text not null,
        before jsonb,
        after jsonb
      )`.execute(db);
    await sql`create index on entity_revisions (type, entity_id, revision desc)`.execute(db);
    for (const table of ["users", "groups", "roles"]) {
      await sql`alter table ${sql.table(table)} add column version integer not null default 1`.execute(db);
    }
  },
};
