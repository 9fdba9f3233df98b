import { type Migration, sql } from "kysely";

export const auditMigration: Migration = {
  async up(db) {
    await sql`
      create table audit_shapes (
        id bigint generated always as identity primary key,
        key uuid not null unique,
        user_id text,
        username text not null,
        response_code smallint not null,
        method text not null,
        path text not null,
        route text not null
      )`.execute(db);
    await sql`
      create table audit_clients (
        id bigint generated always as identity primary key,
        key uuid not null unique,
        ip_address text not null,
        user_agent text not null,
        last_day integer not null
      )`.execute(db);
    // No foreign keys, which would be checked for every event. Retention takes an exclusive lock instead.
    // Vacuumed by number of new rows, so that index-only scans stay effective in a large table.
    await sql`
      create table audit_events (
        id bigint not null,
        shape_id bigint not null,
        client_id bigint not null,
        duration_ms integer not null,
        primary key (id) include (shape_id)
      ) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000)`.execute(db);
    await sql`create index audit_events_shape on audit_events (shape_id, id)`.execute(db);
    // Leaves room in each page for new versions of rows, which are updated all day.
    await sql`
      create table audit_counts (
        shape_id bigint not null,
        day integer not null,
        n integer not null,
        primary key (shape_id, day)
      ) with (fillfactor = 50)`.execute(db);
    await sql`create sequence audit_writers minvalue 0 maxvalue 1023 cycle`.execute(db);
  },
};
