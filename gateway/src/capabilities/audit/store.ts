import type { ColumnType, Generated } from "kysely";
import { createHash } from "node:crypto";
import type { GuardedClient, GuardedPool } from "#database/guarded-pool.ts";
import type { AuditedCall } from "./audited-call.ts";
import { oneLine, pathOf, userAgentOf } from "./cleaning.ts";
import { dayOf } from "./event-ids.ts";

/** The log is narrow on purpose: an event is four numbers, and what many events have in common stands once. Decision 0078. */
declare module "#database/schema.ts" {
  interface Database {
    /** Who asked for what with which outcome. */
    audit_shapes: {
      id: Generated<string>;
      /** A digest of all that follows. */
      key: string;
      user_id: string | null;
      username: string;
      response_code: number;
      method: string;
      path: string;
      route: string;
      /** The facets that count it. */
      user_facet_id: string;
      path_facet_id: string;
    };
    /** Shapes together: those of a user, whatever the path, and those of a path, whoever the user; see `by_user`. */
    audit_facets: {
      id: Generated<string>;
      /** A digest of all that follows, made by the database. */
      key: ColumnType<string, never, never>;
      by_user: boolean;
      /** Empty in a facet of a path. */
      username: string;
      response_code: number;
      method: string;
      /** Empty in a facet of a user. */
      path: string;
    };
    /** From where and with what. */
    audit_clients: {
      id: Generated<string>;
      key: string;
      ip_address: string;
      user_agent: string;
      /** The name of an API key; null: none. */
      api_key: string | null;
      /** The last day it was seen. */
      last_day: number;
    };
    audit_events: {
      /** Sorts by time: see `event-ids.ts`. */
      id: string;
      shape_id: string;
      client_id: string;
      duration_ms: number;
    };
    /** Events of each shape on each day (days since 1970, UTC); shape 0 stands for all. */
    audit_counts: { shape_id: string; day: number; n: number };
    /** The same of each facet. */
    audit_facet_counts: { facet_id: string; day: number; n: number };
  }
}

/** Recorders share it; who removes shapes and clients holds it alone. Any fixed number nobody else locks. */
export const auditLock = 7_102_048;

interface Shape {
  readonly key: string;
  readonly user_id: string | null;
  readonly username: string;
  readonly response_code: number;
  readonly method: string;
  readonly path: string;
  readonly route: string;
}

interface Client {
  readonly key: string;
  readonly ip_address: string;
  readonly user_agent: string;
  readonly api_key: string | null;
  readonly last_day: number;
}

/** Stores a batch, all or nothing. Calls that were stored already, by their ids, change nothing. */
export async function storeCalls(pool: Pick<GuardedPool, "connect">, calls: readonly AuditedCall[]): Promise<void> {
  const batch = new Batch(calls);
  const client = await pool.connect();
  let isMidway = true;
  try {
    await client.query("begin");
    await batch.write(client);
    await client.query("commit");
    isMidway = false;
  } catch (error) {
    // The connection is kept where it can be: while the disk is full, PostgreSQL may not be able to open another.
    isMidway = await client.query("rollback").then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.release(isMidway);
  }
}

/** Calls of one batch; what they have in common stands once. */
class Batch {
  readonly #calls: readonly AuditedCall[];
  readonly #shapes = new Distinct<Shape>();
  readonly #clients = new Distinct<Client>();
  readonly #shapeOf: number[];
  readonly #clientOf: number[];

