import { type Migration, sql } from "kysely";

export const ownDataBucketsMigration: Migration = {
  async up(db) {
    // Empty: the disk that the gateways share. `other_bucket` may hold the same file as well, and is null otherwise.
    await sql`
      alter table own_data_files
        add column bucket text not null default '',
        add column other_bucket text,
        add column other_at timestamptz`.execute(db);
    await sql`create index own_data_files_bucket on own_data_files (bucket) where bucket <> ''`.execute(db);
    await sql`create index own_data_files_other_bucket on own_data_files (other_bucket) where other_bucket is not null`.execute(db);
    await sql`alter table imports add column bucket text not null default ''`.execute(db);
  },
};
