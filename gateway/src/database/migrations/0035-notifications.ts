import { type Migration, sql } from "kysely";

export const notificationsMigration: Migration = {
  async up(db) {
    await sql`
      create table notifications (
        id text primary key,
        -- Orders notifications, also of one moment.
        number bigint generated always as identity,
        user_id text not null references users (id) on delete cascade,
        -- An unread notification is replaced by the next one of the same topic.
        topic text,
        title text not null,
        text text not null default '',
        link text,
        -- Shown only while the user may read the dataset and holds the role.
        category text,
        dataset_id text,
        role text,
        created_at timestamptz not null default now(),
        read_at timestamptz,
        -- Null if no email is sent, or not any more.
        email_due_at timestamptz,
        email_attempts integer not null default 0
      )`.execute(db);
    await sql`create index on notifications (user_id, number desc)`.execute(db);
    await sql`create unique index on notifications (user_id, topic) where topic is not null and read_at is null`.execute(db);
    await sql`create index on notifications (topic) where topic is not null and read_at is null`.execute(db);
    await sql`create index on notifications (email_due_at) where email_due_at is not null`.execute(db);
    await sql`create index on notifications (created_at)`.execute(db);

    await sql`
      create table description_suggestions (
        id text primary key,
        number bigint generated always as identity,
        category text not null,
        dataset_id text not null,
        -- Null for the dataset itself.
        column_name text,
        user_id text not null references users (id) on delete cascade,
        description text not null,
        replaces text not null,
        suggested_at timestamptz not null default now()
      )`.execute(db);
    await sql`
      create unique index on description_suggestions (category, dataset_id, user_id, coalesce(column_name, ''), (column_name is null))`.execute(
      db,
    );
    await sql`create index on description_suggestions (user_id)`.execute(db);
    await sql`alter table community_description_revisions add column suggested_by text`.execute(db);
  },
};
