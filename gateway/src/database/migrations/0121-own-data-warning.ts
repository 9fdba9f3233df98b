import { type Migration, sql } from "kysely";

export const ownDataWarningMigration: Migration = {
  async up(db) {
    // At most one row, while administrators know that the room is almost full: one gateway tells them, once.
    await sql`
      create table own_data_warning (
        only_one boolean primary key default true check (only_one),
        told_at timestamptz not null default now()
      )`.execute(db);
  },
};
