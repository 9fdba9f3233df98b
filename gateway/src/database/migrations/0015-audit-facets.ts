import { type Migration, sql } from "kysely";

/** Counters per filter value, so that a page does not have to sum the counters of every shape. */
export const auditFacetsMigration: Migration = {
  async up(db) {
    await sql`
      create function audit_facet_key (by_user boolean, username text, response_code smallint, method text, path text) returns uuid
      immutable parallel safe language sql
      return md5(by_user::text || e'\n' || username || e'\n' || response_code::text || e'\n' || method || e'\n' || path)::uuid`.execute(db);
    // A user's facet has an empty path, a path's facet an empty username. The key is short even for a long path.
    await sql`
      create table audit_facets (
        id bigint generated always as identity primary key,
        key uuid not null generated always as (audit_facet_key(by_user, username, response_code, method, path)) stored unique,
        by_user boolean not null,
        username text not null,
        response_code smallint not null,
        method text not null,
        path text not null
      )`.execute(db);
    await sql`
      create table audit_facet_counts (
        facet_id bigint not null,
        day integer not null,
        n integer not null,
        primary key (facet_id, day)
      ) with (fillfactor = 50)`.execute(db);
    await sql`alter table audit_shapes add column user_facet_id bigint, add column path_facet_id bigint`.execute(db);
    await sql`
      insert into audit_facets (by_user, username, response_code, method, path)
      select distinct true, username, response_code, method, '' from audit_shapes
      union all select distinct false, '', response_code, method, path from audit_shapes`.execute(db);
    await sql`
      update audit_shapes shape set
        user_facet_id = (select id from audit_facets where key = audit_facet_key(true, shape.username, shape.response_code, shape.method, '')),
        path_facet_id = (select id from audit_facets where key = audit_facet_key(false, '', shape.response_code, shape.method, shape.path))
    `.execute(db);
    await sql`
      insert into audit_facet_counts (facet_id, day, n)
      select facet_id, day, sum(n) from audit_counts
      join audit_shapes on audit_shapes.id = shape_id
      cross join lateral (values (user_facet_id), (path_facet_id)) as facet (facet_id)
      group by facet_id, day`.execute(db);
    await sql`
      alter table audit_shapes alter column user_facet_id set not null, alter column path_facet_id set not null`.execute(db);
    await sql`create index audit_shapes_user_facet on audit_shapes (user_facet_id)`.execute(db);
    await sql`create index audit_shapes_path_facet on audit_shapes (path_facet_id)`.execute(db);
  },
};
