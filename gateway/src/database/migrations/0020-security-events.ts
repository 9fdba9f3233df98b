import { type Migration, sql } from "kysely";

export const securityEventsMigration: Migration = {
  async up(db) {
    await sql`
      create table security_events (
        id bigint generated always as identity primary key,
        user_id text not null references users (id) on delete cascade,
        at timestamptz not null default now(),
        kind text not null,
        subject text,
        by text
      )`.execute(db);
    await sql`create index security_events_of_user on security_events (user_id, id)`.execute(db);
    await sql`create index security_events_at on security_events (at)`.execute(db);
  },
};
