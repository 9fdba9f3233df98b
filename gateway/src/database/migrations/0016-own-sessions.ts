import { type Migration, sql } from "kysely";

export const ownSessionsMigration: Migration = {
  async up(db) {
    await sql`
      alter table sessions
        add column ip_address text not null default '',
        add column user_agent text not null default '',
        add column last_used_at timestamptz not null default now()`.execute(db);
    // Partial, because few events are sign-ins.
    await sql`
      create index audit_shapes_sign_ins on audit_shapes (user_id)
      where route in ('/auth/login', '/geoAxis/cacLogin')`.execute(db);
  },
};
