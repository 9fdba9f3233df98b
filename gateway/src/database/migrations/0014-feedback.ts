import { type Migration, sql } from "kysely";

export const feedbackMigration: Migration = {
  async up(db) {
    // Feedback outlives its author's account and stores the author's name.
    await sql`
      create table feedback (
        id text primary key,
        user_id text references users (id) on delete set null,
        username text not null,
        name text not null,
        email text not null,
        type text not null,
        description text not null,
        datasets text[] not null,
        status text not null default 'new',
        created_at timestamptz not null default now(),
        status_at timestamptz
      )`.execute(db);
    await sql`create index feedback_user on feedback (user_id, created_at)`.execute(db);
    await sql`create index feedback_status on feedback (status, created_at)`.execute(db);
    await sql`
      create table feedback_attachments (
        id text primary key,
        user_id text references users (id) on delete set null,
        feedback_id text references feedback (id) on delete cascade,
        place integer,
        filename text not null,
        size integer,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index feedback_attachments_feedback on feedback_attachments (feedback_id)`.execute(db);
    await sql`create index feedback_attachments_waiting on feedback_attachments (created_at) where feedback_id is null`.execute(db);
  },
};
