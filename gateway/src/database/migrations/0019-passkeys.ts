import { type Migration, sql } from "kysely";

export const passkeysMigration: Migration = {
  async up(db) {
    await sql`
      create table passkeys (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        name text not null,
        name_key text not null,
        credential_id text not null unique,
        public_key bytea not null,
        counter bigint not null,
        transports text[] not null,
        rp_id text not null,
        created_at timestamptz not null default now(),
        last_used_at timestamptz,
        unique (user_id, name_key)
      )`.execute(db);
    await sql`
      create table passkey_challenges (
        session_id text not null references sessions (id) on delete cascade,
        purpose text not null check (purpose in ('add', 'second-factor', 'alone')),
        challenge text not null,
        rp_id text not null,
        origin text not null,
        name text,
        expires_at timestamptz not null,
        primary key (session_id, purpose)
      )`.execute(db);
  },
};
