import { type AuditEvent, type AuditFilters, type AuditPage, auditMaxExactTotal, auditPageSize } from "@fairway/contract/audit";
import { type Kysely, type RawBuilder, type Transaction, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { parseUserAgent } from "#http/client.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { backgroundReadPattern } from "./background-reads.ts";
import { type Span, idsOfDays, spanOfPage } from "./days.ts";
import { dayOf, firstIdAt, idsOfDay, lastIdAt, timeOf } from "./event-ids.ts";

type ReadTransaction = Transaction<Database>;
type Condition = RawBuilder<boolean>;

/** Filters translated to conditions on the tables of the log. */
export interface AuditQuery {
  /** Condition on `audit_shapes`; undefined matches all. */
  readonly shapes: Condition | undefined;
  /** Condition on `audit_facets`; undefined if facets cannot count the matches exactly. */
  readonly facets: Condition | undefined;
  readonly first: bigint;
  readonly last: bigint;
}

export function queryOf({ username, responseCode, method, path, from, to, hideBackground }: AuditFilters): AuditQuery {
  const shared: Condition[] = [];
  if (responseCode !== undefined) shared.push(sql`response_code = ${responseCode}`);
  if (method !== undefined) shared.push(sql`method = ${method}`);
  const byUser = username === undefined ? [] : [sql<boolean>`username = ${username}`];
  const byPath = path === undefined ? [] : [sql<boolean>`strpos(lower(path), lower(${path})) > 0`];
  if (hideBackground === true) byPath.push(sql<boolean>`not (${isBackground})`);
  // There are fewer facets than shapes, so fewer paths to search.
  const byPathFacet = byPath.map(
    (condition) => sql<boolean>`path_facet_id in (select id from audit_facets where not by_user and ${condition})`,
  );
  const shapes = [...shared, ...byUser, ...byPathFacet];
  const side = byPath.length > 0 ? sql<boolean>`not by_user` : username !== undefined ? sql<boolean>`by_user` : smallerSide(shared);
  const facets = [side, ...shared, ...byUser, ...byPath];
  return {
    shapes: shapes.length === 0 ? undefined : allOf(shapes),
    facets: byPath.length === 0 || username === undefined ? allOf(facets) : undefined,
    first: firstIdAt(from === undefined ? 0 : Math.ceil(Date.parse(from))),
    last: lastIdAt(to === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(Date.parse(to))),
  };
}

/** Failures of background reads are no background. */
const isBackground = sql<boolean>`method = 'GET' and response_code < 400 and path ~ ${backgroundReadPattern}`;

/** User facets and path facets count the same events; this picks the kind with fewer rows. */
const smallerSide = (shared: readonly Condition[]): Condition =>
  shared.length === 0
    ? sql`by_user`
    : sql`by_user = (
        select count(*) filter (where by_user) <= count(*) filter (where not by_user) from audit_facets where ${allOf(shared)}
      )`;

const allOf = (conditions: readonly Condition[]): Condition => sql`${sql.join(conditions, sql` and `)}`;

/** `pageNumber` counts from one. */
export async function readPage(db: Kysely<Database>, filters: AuditFilters, pageNumber: number): Promise<AuditPage> {
  const query = queryOf(filters);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const offset = (pageNumber - 1) * auditPageSize;
  return inSnapshot(db, async (trx) => {
    const days = await countDays(trx, query, Math.max(auditMaxExactTotal, offset + auditPageSize) + 1);
    const total = days.reduce((sum, { events }) => sum + events, 0);
    const span = spanOfPage(days, offset, auditPageSize);
    const isLowerBound = isFiltered && total > auditMaxExactTotal;
    return {
      content: span === undefined ? [] : await readSpan(trx, query, span, auditPageSize),
      pageable: { pageNumber: pageNumber - 1, pageSize: auditPageSize },
      last: offset + auditPageSize >= total,
      totalElements: isLowerBound ? auditMaxExactTotal : total,
      totalIsLowerBound: isLowerBound,
    };
  });
}

/** Runs all queries of a response on one snapshot of the log, with planner settings for short queries. */
export const inSnapshot = <T>(db: Kysely<Database>, read: (trx: ReadTransaction) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      // JIT compilation would take longer than the query, and the shapes that match have to fit in a hash table.
      await sql`select set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`.execute(trx);
      return read(trx);
    });

