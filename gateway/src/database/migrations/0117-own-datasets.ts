import { type Migration, sql } from "kysely";

export const ownDatasetsMigration: Migration = {
  async up(db) {
    // A category stays taken, so that nobody gets the address of somebody else's datasets.
    await sql`
      create table own_categories (
        category text primary key,
        user_id text unique references users (id) on delete set null
      )`.execute(db);
    await sql`
      create table own_datasets (
        id text primary key,
        category text not null,
        name text not null,
        owner_id text references users (id) on delete set null,
        owner_name text not null,
        title text,
        settings jsonb not null,
        settings_version integer not null default 1,
        reading jsonb,
        data_version integer not null,
        is_enabled boolean not null default true,
        created_at timestamptz not null default now(),
        changed_at timestamptz not null default now(),
        last_used_at timestamptz,
        deleted_at timestamptz,
        gone_at timestamptz,
        unique (category, name)
      )`.execute(db);
    await sql`create index own_datasets_owner on own_datasets (owner_id)`.execute(db);
    await sql`create index own_datasets_gone on own_datasets (gone_at) where gone_at is not null`.execute(db);
    await sql`
      create table own_dataset_shares (
        dataset_id text not null references own_datasets (id) on delete cascade,
        kind text not null,
        target text not null,
        can text not null,
        primary key (dataset_id, kind, target)
      )`.execute(db);
    // Each version lists its files of rows; versions share them.
    await sql`
      create table own_dataset_versions (
        dataset_id text not null references own_datasets (id) on delete cascade,
        version integer not null,
        kind text not null,
        rows bigint not null,
        files jsonb not null,
        added jsonb not null,
        columns jsonb not null,
        created_at timestamptz not null default now(),
        created_by text,
        is_kept boolean not null default true,
        primary key (dataset_id, version)
      )`.execute(db);
    // Every file in the store of own data, from before its first byte until after its last.
    await sql`
      create table own_data_files (
        key text primary key,
        user_id text references users (id) on delete set null,
        import_id text,
        dataset_id text,
        bytes bigint not null,
        sha256 text,
        name text not null,
        dropped_at timestamptz,
        added_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index own_data_files_user on own_data_files (user_id)`.execute(db);
    await sql`create index own_data_files_dataset on own_data_files (dataset_id)`.execute(db);
    await sql`create index own_data_files_import on own_data_files (import_id)`.execute(db);
    await sql`
      create table own_data_rooms (
        user_id text primary key references users (id) on delete cascade,
        max_bytes bigint not null
      )`.execute(db);
  },
};
