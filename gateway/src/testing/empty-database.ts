import type { QueryResult, QueryResultRow } from "pg";

interface Queryable {
  query<Row extends QueryResultRow>(statement: string): Promise<QueryResult<Row>>;
}

/** The state of a database right after migration. */
export interface FreshDatabase {
  /** A hash of its tables, columns, constraints, triggers, functions and settings. */
  readonly schema: string;
  /** Tables that migrations insert rows into. */
  readonly filledTables: readonly string[];
}

const tables = "select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace";

export async function describeFreshDatabase(pool: Queryable): Promise<FreshDatabase> {
  const { rows } = await pool.query<{ name: string }>(tables);
  const filledTables: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`select from ${name} limit 1`);
    if (rowCount === 1) filledTables.push(name);
  }
  return { schema: await schemaOf(pool), filledTables };
}

/** Sessions of this name are used by one test after the other. */
export const keptSession = "fairway test";

/** Whether a session that should be kept is in a transaction or holds a lock. */
export async function hasUnfinishedSession(client: Queryable): Promise<boolean> {
  const { rowCount } = await client.query(`
    select from pg_stat_activity
      where datname = current_database() and application_name = '${keptSession}'
        and (state <> 'idle' or exists (select from pg_locks where pg_locks.pid = pg_stat_activity.pid and locktype = 'advisory'))
      limit 1`);
  return rowCount !== 0;
}

/**
 * Deletes all rows that a test inserted and terminates all sessions but those to keep. Returns false, deleting nothing, if the schema
 * has changed.
 */
export async function emptyDatabase(client: Queryable, fresh: FreshDatabase): Promise<boolean> {
  await client.query(`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name <> '${keptSession}'`);
  if ((await schemaOf(client)) !== fresh.schema) return false;
  const filled = fresh.filledTables.map((name) => `'${name}'`).join(", ") || "''";
  await client.query(`
    -- Allows deleting in any order: foreign keys and triggers are not enforced in replica mode.
    set session_replication_role = replica;
    do $$
      declare emptied text; used boolean;
      begin
        for emptied in ${tables} loop
          if emptied in (${filled}) then continue; end if;
          execute format('select exists (select from %s)', emptied) into used;
          if used then execute format('delete from %s', emptied); end if;
        end loop;
      end
    $$;
    select setval(seqrelid, seqstart, false) from pg_sequence;
  `);
  return true;
}

async function schemaOf(client: Queryable): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(`
    select md5(concat_ws(E'\\n',
      (select string_agg(concat_ws(' ', oid, relname, relkind, relpersistence), ',' order by oid) from pg_class
        where oid >= 16384 and relnamespace not in ('pg_toast'::regnamespace, 'pg_catalog'::regnamespace) and relpersistence <> 't'),
      (select string_agg(concat_ws(' ', attrelid, attname, atttypid, attnotnull, atthasdef), ',' order by attrelid, attnum)
        from pg_attribute where attrelid >= 16384 and attnum > 0
          and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)),
      (select string_agg(concat_ws(' ', conname, convalidated), ',' order by oid) from pg_constraint where oid >= 16384),
      (select string_agg(concat_ws(' ', tgname, tgenabled), ',' order by oid) from pg_trigger where oid >= 16384),
      (select string_agg(concat_ws(' ', proname, prosrc), ',' order by oid) from pg_proc where oid >= 16384),
      (select string_agg(setconfig::text, ',') from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
        where datname = current_database()),
      (select concat_ws(' ', datconnlimit, datallowconn) from pg_database where datname = current_database())
    )) as schema`);
  const [row] = rows;
  if (row === undefined) throw new Error("expected one row with the schema hash");
  return row.schema;
}