  constructor(calls: readonly AuditedCall[]) {
    this.#calls = calls;
    this.#shapeOf = calls.map((call) =>
      this.#shapes.index(`${call.userId} ${call.username}\n${call.responseCode} ${call.method} ${call.url}`, () => shapeOf(call)),
    );
    this.#clientOf = calls.map((call) => this.#clients.index(`${call.ip}\n${call.apiKey}\n${call.userAgent}`, () => clientOf(call)));
  }

  async write(client: Pick<GuardedClient, "query">): Promise<void> {
    // Only what must not get lost waits for the disk.
    const durable = this.#calls.some((call) => call.durable) ? "on" : "off";
    await client.query("select set_config('synchronous_commit', $1, true), pg_advisory_xact_lock_shared($2)", [durable, auditLock]);
    await client.query({ name: "audit-facets", text: insertFacets, values: [JSON.stringify(this.#shapes.values)] });
    await client.query({ name: "audit-shapes", text: insertShapes, values: [JSON.stringify(this.#shapes.values)] });
    await client.query({ name: "audit-clients", text: insertClients, values: [JSON.stringify(this.#clients.values)] });
    const values = [
      array(this.#calls.map((call) => call.id)),
      array(this.#shapeOf),
      array(this.#clientOf),
      array(this.#calls.map((call) => Math.min(2 ** 31 - 1, Math.max(0, Math.round(call.durationMs))))),
      array(this.#calls.map((call) => dayOf(call.timeMs))),
      array(this.#shapes.values.map(({ key }) => key)),
      array(this.#clients.values.map(({ key }) => key)),
    ];
    await client.query({ name: "audit-events", text: insertEvents, values });
  }
}

/** Things by a text that tells them apart before they are cleaned, and by their key afterwards. */
class Distinct<T extends { readonly key: string }> {
  readonly values: T[] = [];
  readonly #byRaw = new Map<string, number>();
  readonly #byKey = new Map<string, number>();

  index(raw: string, make: () => T): number {
    const known = this.#byRaw.get(raw);
    if (known !== undefined) return known;
    const made = make();
    let index = this.#byKey.get(made.key);
    if (index === undefined) {
      index = this.values.push(made) - 1;
      this.#byKey.set(made.key, index);
    }
    this.#byRaw.set(raw, index);
    return index;
  }
}

function shapeOf(call: AuditedCall): Shape {
  const shape = {
    user_id: call.userId,
    username: oneLine(call.username, 200),
    response_code: call.responseCode,
    method: call.method,
    path: pathOf(call.url, call.shape),
    route: call.shape?.path ?? "",
  };
  return { key: keyOf(Object.values(shape)), ...shape };
}

function clientOf(call: AuditedCall): Client {
  const client = { ip_address: oneLine(call.ip, 64), user_agent: userAgentOf(call.userAgent) };
  const api_key = call.apiKey === null ? null : oneLine(call.apiKey, 200);
  // What came without a key has the digest that it had before keys were told.
  return {
    key: keyOf([...Object.values(client), ...(api_key === null ? [] : [api_key])]),
    ...client,
    api_key,
    last_day: dayOf(call.timeMs),
  };
}

/** Digits of a digest in the form of a UUID, which the database stores in 16 bytes. */
const keyOf = (parts: readonly unknown[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);

/** Numbers and hexadecimal digits need no quotes in an array of PostgreSQL's. */
const array = (values: readonly (number | bigint | string)[]): string => `{${values.join(",")}}`;

// What is there already is not even tried: a refused insert would use up a number and a place in the table.
const newShapes = `
  from json_to_recordset($1) as new (key uuid, user_id text, username text, response_code smallint, method text, path text, route text)
  where not exists (select from audit_shapes known where known.key = new.key)`;

const insertFacets = `
  insert into audit_facets (by_user, username, response_code, method, path)
  select distinct facet.by_user, facet.username, shape.response_code, shape.method, facet.path
  from (select * ${newShapes}) as shape
  cross join lateral (values (true, shape.username, ''), (false, '', shape.path)) as facet (by_user, username, path)
  where not exists (
    select from audit_facets known
    where known.key = audit_facet_key(facet.by_user, facet.username, shape.response_code, shape.method, facet.path)
  )
  order by 1, 2, 3, 4, 5
  on conflict (key) do nothing`;

const insertShapes = `
  insert into audit_shapes (key, user_id, username, response_code, method, path, route, user_facet_id, path_facet_id)
  select shape.key, user_id, shape.username, shape.response_code, shape.method, shape.path, route, of_user.id, of_path.id
  from (select * ${newShapes}) as shape
  join audit_facets of_user on of_user.key = audit_facet_key(true, shape.username, shape.response_code, shape.method, '')
  join audit_facets of_path on of_path.key = audit_facet_key(false, '', shape.response_code, shape.method, shape.path)
  order by shape.key
  on conflict (key) do nothing`;

const insertClients = `
  insert into audit_clients as known (key, ip_address, user_agent, api_key, last_day)
  select key, ip_address, user_agent, api_key, last_day
  from json_to_recordset($1) as new (key uuid, ip_address text, user_agent text, api_key text, last_day integer)
  where not exists (select from audit_clients seen where seen.key = new.key and seen.last_day >= new.last_day)
  order by key
  on conflict (key) do update set last_day = excluded.last_day where known.last_day < excluded.last_day`;

// Counted from what was really stored, and in one order, so that gateways wait for each other instead of getting stuck.
const insertEvents = `
  with stored as (
    insert into audit_events (id, shape_id, client_id, duration_ms)
    select call.id, audit_shapes.id, audit_clients.id, call.duration_ms
    from unnest($1::bigint[], $2::integer[], $3::integer[], $4::integer[]) as call (id, shape, client, duration_ms)
    join unnest($6::uuid[]) with ordinality as shape (key, position) on shape.position = call.shape + 1
    join audit_shapes on audit_shapes.key = shape.key
    join unnest($7::uuid[]) with ordinality as client (key, position) on client.position = call.client + 1
    join audit_clients on audit_clients.key = client.key
    on conflict (id) do nothing
    returning id, shape_id
  ), counted as (
    select stored.shape_id, call.day, count(*)::integer as n
    from stored join unnest($1::bigint[], $5::integer[]) as call (id, day) using (id)
    group by stored.shape_id, call.day
  ), faceted as (
    insert into audit_facet_counts as known (facet_id, day, n)
    select facet_id, day, sum(n)
    from counted join audit_shapes on audit_shapes.id = shape_id
    cross join lateral (values (user_facet_id), (path_facet_id)) as facet (facet_id)
    group by facet_id, day
    order by facet_id, day
    on conflict (facet_id, day) do update set n = known.n + excluded.n
  )
  insert into audit_counts as known (shape_id, day, n)
  select shape_id, day, n from counted
  union all
  select 0, day, sum(n) from counted group by day
  order by shape_id, day
  on conflict (shape_id, day) do update set n = known.n + excluded.n`;
