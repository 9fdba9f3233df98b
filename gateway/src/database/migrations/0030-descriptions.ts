import { type Migration, sql } from "kysely";

export const descriptionsMigration: Migration = {
  async up(db) {
    // Without a user, it is the community's.
    await sql`
      create table dataset_descriptions (
        category text not null,
        dataset_id text not null,
        user_id text references users (id) on delete cascade,
        version integer not null default 0,
        description text not null default '',
        columns jsonb not null default '[]'
      )`.execute(db);
    await sql`create unique index on dataset_descriptions (category, dataset_id) where user_id is null`.execute(db);
    await sql`create unique index on dataset_descriptions (user_id, category, dataset_id) where user_id is not null`.execute(db);
    await sql`
      create table community_description_revisions (
        category text not null,
        dataset_id text not null,
        version integer not null,
        description text not null,
        columns jsonb not null,
        username text not null,
        saved_at timestamptz not null default now(),
        primary key (category, dataset_id, version)
      )`.execute(db);
  },
};
