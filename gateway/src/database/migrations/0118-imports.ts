import { type Migration, sql } from "kysely";

export const importsMigration: Migration = {
  async up(db) {
    await sql`
      create table imports (
        id text primary key,
        user_id text not null references users (id) on delete cascade,
        status text not null,
        from_fileset text,
        into_dataset jsonb,
        format text not null,
        suggested_name text not null,
        hints jsonb not null,
        choices jsonb not null,
        draft jsonb,
        result jsonb,
        is_partial boolean not null default false,
        progress jsonb,
        dataset jsonb,
        failure jsonb,
        attempt integer not null default 0,
        tries integer not null default 0,
        alive_at timestamptz,
        created_at timestamptz not null default now(),
        used_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index imports_user on imports (user_id)`.execute(db);
    await sql`create index imports_running on imports (created_at) where status in ('reading', 'creating')`.execute(db);
    await sql`
      create table import_files (
        import_id text not null references imports (id) on delete cascade,
        number integer not null,
        file text not null,
        size bigint not null,
        key text not null,
        upload_id text,
        part_bytes bigint not null,
        is_complete boolean not null default false,
        sha256 text,
        primary key (import_id, number)
      )`.execute(db);
  },
};
