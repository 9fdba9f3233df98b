import { type Migration, sql } from "kysely";

export const assistantsMigration: Migration = {
  async up(db) {
    // A single row, and none before the first change.
    await sql`
      create table assistant_settings (
        only_row boolean primary key default true check (only_row),
        enabled boolean not null
      )`.execute(db);
    await sql`
      create table assistant_uses (
        api_key_id text not null references api_keys (id) on delete cascade,
        tool text not null,
        day date not null,
        calls bigint not null,
        refused bigint not null,
        primary key (api_key_id, tool, day)
      )`.execute(db);
  },
};
