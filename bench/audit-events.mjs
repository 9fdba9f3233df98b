// @ts-check
// Ten million audit events over one year, generated in the database: 200 users, 150 paths and four outcomes, some of them
// common and others rare.

const events = 10_000_000;

/**
 * Fills the log unless it already holds events.
 * @param {import("@fairway/gateway/database/connection").DatabaseConnection["pool"]} pool
 */
export async function seedAudit(pool) {
  const { rows } = await pool.query("select 1 from audit_events limit 1");
  if (rows.length > 0) return;
  console.log("Building ten million audit events …");
  const client = await pool.connect();
  try {
    await client.query("set synchronous_commit = off");
    await client.query("set maintenance_work_mem = '256MB'");
    await client.query("set work_mem = '256MB'");
    await client.query("drop index audit_events_shape");
    for (const statement of statements) await client.query(statement);
  } finally {
    client.release();
  }
}

const firstMs = Date.UTC(2025, 4, 1);
const stepMs = (365 * 86_400_000) / events;

const shapeColumns = "id, key, user_id, username, response_code, method, path, route, user_facet_id, path_facet_id";

const statements = [
  `insert into audit_shapes (${shapeColumns}) overriding system value
   select 1 + (u * 150 + p) * 4 + c, md5(u || '/' || p || '/' || c)::uuid, 'u-' || u, 'user' || u, (array[200, 404, 403, 500])[c + 1],
     case when p % 3 = 0 then 'POST' else 'GET' end,
     '/api/datasets/Measurements/dataset' || p / 3 || '/' || (array['search', 'count/path/vessel', 'search/last'])[1 + p % 3],
     '/datasets/:category/:datasetId/search', 0, 0
   from generate_series(0, 199) u, generate_series(0, 149) p, generate_series(0, 3) c`,
  `insert into audit_shapes (${shapeColumns}) overriding system value
   values (900000, md5('seldom')::uuid, null, 'seldom', 200, 'GET', '/api/datasets', '/datasets', 0, 0)`,
  `insert into audit_clients (key, ip_address, user_agent, last_day)
   select md5(n::text)::uuid, '192.0.2.' || n % 250, 'Mozilla/5.0 (X11; Linux x86_64) Chrome/' || n, 20000 from generate_series(1, 1000) n`,
  `insert into audit_events (id, shape_id, client_id, duration_ms)
   select ((${firstMs} + floor(n * ${stepMs}::float8))::bigint << 20) + n % 1000000,
     case when n % 100000 = 77 then 900000 else
       1 + (floor(200 * random() ^ 3)::bigint * 150 + floor(150 * random() ^ 3)::bigint) * 4 + floor(4 * random() ^ 12)::bigint end,
     1 + n % 1000, floor(200 * random() ^ 3)
   from generate_series(1, ${events}) n`,
  "create index audit_events_shape on audit_events (shape_id, id)",
  `insert into audit_counts (shape_id, day, n)
   select shape_id, ((id >> 20) / 86400000)::integer, count(*) from audit_events group by 1, 2`,
  "insert into audit_counts (shape_id, day, n) select 0, day, sum(n) from audit_counts group by day",
  "delete from audit_shapes where not exists (select from audit_counts where shape_id = audit_shapes.id)",
  `insert into audit_facets (by_user, username, response_code, method, path)
   select distinct true, username, response_code, method, '' from audit_shapes
   union all select distinct false, '', response_code, method, path from audit_shapes`,
  `update audit_shapes shape set
     user_facet_id = (select id from audit_facets where key = audit_facet_key(true, shape.username, shape.response_code, shape.method, '')),
     path_facet_id = (select id from audit_facets where key = audit_facet_key(false, '', shape.response_code, shape.method, shape.path))`,
  `insert into audit_facet_counts (facet_id, day, n)
   select facet_id, day, sum(n) from audit_counts join audit_shapes on audit_shapes.id = shape_id
   cross join lateral (values (user_facet_id), (path_facet_id)) as facet (facet_id) group by facet_id, day`,
  "vacuum analyze audit_facets",
  "vacuum analyze audit_facet_counts",
  "vacuum analyze audit_events",
  "vacuum analyze audit_counts",
  "vacuum analyze audit_shapes",
  "vacuum analyze audit_clients",
];
