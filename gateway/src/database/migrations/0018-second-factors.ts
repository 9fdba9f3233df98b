import { type Migration, sql } from "kysely";

export const secondFactorsMigration: Migration = {
  async up(db) {
    await sql`alter table sessions drop constraint sessions_purpose_check`.execute(db);
    await sql`
      alter table sessions
        add constraint sessions_purpose_check check (purpose in ('ordinary', 'password-reset', 'second-factor')),
        add column second_factor boolean not null default false`.execute(db);
    await sql`
      create table authenticators (
        user_id text primary key references users (id) on delete cascade,
        secret text not null,
        created_at timestamptz not null default now(),
        confirmed_at timestamptz,
        last_step bigint not null default 0,
        last_used_at timestamptz
      )`.execute(db);
    await sql`
      create table recovery_codes (
        user_id text not null references users (id) on delete cascade,
        hash text not null,
        used_at timestamptz,
        primary key (user_id, hash)
      )`.execute(db);
  },
};
