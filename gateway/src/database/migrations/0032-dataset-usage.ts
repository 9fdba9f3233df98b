import { type Migration, sql } from "kysely";

export const datasetUsageMigration: Migration = {
  async up(db) {
    await sql`
      create table dataset_searches (
        category text not null,
        dataset_id text not null,
        day date not null,
        searches bigint not null,
        primary key (category, dataset_id, day)
      )`.execute(db);
  },
};
