import { type Migration, sql } from "kysely";

export const alertsMigration: Migration = {
  async up(db) {
    // Names that differ only in case, as defined by the gateway, have the same key. An alert outlives its saved search, so that
    // its owner learns why it watches no more.
    await sql`
      create table alerts (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        name text not null,
        name_key text not null,
        saved_search_id text references saved_searches (id) on delete set null,
        category text not null,
        dataset_id text not null,
        condition jsonb not null,
        every_minutes int not null,
        tell_when_over boolean not null,
        email boolean not null,
        is_firing boolean not null default false,
        memory jsonb,
        paused_by text,
        pause_reason text not null default '',
        snoozed_until timestamptz,
        failures int not null default 0,
        checked_at timestamptz,
        seen_rows bigint,
        seen_newest_ms bigint,
        next_check_at timestamptz,
        claim text,
        claimed_at timestamptz,
        claimed_until timestamptz,
        tested_at timestamptz,
        created_at timestamptz not null default now(),
        unique (user_id, name_key)
      )`.execute(db);
    await sql`create index alerts_due on alerts (next_check_at) where next_check_at is not null`.execute(db);
    await sql`create index alerts_saved_search on alerts (saved_search_id)`.execute(db);
    await sql`
      create table alert_checks (
        id bigint generated always as identity primary key,
        alert_id text not null references alerts (id) on delete cascade,
        checked_at timestamptz not null default now(),
        kind text not null,
        is_change boolean not null,
        rows bigint,
        new_rows bigint,
        newest_ms bigint,
        told text[] not null,
        reason text not null,
        duration_ms int not null
      )`.execute(db);
    await sql`create index alert_checks_newest on alert_checks (alert_id, id desc)`.execute(db);
    await sql`create index alert_checks_age on alert_checks (checked_at)`.execute(db);
  },
};
