import { type RawBuilder, sql } from "kysely";
import type { PathRequest, SearchQuery, TracksRequest } from "#query/engine.ts";
import { type Compiled, compileRaw, orderSql, requireColumn, whereSql } from "./compile.ts";
import { comparable, named } from "./operators.ts";
import { westward } from "./positions.ts";
import type { SqlColumn, SqlDialect, SqlTable, Storage } from "./table.ts";

/**
 * One row per item: its newest. In DuckDB, finding each item's newest time first, so that everything else is read for a few
 * rows only, takes a quarter of the time of numbering every item's rows. Decision 0050.
 */
export function compileLatest(
  table: SqlTable,
  by: { readonly item: string; readonly time: string },
  query: Omit<SearchQuery, "offset">,
  dialect: SqlDialect,
): Compiled {
  const timeColumn = requireColumn(table, by.time);
  const item = comparable(requireColumn(table, by.item), dialect);
  const time = comparable(timeColumn, dialect);
  const columns = [...table.columns.values()];
  const timed = sql<boolean>`${item} is not null and ${hasInstant(timeColumn, dialect)}`;
  const newestTimes = sql`select ${item}, max(${time}) from ${table.from}${whereSql(table, query, dialect, timed)} group by ${item}`;
  const first = [...table.orderBy.map((key) => orderSql(table, key, dialect)), ...table.numbered.position];
  const newest = dialect.newest({ item, time, timed, newestTimes, first });
  const keys = query.sort.length > 0 ? query.sort.map((key) => orderSql(table, key, dialect)) : [sql`${time} desc`];
  return compileRaw(
    dialect.rows({
      columns,
      from: table.numbered.from,
      where: whereSql(table, query, dialect, newest.where),
      keep: newest.keep,
      order: [...keys, ...table.numbered.position],
      offset: 0,
      limit: query.limit,
    }),
  );
}

/** A page of a path: one row per point. */
export function compilePath(
  table: SqlTable,
  request: PathRequest & { readonly columns: readonly string[] },
  query: Omit<SearchQuery, "sort">,
  dialect: SqlDialect,
): Compiled {
  const columns = request.columns.map((name) => requireColumn(table, name));
  const time = comparable(requireColumn(table, request.time), dialect);
  const order = [time, ...table.numbered.position];
  const within = interval(table, request, dialect);
  const isFirst = sql<boolean>`${within} is distinct from lag(${within}) over (order by ${sql.join(order, sql`, `)})`;
  const where = pointsSql(table, request, query, dialect);
  const keep = request.intervalMs === 0 ? {} : { keep: isFirst };
  return compileRaw(dialect.rows({ columns, from: table.numbered.from, where, ...keep, order, offset: query.offset, limit: query.limit }));
}

/** The columns of a track's rows, as `compileTracks` selects them. */
export function trackColumns(table: SqlTable, { item, time, location }: TracksRequest): readonly SqlColumn[] {
  return [item, time, location.latitude, location.longitude].map((name) => {
    const { type, storage } = requireColumn(table, name);
    if (type === "STRING") return { name, type, storage: { kind: "text" } };
    return { name, type, storage: name === location.longitude && storage.kind !== "floating" ? degreesStorage : storage };
  });
}

/** Of longitudes that are not stored as floating-point numbers: turning them by 360 may leave the range of their type. */
const degreesStorage: Storage = { kind: "floating", single: false, finite: true };

/** The most rows that tracks can have: of each item one more than its points. */
export const maxTrackRows = ({ points, perTrack }: TracksRequest): number => points + maxTracks({ points, perTrack });

const maxTracks = ({ points, perTrack }: Pick<TracksRequest, "points" | "perTrack">): number =>
  Math.max(1, Math.floor(points / perTrack.min));

/**
 * Thinned paths of all items. Groups each item's rows by parts of its own time, so that short and long tracks get as many points
 * and nothing is sorted. Decision 0580.
 */
