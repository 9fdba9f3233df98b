import { type Migration, sql } from "kysely";

/**
 * Adds what finds similar words. Does nothing where the database refuses the extension, so that it can be run again later.
 * The function sets its own threshold: the one of the session belongs to the operator.
 */
export const addCatalogTrigrams = `
  do $$ begin
    create extension if not exists pg_trgm;
    create index if not exists catalog_words_trigrams on catalog_words using gin (word gin_trgm_ops);
    create or replace function catalog_similar_words (wanted text, owner text) returns setof bigint
      stable language sql set pg_trgm.similarity_threshold = 0.25
      as 'select id from catalog_words where word % wanted and (user_id is null or user_id = owner)';
  exception when insufficient_privilege or undefined_file or undefined_object or undefined_function or feature_not_supported then
    null;
  end $$`;

export const catalogSearchMigration: Migration = {
  async up(db) {
    await sql`
      create table catalog_datasets (
        id integer generated always as identity primary key,
        category text not null,
        dataset_id text not null,
        revision text not null,
        indexed_at timestamptz not null default now(),
        unique (category, dataset_id)
      )`.execute(db);
    // Which state of the descriptions is in the index. Without a user, the community's.
    await sql`
      create table catalog_layers (
        dataset_id integer not null references catalog_datasets (id) on delete cascade,
        user_id text references users (id) on delete cascade,
        version integer not null,
        unique nulls not distinct (dataset_id, user_id)
      )`.execute(db);
    await sql`create index on catalog_layers (user_id)`.execute(db);
    // Words of private descriptions belong to their user.
    await sql`
      create table catalog_words (
        id bigint generated always as identity primary key,
        user_id text references users (id) on delete cascade,
        word text collate "C" not null,
        stem text collate "C" not null,
        unique nulls not distinct (word, user_id)
      )`.execute(db);
    await sql`create index on catalog_words (stem)`.execute(db);
    await sql`create index on catalog_words (user_id)`.execute(db);
    // Some columns are listed for the fields of columns.
    await sql`
      create table catalog_postings (
        word_id bigint not null references catalog_words (id) on delete cascade,
        dataset_id integer not null references catalog_datasets (id) on delete cascade,
        field smallint not null,
        columns jsonb,
        primary key (word_id, dataset_id, field)
      )`.execute(db);
    await sql`create index on catalog_postings (dataset_id)`.execute(db);
    await sql.raw(addCatalogTrigrams).execute(db);
  },
};
