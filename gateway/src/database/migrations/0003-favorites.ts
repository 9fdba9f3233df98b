import { type Migration, sql } from "kysely";

export const favoritesMigration: Migration = {
  async up(db) {
    await sql`
      create table favorite_datasets (
        user_id text not null references users (id) on delete cascade,
        category text not null,
        dataset_id text not null,
        created_at timestamptz not null default now(),
        primary key (user_id, category, dataset_id)
      )`.execute(db);
  },
};
