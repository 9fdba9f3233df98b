import { type Migration, sql } from "kysely";

export const datasetQualityMigration: Migration = {
  async up(db) {
    await sql`
      create table dataset_quality (
        category text not null,
        dataset_id text not null,
        fingerprint text not null,
        thresholds text not null default '',
        baseline_at timestamptz,
        measured_at timestamptz,
        is_known boolean not null default false,
        issues json not null default '[]',
        empty_since json not null default '{}',
        changes json not null default '[]',
        primary key (category, dataset_id)
      )`.execute(db);
  },
};
