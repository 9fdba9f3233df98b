import { type Migration, sql } from "kysely";

export const datasetProfilesMigration: Migration = {
  async up(db) {
    await sql`
      create table dataset_profiles (
        category text not null,
        dataset_id text not null,
        source text,
        measured_at timestamptz,
        rows bigint,
        oldest_ms double precision,
        newest_ms double precision,
        coverage json,
        columns json,
        positions json,
        requested_at timestamptz,
        attempted_at timestamptz,
        alive_at timestamptz,
        failed_at timestamptz,
        problem text,
        primary key (category, dataset_id)
      )`.execute(db);
    await sql`
      create table dataset_measurements (
        category text not null,
        dataset_id text not null,
        measured_at timestamptz not null,
        rows bigint not null,
        newest_ms double precision,
        empty json not null,
        primary key (category, dataset_id, measured_at)
      )`.execute(db);
  },
};
