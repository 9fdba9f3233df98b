import { type Migration, sql } from "kysely";

export const flowsMigration: Migration = {
  async up(db) {
    // Flows belong to a group by its name, and wait for its return while it does not exist.
    await sql`
      create table flows (
        id integer generated always as identity primary key,
        group_name text not null,
        name text not null,
        name_key text not null,
        created_by text not null,
        created_at timestamptz not null default clock_timestamp(),
        unique (group_name, name_key)
      )`.execute(db);

    // Users are named as they were called, and stay named after they have been deleted.
    await sql`
      create table flow_requests (
        id integer generated always as identity primary key,
        flow_id integer not null references flows (id) on delete cascade,
        name text not null,
        status smallint not null default 0 check (status between 0 and 3),
        creator_id text not null,
        creator_username text not null,
        reviewer_id text,
        reviewer_username text,
        -- Number of the last iteration.
        iterations integer not null default 0,
        -- Those that are not deleted.
        comments integer not null default 0,
        created_at timestamptz not null default clock_timestamp(),
        updated_at timestamptz not null default clock_timestamp()
      )`.execute(db);
    await sql`create index on flow_requests (flow_id)`.execute(db);
    await sql`create index on flow_requests (flow_id) where status in (0, 1)`.execute(db);

    await sql`
      create table flow_iterations (
        id integer generated always as identity primary key,
        request_id integer not null references flow_requests (id) on delete cascade,
        number integer not null,
        creator_id text not null,
        creator_username text not null,
        -- Of the text in UTF-8.
        bytes integer not null,
        format text not null,
        -- Compressed with gzip.
        content bytea not null,
        created_at timestamptz not null default clock_timestamp(),
        unique (request_id, number)
      )`.execute(db);
    // Compressed already.
    await sql`alter table flow_iterations alter column content set storage external`.execute(db);
    await sql`create index on flow_iterations (creator_id, created_at)`.execute(db);

    // The main history of each flow, in the order of the numbers. Nothing ever leaves it.
    await sql`
      create table flow_main_iterations (
        number integer generated always as identity primary key,
        flow_id integer not null references flows (id) on delete cascade,
        iteration_id integer not null unique references flow_iterations (id) on delete cascade,
        accepted_by text not null,
        accepted_at timestamptz not null default clock_timestamp()
      )`.execute(db);
    await sql`create index on flow_main_iterations (flow_id, number desc)`.execute(db);

    await sql`
      create table flow_comments (
        id integer generated always as identity primary key,
        request_id integer not null references flow_requests (id) on delete cascade,
        commenter_id text not null,
        commenter_username text not null,
        text text not null,
        mentions jsonb not null default '[]',
        -- The line or component that it is about.
        anchor jsonb,
        created_at timestamptz not null default clock_timestamp(),
        edited_at timestamptz,
        deleted_at timestamptz
      )`.execute(db);
    await sql`create index on flow_comments (request_id, id)`.execute(db);

    await sql`
      create table flow_events (
        id integer generated always as identity primary key,
        request_id integer not null references flow_requests (id) on delete cascade,
        kind text not null,
        username text not null,
        iteration_id integer references flow_iterations (id) on delete cascade,
        -- The new reviewer or the environment; empty otherwise.
        subject text not null default '',
        at timestamptz not null default clock_timestamp()
      )`.execute(db);
    await sql`create index on flow_events (request_id, id)`.execute(db);
  },
};
