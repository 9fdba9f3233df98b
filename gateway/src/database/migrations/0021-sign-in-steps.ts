import { type Migration, sql } from "kysely";

export const signInStepsMigration: Migration = {
  async up(db) {
    // Partial, because few events are sign-ins.
    await sql`
      create index audit_shapes_sign_in_steps on audit_shapes (user_id)
      where route in ('/auth/login', '/auth/second-factor', '/auth/passkey', '/geoAxis/cacLogin')`.execute(db);
    await sql`drop index audit_shapes_sign_ins`.execute(db);
  },
};
