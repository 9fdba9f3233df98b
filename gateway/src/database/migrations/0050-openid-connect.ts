import { type Migration, sql } from "kysely";

export const openIdConnectMigration: Migration = {
  async up(db) {
    await sql`
      create table provider_links (
        user_id text primary key references users (id) on delete cascade,
        issuer text not null,
        person_hash text not null unique,
        made_account boolean not null,
        linked_at timestamptz not null default now(),
        confirmed_at timestamptz not null default now()
      )`.execute(db);
    await sql`
      create table provider_roles (
        user_id text not null references users (id) on delete cascade,
        role_id text not null references roles (id) on delete cascade,
        primary key (user_id, role_id)
      )`.execute(db);
    await sql`create index on provider_roles (role_id)`.execute(db);
    await sql`
      create table provider_groups (
        user_id text not null references users (id) on delete cascade,
        group_id text not null references groups (id) on delete cascade,
        primary key (user_id, group_id)
      )`.execute(db);
    await sql`create index on provider_groups (group_id)`.execute(db);
    await sql`
      create table provider_sessions (
        session_id text primary key references sessions (id) on delete cascade,
        person_hash text not null,
        sid_hash text,
        tokens text not null,
        checking_until timestamptz,
        unreachable_since timestamptz
      )`.execute(db);
    await sql`create index on provider_sessions (person_hash)`.execute(db);
    await sql`alter table sessions add column authenticated_at timestamptz`.execute(db);
    await sql`alter table sessions add column renewal_due boolean not null default false`.execute(db);
  },
};
