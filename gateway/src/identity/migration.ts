import { type Migration, sql } from "kysely";

export const accountsMigration: Migration = {
  async up(db) {
    await sql`
      create table users (
        id text primary key,
        username text not null,
        email text,
        first_name text,
        last_name text,
        password_hash text,
        require_password_change boolean not null default false,
        locked boolean not null default false,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`create unique index users_username on users (lower(username))`.execute(db);
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
    }
  },
};
