import { type Migration, sql } from "kysely";

export const boardsMigration: Migration = {
  async up(db) {
    // Names that differ only in case, as defined by the gateway, have the same key.
    await sql`
      create table boards (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        name text not null,
        name_key text not null,
        description text not null,
        shared_with_roles text[] not null,
        content jsonb not null,
        version int not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null,
        unique (user_id, name_key)
      )`.execute(db);
    await sql`create index boards_shared on boards using gin (shared_with_roles)`.execute(db);
    await sql`
      create table board_revisions (
        board_id text not null references boards (id) on delete cascade,
        version int not null,
        name text not null,
        content jsonb not null,
        saved_at timestamptz not null,
        primary key (board_id, version)
      )`.execute(db);
  },
};
