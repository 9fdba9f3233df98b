import { type Migration, sql } from "kysely";

export const accountsMigration: Migration = {
  async up(db) {
    await sql`
      create table users (
        id text primary key,
        username text not null,
        username_key text not null unique,
        email text,
        first_name text,
        last_name text,
        password_hash text,
        require_password_change boolean not null default false,
        locked boolean not null default false,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`create table groups (id text primary key, name text not null unique)`.execute(db);
    await sql`create table roles (id text primary key, name text not null unique)`.execute(db);
    for (const [table, left, right] of [
      ["user_groups", "user", "group"],
      ["user_roles", "user", "role"],
      ["group_roles", "group", "role"],
    ] as const) {
      await sql`
        create table ${sql.table(table)} (
          ${sql.ref(`${left}_id`)} text not null references ${sql.table(`${left}s`)} (id) on delete cascade,
          ${sql.ref(`${right}_id`)} text not null references ${sql.table(`${right}s`)} (id) on delete cascade,
          primary key (${sql.ref(`${left}_id`)}, ${sql.ref(`${right}_id`)})
        )`.execute(db);
      await sql`create index on ${sql.table(table)} (${sql.ref(`${right}_id`)})`.execute(db);
    }
    await sql`
      create table sessions (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        purpose text not null check (purpose in ('ordinary', 'password-reset')),
        signed_in_at timestamptz not null default now(),
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index on sessions (user_id)`.execute(db);
    await sql`create index on sessions (expires_at)`.execute(db);
    await sql`
      create table refresh_tokens (
        hash text primary key,
        session_id text not null references sessions (id) on delete cascade,
        parent_hash text,
        spent boolean not null default false,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index on refresh_tokens (session_id)`.execute(db);
    await sql`create index on refresh_tokens (expires_at)`.execute(db);
    await sql`
      create table signing_keys (
        kid text primary key,
        public_key text not null,
        private_key text not null,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`create table setup_tokens (hash text primary key, expires_at timestamptz not null)`.execute(db);
    await sql`
      create table login_rates (
        address text primary key,
        window_start timestamptz not null default now(),
        attempts integer not null,
        failures integer not null
      )`.execute(db);
    await sql`
      create table login_failures (
        id bigint generated always as identity primary key,
        account text not null,
        address text not null,
        state text not null check (state in ('pending', 'failed', 'void')),
        at timestamptz not null default now()
      )`.execute(db);
    await sql`create index on login_failures (account, at)`.execute(db);
    await sql`create index on login_failures (at)`.execute(db);
    await sql`
      create table login_locks (
        account text not null,
        address text not null,
        until timestamptz not null,
        primary key (account, address)
      )`.execute(db);
  },
};