/** Counts of a day with matching events. */
export interface DayCount {
  readonly day: number;
  /** Matching events. */
  readonly events: number;
  /** Upper bound of the number of distinct shapes among them. */
  readonly shapes: number;
  /** All events of the day. */
  readonly total: number;
}

/**
 * Reads the stored counters, latest day first. With a filter, stops once the days contain `enough` events. Only days that the time
 * range cuts are counted event by event.
 */
export async function countDays(trx: ReadTransaction, query: AuditQuery, enough = Infinity): Promise<DayCount[]> {
  const days: DayCount[] = [];
  let found = 0;
  for await (const row of countedDays(trx, query)) {
    const { first, last } = idsOfDay(row.day);
    const isWhole = query.first <= first && query.last >= last;
    const events = isWhole ? row.events : await countWithin(trx, query, row);
    if (events > 0) days.push({ ...row, events });
    found += events;
    if (query.shapes !== undefined && found >= enough) break;
  }
  return days;
}

/** Days in the first query; each further one covers four times as many. Frequent matches need few days, rare ones have few counters. */
const initialDays = 32;

async function* countedDays(trx: ReadTransaction, { shapes, facets, first, last }: AuditQuery): AsyncGenerator<DayCount> {
  const [firstDay, lastDay] = [dayOf(timeOf(String(first))), dayOf(timeOf(String(last)))];
  const totals = sql`select day, n from audit_counts where shape_id = 0 and day between ${firstDay} and ${lastDay}`;
  if (shapes === undefined) {
    const { rows } = await sql<DayCount>`
      select day, n as events, 1 as shapes, n as total from (${totals}) as totals order by day desc`.execute(trx);
    yield* rows;
    return;
  }
  const { rows: ends } = await sql<{ oldest: number | null; newest: number | null }>`
    select min(day) as oldest, max(day) as newest from (${totals}) as totals`.execute(trx);
  const [oldest, newest] = [ends[0]?.oldest ?? 0, ends[0]?.newest ?? -1];
  for (let to = newest, width = initialDays; to >= oldest; to -= width, width *= 4) {
    const range = sql`day between ${Math.max(oldest, to - width + 1)} and ${to}`;
    const perDay =
      facets === undefined
        ? // Looks up the counters of each shape: few shapes have both this user and a matching path.
          sql`
          select day, sum(n)::integer as events, count(*)::integer as shapes
          from (select id from audit_shapes where ${shapes} offset 0) as matched
          cross join lateral (select day, n from audit_counts where shape_id = matched.id and ${range} offset 0) as counted
          group by day`
        : // At most as many shapes as events.
          sql`
          select day, sum(n)::integer as events, sum(n)::integer as shapes
          from (select id from audit_facets where ${facets} offset 0) as matched
          cross join lateral (select day, n from audit_facet_counts where facet_id = matched.id and ${range} offset 0) as counted
          group by day`;
    const { rows } = await sql<DayCount>`
      select day, summed.events, summed.shapes, n as total
      from (${perDay}) as summed join audit_counts using (day) where shape_id = 0 order by day desc`.execute(trx);
    yield* rows;
  }
}

async function countWithin(trx: ReadTransaction, query: AuditQuery, day: DayCount): Promise<number> {
  const ids = idsOfDays(query, day.day, day.day);
  const within = sql`id between ${ids.first} and ${ids.last}`;
  const isRare = day.events * rareFactor < day.total;
  const counted =
    query.shapes === undefined
      ? sql<{ n: string }>`select count(*) as n from audit_events where ${within}`
      : isRare
        ? sql<{ n: string }>`
          with matched as materialized (${shapesOn(query.shapes, day.day, day.day)})
          select coalesce(sum(n), 0) as n from matched
          cross join lateral (select count(*) as n from audit_events where shape_id = matched.id and ${within}) as of_shape`
        : sql<{ n: string }>`select count(*) as n from audit_events where ${within} and ${isAnyOf(query.shapes)}`;
  const { rows } = await counted.execute(trx);
  return Number(rows[0]?.n ?? 0);
}

/** Cost of reading one event through a shape's index, in events of a sequential scan. */
const rareFactor = 4;
/** Cost of starting an index scan for one shape, in events of a sequential scan. */
const shapeCost = 40;

