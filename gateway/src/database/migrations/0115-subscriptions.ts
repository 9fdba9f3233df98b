import { type Migration, sql } from "kysely";

export const subscriptionsMigration: Migration = {
  async up(db) {
    // Without references to boards and saved searches: a subscription outlives them, so that its owner learns why nothing comes any more.
    await sql`
      create table subscriptions (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        name text not null,
        name_key text not null,
        board_id text,
        saved_search_id text,
        hour int not null,
        minute int not null,
        weekdays int[] not null,
        zone text not null,
        only_if_changed boolean not null,
        with_rows boolean not null,
        digests jsonb,
        run_day text,
        due_at timestamptz,
        last_day text,
        attempts int not null default 0,
        asked_at timestamptz,
        last_asked_at timestamptz,
        is_paused boolean not null default false,
        pause_reason text not null default '',
        last_sent_at timestamptz,
        claim text,
        claimed_at timestamptz,
        claimed_until timestamptz,
        created_at timestamptz not null default now(),
        unique (user_id, name_key)
      )`.execute(db);
    await sql`create index subscriptions_due on subscriptions (due_at) where due_at is not null`.execute(db);
    await sql`create index subscriptions_asked on subscriptions (asked_at) where asked_at is not null`.execute(db);
    await sql`
      create table subscription_deliveries (
        id bigint generated always as identity primary key,
        subscription_id text not null references subscriptions (id) on delete cascade,
        started_at timestamptz not null,
        kind text not null,
        is_asked boolean not null,
        not_ready text[] not null,
        reason text not null,
        duration_ms int not null
      )`.execute(db);
    await sql`create index subscription_deliveries_newest on subscription_deliveries (subscription_id, id desc)`.execute(db);
    await sql`create index subscription_deliveries_age on subscription_deliveries (started_at)`.execute(db);
  },
};
