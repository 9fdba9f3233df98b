import { type Migration, sql } from "kysely";

export const cardLinksMigration: Migration = {
  async up(db) {
    await sql`
      create table card_links (
        user_id text primary key references users (id) on delete cascade,
        issuer text not null,
        card_hash text not null unique,
        linked_at timestamptz not null default now()
      )`.execute(db);
    await sql`
      create table spent_card_codes (
        hash text primary key,
        spent_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index on spent_card_codes (spent_at)`.execute(db);
  },
};