/** The events of a span after `skip`, newest first. */
export async function readSpan(trx: ReadTransaction, query: AuditQuery, span: Span, limit: number): Promise<AuditEvent[]> {
  const { first, last } = idsOfDays(query, span.firstDay, span.lastDay);
  return readEvents(trx, chosenIds(query, span, sql`id between ${first} and ${last}`, limit));
}

/** Undefined if there is no such event or `id` is not a valid id. */
export async function findEvent(db: Kysely<Database>, id: string): Promise<AuditEvent | undefined> {
  if (!/^\d{1,18}$/.test(id) && !/^[1-8]\d{18}$/.test(id)) return undefined;
  const [event] = await inSnapshot(db, (trx) => readEvents(trx, sql`select id from audit_events where id = ${id}`));
  return event;
}

async function readEvents(trx: ReadTransaction, ids: RawBuilder<unknown>): Promise<AuditEvent[]> {
  const { rows } = await sql<EventRow>`
    with chosen as materialized (${ids})
    select event.id, event.duration_ms, shape.user_id, shape.username, shape.response_code, shape.method, shape.path, shape.route,
      client.ip_address, client.user_agent, client.api_key, note.note, denial.denied
    from chosen join audit_events event using (id)
    join audit_shapes shape on shape.id = event.shape_id
    join audit_clients client on client.id = event.client_id
    left join audit_notes note on note.event_id = event.id
    left join audit_denials denial on denial.event_id = event.id
    order by event.id desc`.execute(trx);
  const slice = new TimeSlice();
  const events: AuditEvent[] = [];
  for (const row of rows) {
    await slice.end();
    events.push(eventOf(row));
  }
  return events;
}

/** Scans all events of the span or uses each shape's index, whichever reads fewer events. */
function chosenIds({ shapes }: AuditQuery, span: Span, within: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  const wanted = span.skip + limit;
  const page = sql`order by id desc offset ${span.skip} limit ${limit}`;
  if (shapes === undefined) return sql`select id from audit_events where ${within} ${page}`;
  const scanCost = span.total * Math.min(1, wanted / span.events);
  const indexCost = Math.min(span.events, span.shapes * wanted) * rareFactor + span.shapes * shapeCost;
  const matches = scanCost <= maxLookups ? hasShape(shapes) : isAnyOf(shapes);
  if (scanCost <= indexCost) return sql`select id from audit_events where ${within} and ${matches} ${page}`;
  return sql`
    select found.id from (${shapesOn(shapes, span.firstDay, span.lastDay)}) as matched
    cross join lateral (
      select id from audit_events where shape_id = matched.id and ${within} order by id desc limit ${wanted}
    ) as found ${page}`;
}

/** For more events than this, finding all matching shapes first is faster. */
const maxLookups = 8_000;

/** Looks up the shape of each scanned event. */
const hasShape = (shapes: Condition) => sql`(select true from audit_shapes where audit_shapes.id = audit_events.shape_id and ${shapes})`;

/** A `case` keeps the planner from turning this into a join, so that events are scanned in order. */
const isAnyOf = (shapes: Condition) => sql`case when shape_id in (select id from audit_shapes where ${shapes}) then true end`;

const shapesOn = (shapes: Condition, firstDay: number, lastDay: number) => sql`
  select distinct id from audit_shapes join audit_counts on shape_id = id
  where ${shapes} and day between ${firstDay} and ${lastDay}`;

interface EventRow {
  readonly id: string;
  readonly duration_ms: number;
  readonly user_id: string | null;
  readonly username: string;
  readonly response_code: number;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly ip_address: string;
  readonly user_agent: string;
  readonly api_key: string | null;
  readonly note: string | null;
  readonly denied: readonly string[] | null;
}

const eventOf = (row: EventRow): AuditEvent => ({
  id: row.id,
  responseCode: row.response_code,
  method: row.method,
  path: row.path,
  username: row.username,
  requestTimeMs: timeOf(row.id),
  ipAddress: row.ip_address,
  client: parseUserAgent(row.user_agent),
  details: {
    durationMs: row.duration_ms,
    userId: row.user_id,
    apiKey: row.api_key,
    route: row.route,
    userAgent: row.user_agent,
    ...(row.note === null ? {} : { note: row.note }),
    ...(row.denied === null ? {} : { denied: [...row.denied] }),
  },
});
