import { type Migration, sql } from "kysely";

export const datasetAnnouncementsMigration: Migration = {
  async up(db) {
    // Versions are unique over all announcements, so that a removed one never passes for its successor.
    await sql`create sequence dataset_announcement_versions as integer`.execute(db);
    await sql`
      create table dataset_announcements (
        category text not null,
        dataset_id text not null,
        version integer not null default nextval('dataset_announcement_versions'),
        kind text not null,
        text text not null,
        replacement_category text,
        replacement_id text,
        ends_at timestamptz,
        username text not null,
        saved_at timestamptz not null default now(),
        primary key (category, dataset_id)
      )`.execute(db);
  },
};
