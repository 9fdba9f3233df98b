import { type Migration, sql } from "kysely";

export const callCountsMigration: Migration = {
  async up(db) {
    // Unlogged: the counts of a minute are not worth a write to the log, and a crash of the server may empty them.
    await sql`
      create unlogged table call_counts (
        rate text not null,
        key text not null,
        started_at timestamptz not null,
        calls integer not null,
        previous_calls integer not null,
        settled_at timestamptz not null default now(),
        primary key (rate, key)
      ) with (fillfactor = 50)`.execute(db);
  },
};
