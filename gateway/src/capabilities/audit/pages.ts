import { type AuditEvent, type AuditFilters, type AuditPage, auditExactTotal, auditPageSize } from "@fairway/contract/audit";
import { type Kysely, type RawBuilder, type Transaction, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { clientOf } from "#http/client.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { type Span, daysOf, placeOf } from "./days.ts";
import { dayOf, firstIdAt, idsOfDay, lastIdAt, timeOf } from "./event-ids.ts";

type Reading = Transaction<Database>;
type Condition = RawBuilder<boolean>;

/** What a filter asks for, as the log is stored. */
export interface Question {
  /** On `audit_shapes`; undefined: all of them. */
  readonly shapes: Condition | undefined;
  /** On `audit_facets`, where these count exactly what is asked for. */
  readonly facets: Condition | undefined;
  readonly first: bigint;
  readonly last: bigint;
}

export function questionOf({ username, responseCode, method, path, from, to }: AuditFilters): Question {
  const shared: Condition[] = [];
  if (responseCode !== undefined) shared.push(sql`response_code = ${responseCode}`);
  if (method !== undefined) shared.push(sql`method = ${method}`);
  const byUser = username === undefined ? [] : [sql<boolean>`username = ${username}`];
  const byPath = path === undefined ? [] : [sql<boolean>`strpos(lower(path), lower(${path})) > 0`];
  // Of the facets there are fewer than of the shapes, and far fewer paths to look into.
  const ofPath = byPath.map((condition) => sql<boolean>`path_facet_id in (select id from audit_facets where not by_user and ${condition})`);
  const shapes = [...shared, ...byUser, ...ofPath];
  const side = path !== undefined ? sql<boolean>`not by_user` : username !== undefined ? sql<boolean>`by_user` : sideWithFewer(shared);
  const facets = [side, ...shared, ...byUser, ...byPath];
  return {
    shapes: shapes.length === 0 ? undefined : allOf(shapes),
    facets: path === undefined || username === undefined ? allOf(facets) : undefined,
    first: firstIdAt(from === undefined ? 0 : Math.ceil(Date.parse(from))),
    last: lastIdAt(to === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(Date.parse(to))),
  };
}

/** Users and paths count the same events; of one there are fewer. */
const sideWithFewer = (shared: readonly Condition[]): Condition =>
  shared.length === 0
    ? sql`by_user`
    : sql`by_user = (
        select count(*) filter (where by_user) <= count(*) filter (where not by_user) from audit_facets where ${allOf(shared)}
      )`;

const allOf = (conditions: readonly Condition[]): Condition => sql`${sql.join(conditions, sql` and `)}`;

/** `pageNumber` counts from one. */
export async function readPage(db: Kysely<Database>, filters: AuditFilters, pageNumber: number): Promise<AuditPage> {
  const question = questionOf(filters);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const offset = (pageNumber - 1) * auditPageSize;
  return reading(db, async (trx) => {
    const days = await countDays(trx, question, Math.max(auditExactTotal, offset + auditPageSize) + 1);
    const total = days.reduce((sum, { events }) => sum + events, 0);
    const span = placeOf(days, offset, auditPageSize);
    const isMore = isFiltered && total > auditExactTotal;
    return {
      content: span === undefined ? [] : await readSpan(trx, question, span, auditPageSize),
      pageable: { pageNumber: pageNumber - 1, pageSize: auditPageSize },
      last: offset + auditPageSize >= total,
      totalElements: isMore ? auditExactTotal : total,
      totalIsLowerBound: isMore,
    };
  });
}

/** One state of the log for all queries of an answer, and a database that plans for short answers. */
export const reading = <T>(db: Kysely<Database>, read: (trx: Reading) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      // Compiling a query would take longer than it; and what matches a filter has to fit a hash table.
      await sql`select set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`.execute(trx);
      return read(trx);
    });

/** A day on which something matches. */
export interface DayCount {
  readonly day: number;
  /** Events that match. */
  readonly events: number;
  /** Different shapes among them, at most. */
  readonly shapes: number;
  /** All events of the day. */
  readonly total: number;
}

/**
 * From the kept counters, latest first; where something is filtered, only so many days that they hold `enough` events.
 * Only days that the range cuts are counted event by event.
 */
export async function countDays(trx: Reading, question: Question, enough = Infinity): Promise<DayCount[]> {
  const days: DayCount[] = [];
  let found = 0;
  for await (const row of countedDays(trx, question)) {
    const { first, last } = idsOfDay(row.day);
    const isWhole = question.first <= first && question.last >= last;
    const events = isWhole ? row.events : await countWithin(trx, question, row);
    if (events > 0) days.push({ ...row, events });
    found += events;
    if (question.shapes !== undefined && found >= enough) break;
  }
  return days;
}

/** A filter that matches much has enough in the newest of so many days; one that matches little adds up few counters. */
const newestDays = 32;

