import { type Migration, sql } from "kysely";

export const entitiesMigration: Migration = {
  async up(db) {
    await sql`
      create table entities (
        type text not null,
        id text not null,
        enabled boolean not null default true,
        version integer not null default 1,
        body jsonb not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (type, id)
      )`.execute(db);
  },
};
