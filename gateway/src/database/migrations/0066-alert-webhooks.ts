import { type Migration, sql } from "kysely";

export const alertWebhooksMigration: Migration = {
  async up(db) {
    await sql`
      create table alert_webhooks (
        alert_id text primary key references alerts (id) on delete cascade,
        target text not null,
        problem text not null default '',
        dead_at timestamptz
      )`.execute(db);
    await sql`
      create table alert_deliveries (
        id text primary key,
        alert_id text not null references alert_webhooks (alert_id) on delete cascade,
        body text not null,
        needs_dataset boolean not null,
        attempts int not null default 0,
        next_attempt_at timestamptz not null default now(),
        claim text,
        claimed_until timestamptz,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index alert_deliveries_due on alert_deliveries (next_attempt_at)`.execute(db);
    await sql`create index alert_deliveries_alert on alert_deliveries (alert_id)`.execute(db);
  },
};