export function compileTracks(
  table: SqlTable,
  request: TracksRequest,
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): Compiled {
  const { item, time, location, points, perTrack } = request;
  const timeColumn = requireColumn(table, time);
  const [itemValue, timeValue, latitude] = [item, time, location.latitude].map((name) => comparable(requireColumn(table, name), dialect));
  const longitudeColumn = requireColumn(table, location.longitude);
  const storedLongitude = comparable(longitudeColumn, dialect);
  const isText = longitudeColumn.type === "STRING";
  const longitude = isText || longitudeColumn.storage.kind === "floating" ? storedLongitude : dialect.asDouble(storedLongitude);
  const where = pointsSql(table, request, query, dialect);
  const moment = dialect.magnitude(named(timeColumn), timeColumn);
  const ends = sql`select ${itemValue} as item, min(${moment}) as first_at, max(${moment}) as last_at from ${table.from}${where} group by 1`;
  const newest = sql`select * from (${ends}) as ends order by last_at desc, item limit ${dialect.rowCount(maxTracks(request))}`;
  // A share of the points for each item.
  const share = sql`least(${sql.lit(perTrack.max)}, greatest(${sql.lit(perTrack.min)}, floor(${sql.lit(points)} / cast(count(*) over () as double))))`;
  const spans = sql`select item, first_at, last_at, ${share} as parts from (${newest}) as newest`;
  const placed = sql`select ${itemValue} as item, ${timeValue} as instant, ${moment} as moment, ${latitude} as lat, ${longitude} as lng from ${table.from}${where}`;
  const part = sql`case when last_at > first_at then floor((moment - first_at) / (last_at - first_at) * parts) else 0 end`;
  const names = trackColumns(table, request).map(named);
  const [itemName, timeName, latitudeName, longitudeName] = names;
  const east = sql`min_by(lng, placed.instant)`;
  // Of several rows of one time, both aggregates choose the same.
  const tracks = sql`select placed.item as ${itemName}, min(placed.instant) as ${timeName}, min_by(lat, placed.instant) as ${latitudeName}, ${isText ? east : westward(east)} as ${longitudeName}
    from (${placed}) as placed join (${spans}) as spans on placed.item = spans.item group by placed.item, ${part}`;
  return compileRaw(
    dialect.rows({
      columns: trackColumns(table, request),
      from: sql`(${tracks}) as tracks`,
      where: sql``,
      order: [],
      offset: 0,
      limit: maxTrackRows(request) + 1,
    }),
  );
}

/** One row: the number of points of a path, as JSON text. */
export function compilePathCount(
  table: SqlTable,
  request: PathRequest,
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): Compiled {
  const count = request.intervalMs === 0 ? sql`count(*)` : sql`count(distinct ${interval(table, request, dialect)})`;
  return compileRaw(sql`select ${dialect.cellJson(count, "count")} from ${table.from}${pointsSql(table, request, query, dialect)}`);
}

/** ` where …`: rows with a time and a position. */
function pointsSql(
  table: SqlTable,
  { time, location, item }: Pick<PathRequest, "time" | "location"> & { readonly item?: string },
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const present = [location.latitude, location.longitude, ...(item === undefined ? [] : [item])].map(
    (name) => sql`${comparable(requireColumn(table, name), dialect)} is not null`,
  );
  return whereSql(table, query, dialect, sql.join([hasInstant(requireColumn(table, time), dialect), ...present], sql` and `));
}

/** The index of a row's interval, counted from 1970 and negative before. */
function interval(table: SqlTable, { time, intervalMs }: PathRequest, dialect: SqlDialect): RawBuilder<unknown> {
  const column = requireColumn(table, time);
  const perUnit = column.type === "TIMESTAMP_SECONDS" ? 1_000 : 1;
  return sql`floor(${dialect.magnitude(named(column), column)} * ${sql.lit(perUnit)} / ${sql.lit(intervalMs)})`;
}

/** Whether a row has a finite time. */
function hasInstant(column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> {
  return column.storage.kind === "instant" ? dialect.isInstant(named(column)) : sql`${comparable(column, dialect)} is not null`;
}
