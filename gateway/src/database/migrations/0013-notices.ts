import { type Migration, sql } from "kysely";

export const noticesMigration: Migration = {
  async up(db) {
    // The type column allows a foreign key, so that deleting a notice deletes its views.
    await sql`
      create table notice_views (
        user_id text not null references users (id) on delete cascade,
        type text not null default 'notices' check (type = 'notices'),
        notice_id text not null,
        viewed_at timestamptz not null default now(),
        primary key (user_id, notice_id),
        foreign key (type, notice_id) references entities (type, id) on delete cascade
      )`.execute(db);
    await sql`create index notice_views_notice on notice_views (type, notice_id)`.execute(db);
  },
};
