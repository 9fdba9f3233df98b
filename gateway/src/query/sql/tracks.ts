import { isNumeric } from "@fairway/contract/columns";
import { type RawBuilder, sql } from "kysely";
import type { SearchQuery, TracksRequest } from "#query/engine.ts";
import { type Compiled, compileRaw, requireColumn } from "./compile.ts";
import { pointsSql } from "./map-results.ts";
import { comparable, named } from "./operators.ts";
import { westward } from "./positions.ts";
import type { SqlColumn, SqlDialect, SqlTable, Storage } from "./table.ts";

/** The columns of a track's rows, as `compileTracks` selects them. */
export function trackColumns(table: SqlTable, { item, time, location, values = [] }: TracksRequest): readonly SqlColumn[] {
  return [...new Set([item, time, location.latitude, location.longitude, ...values])].map((name) => {
    const { type, storage } = requireColumn(table, name);
    if (type === "STRING") return { name, type, storage: { kind: "text" } };
    return { name, type, storage: name === location.longitude && storage.kind !== "floating" ? degreesStorage : storage };
  });
}

/** Of longitudes that are not stored as floating-point numbers: turning them by 360 may leave the range of their type. */
const degreesStorage: Storage = { kind: "floating", single: false, finite: true };

/** Rows of a part with a number whose extremes are shown: the first one, and those with its least and its greatest value. */
export const rowsOfPeaks = 3;

/** The most rows that tracks can have: of each item those of one more part than its points suffice for. */
export const maxTrackRows = ({ points, perTrack, values = [] }: TracksRequest): number =>
  points + (values.length === 0 ? 1 : rowsOfPeaks) * maxTracks({ points, perTrack });

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
  const { item, instant, moment, lat, lng, isTextual, where } = pointParts(table, request, query, dialect);
  const spans = spansSql(table, request, { item, moment, where }, dialect);
  const placed = sql`select ${item} as item, ${instant} as instant, ${moment} as moment, ${lat} as lat, ${lng} as lng from ${table.from}${where}`;
  const names = trackColumns(table, request).map(named);
  const [itemName, timeName, latitudeName, longitudeName] = names;
  const east = sql`min_by(lng, placed.instant)`;
  // Of several rows of one time, both aggregates choose the same.
  const tracks = sql`select placed.item as ${itemName}, min(placed.instant) as ${timeName}, min_by(lat, placed.instant) as ${latitudeName}, ${isTextual ? east : westward(east)} as ${longitudeName}
    from (${placed}) as placed join (${spans}) as spans on placed.item = spans.item group by placed.item, ${partSql}`;
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

/** The parts of a statement of tracks that are read from rows. */
interface PointParts {
  readonly item: RawBuilder<unknown>;
  readonly instant: RawBuilder<unknown>;
  /** The instant as a double in its column's unit. */
  readonly moment: RawBuilder<unknown>;
  readonly lat: RawBuilder<unknown>;
  readonly lng: RawBuilder<unknown>;
  /** Whether longitudes are texts, which cannot be turned. */
  readonly isTextual: boolean;
  /** ` where …`: rows with an item, a time and a position. */
  readonly where: RawBuilder<unknown>;
}

export function pointParts(
  table: SqlTable,
  request: TracksRequest,
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): PointParts {
  const { item, time, location } = request;
  const timeColumn = requireColumn(table, time);
  const value = (name: string) => comparable(requireColumn(table, name), dialect);
  const longitudeColumn = requireColumn(table, location.longitude);
  const isTextual = longitudeColumn.type === "STRING";
  const longitude = value(location.longitude);
  return {
    item: value(item),
    instant: value(time),
    moment: dialect.magnitude(named(timeColumn), timeColumn),
    lat: value(location.latitude),
    lng: isTextual || longitudeColumn.storage.kind === "floating" ? longitude : dialect.asDouble(longitude),
    isTextual,
    where: pointsSql(table, request, query, dialect),
  };
}

/** A SELECT of the items that are included, with their first and last moment and their number of parts. */
export function spansSql(
  table: SqlTable,
  request: TracksRequest,
  { item, moment, where }: Pick<PointParts, "item" | "moment" | "where">,
  dialect: SqlDialect,
  rowsPerPart = 1,
): RawBuilder<unknown> {
  const { points, perTrack } = request;
  const ends = sql`select ${item} as item, min(${moment}) as first_at, max(${moment}) as last_at from ${table.from}${where} group by 1`;
  const newest = sql`select * from (${ends}) as ends order by last_at desc, item limit ${dialect.rowCount(maxTracks(request))}`;
  // A share of the points for each item.
  const share = sql`least(${sql.lit(perTrack.max)}, greatest(${sql.lit(perTrack.min)}, floor(${sql.lit(points)} / cast(count(*) over () as double))))`;
  const parts = rowsPerPart === 1 ? share : sql`greatest(1, floor(${share} / ${sql.lit(rowsPerPart)}))`;
  return sql`select item, first_at, last_at, ${parts} as parts from (${newest}) as newest`;
}

/** The part of an item's time in which a moment lies; the last moment is one of its own. */
export const partSql = sql`case when last_at > first_at then floor((moment - first_at) / (last_at - first_at) * parts) else 0 end`;

/** The number among the values whose extremes are shown. */
export const peakColumn = (table: SqlTable, { values = [] }: TracksRequest): SqlColumn | undefined =>
  values.map((name) => requireColumn(table, name)).find(({ type }) => isNumeric(type));