async function* countedDays(trx: Reading, { shapes, facets, first, last }: Question): AsyncGenerator<DayCount> {
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
  for (let to = newest, width = newestDays; to >= oldest; to -= width, width *= 4) {
    const range = sql`day between ${Math.max(oldest, to - width + 1)} and ${to}`;
    const perDay =
      facets === undefined
        ? // Each shape's own counters are followed: there are few of one user with certain paths.
          sql`
          select day, sum(n)::integer as events, count(*)::integer as shapes
          from (select id from audit_shapes where ${shapes} offset 0) as matched
          cross join lateral (select day, n from audit_counts where shape_id = matched.id and ${range} offset 0) as counted
          group by day`
        : // As many shapes at most as events.
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

async function countWithin(trx: Reading, question: Question, day: DayCount): Promise<number> {
  const ids = daysOf(question, day.day, day.day);
  const within = sql`id between ${ids.first} and ${ids.last}`;
  const isRare = day.events * rareFactor < day.total;
  const counted =
    question.shapes === undefined
      ? sql<{ n: string }>`select count(*) as n from audit_events where ${within}`
      : isRare
        ? sql<{ n: string }>`
          with matched as materialized (${shapesOn(question.shapes, day.day, day.day)})
          select coalesce(sum(n), 0) as n from matched
          cross join lateral (select count(*) as n from audit_events where shape_id = matched.id and ${within}) as of_shape`
        : sql<{ n: string }>`select count(*) as n from audit_events where ${within} and ${isAnyOf(question.shapes)}`;
  const { rows } = await counted.execute(trx);
  return Number(rows[0]?.n ?? 0);
}

/** Following the index of a shape costs about as much as looking at this many events in passing. */
const rareFactor = 4;
/** And finding a shape's place in it, as this many. */
const shapeCost = 40;

/** The events of a span from `skip` on, newest first. */
export async function readSpan(trx: Reading, question: Question, span: Span, limit: number): Promise<AuditEvent[]> {
  const { first, last } = daysOf(question, span.firstDay, span.lastDay);
  return readEvents(trx, chosenIds(question, span, sql`id between ${first} and ${last}`, limit));
}

/** Undefined for any other text. */
export async function findEvent(db: Kysely<Database>, id: string): Promise<AuditEvent | undefined> {
  if (!/^\d{1,18}$/.test(id) && !/^[1-8]\d{18}$/.test(id)) return undefined;
  const [event] = await reading(db, (trx) => readEvents(trx, sql`select id from audit_events where id = ${id}`));
  return event;
}

async function readEvents(trx: Reading, ids: RawBuilder<unknown>): Promise<AuditEvent[]> {
  const { rows } = await sql<EventRow>`
    with chosen as materialized (${ids})
    select event.id, event.duration_ms, shape.user_id, shape.username, shape.response_code, shape.method, shape.path, shape.route,
      client.ip_address, client.user_agent, client.api_key
    from chosen join audit_events event using (id)
    join audit_shapes shape on shape.id = event.shape_id
    join audit_clients client on client.id = event.client_id
    order by event.id desc`.execute(trx);
  const slice = new TimeSlice();
  const events: AuditEvent[] = [];
  for (const row of rows) {
    await slice.end();
    events.push(eventOf(row));
  }
  return events;
}

/** Passes all events of the span, or follows each shape's own index, whichever looks at less. */
function chosenIds({ shapes }: Question, span: Span, within: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  const wanted = span.skip + limit;
  const page = sql`order by id desc offset ${span.skip} limit ${limit}`;
  if (shapes === undefined) return sql`select id from audit_events where ${within} ${page}`;
  const inPassing = span.total * Math.min(1, wanted / span.events);
  const byShape = Math.min(span.events, span.shapes * wanted) * rareFactor + span.shapes * shapeCost;
  const matches = inPassing <= fewLookups ? hasShape(shapes) : isAnyOf(shapes);
  if (inPassing <= byShape) return sql`select id from audit_events where ${within} and ${matches} ${page}`;
  return sql`
    select found.id from (${shapesOn(shapes, span.firstDay, span.lastDay)}) as matched
    cross join lateral (
      select id from audit_events where shape_id = matched.id and ${within} order by id desc limit ${wanted}
    ) as found ${page}`;
}

/** For more events than these it is quicker to find all shapes that match first. */
const fewLookups = 8_000;

/** Looks up the shape of each event that is passed. */
const hasShape = (shapes: Condition) => sql`(select true from audit_shapes where audit_shapes.id = audit_events.shape_id and ${shapes})`;

/** In a form that the database does not turn into a join: the events are to be passed in their order. */
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
}

const eventOf = (row: EventRow): AuditEvent => ({
  id: row.id,
  responseCode: row.response_code,
  method: row.method,
  path: row.path,
  username: row.username,
  requestTimeMs: timeOf(row.id),
  ipAddress: row.ip_address,
  client: clientOf(row.user_agent),
  details: { durationMs: row.duration_ms, userId: row.user_id, apiKey: row.api_key, route: row.route, userAgent: row.user_agent },
});
