import { degreeDigits, fullTurn, lastLongitude } from "@fairway/contract/positions";
import { type RawBuilder, sql } from "kysely";
import type { BoxCondition } from "#query/engine.ts";
import { comparable, named } from "./operators.ts";
import type { SqlColumn, SqlDialect } from "./table.ts";

/** Degrees of longitude of -180 to 180, of those that may go on to 360. Values that are no longitudes stay as they are. */
export const westward = (longitude: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when ${longitude} > 180 and ${longitude} <= ${sql.lit(lastLongitude)} then round(${longitude} - ${sql.lit(fullTurn)}, ${sql.lit(degreeDigits)}) else ${longitude} end`;

/** Rows with two coordinates that are no place on Earth. */
export function outOfRangeSql(latitude: SqlColumn, longitude: SqlColumn, dialect: SqlDialect): RawBuilder<boolean> {
  const [lat, lng] = [latitude, longitude].map((column) => comparable(column, dialect)) as [RawBuilder<unknown>, RawBuilder<unknown>];
  return sql<boolean>`${lat} is not null and ${lng} is not null and (${lat} < -90 or ${lat} > 90 or ${lng} < -180 or ${lng} > ${sql.lit(lastLongitude)})`;
}

/** A coordinate as a double; NaN and infinities stay. */
export const degreesSql = (column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> =>
  column.storage.kind === "floating" && !column.storage.single ? named(column) : dialect.asDouble(named(column));

/** Whether a coordinate exists and is a number. */
export const isFiniteSql = (column: SqlColumn, dialect: SqlDialect): RawBuilder<boolean> =>
  column.storage.kind === "floating" && !column.storage.finite
    ? sql<boolean>`(${named(column)} is not null and ${dialect.isFinite(named(column))})`
    : sql<boolean>`${named(column)} is not null`;

/** Rows whose coordinates are a place on Earth. */
export const isPlaceSql = (latitude: SqlColumn, longitude: SqlColumn, dialect: SqlDialect): RawBuilder<boolean> =>
  boxSql(latitude, longitude, { west: -180, south: -90, east: 180, north: 90 }, dialect);

/** Rows of a box, by comparisons with stored values only, by which engines skip what they need not read. */
export function boxSql(
  latitude: SqlColumn,
  longitude: SqlColumn,
  { west, south, east, north }: Pick<BoxCondition, "west" | "south" | "east" | "north">,
  dialect: SqlDialect,
): RawBuilder<boolean> {
  const [lat, lng] = [degreesSql(latitude, dialect), degreesSql(longitude, dialect)];
  const number = (value: number) => dialect.floating(value, false);
  const isSouthOfNorth = north >= 90 ? sql`${lat} <= ${number(90)}` : sql`${lat} < ${number(north)}`;
  return sql<boolean>`(${lat} >= ${number(south)} and ${isSouthOfNorth} and ${longitudesSql(lng, { west, east }, number)})`;
}

/** The box is turned by whole turns rather than every row. */
function longitudesSql(
  lng: RawBuilder<unknown>,
  { west, east }: Pick<BoxCondition, "west" | "east">,
  number: (value: number) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (east - west >= fullTurn) return sql`${lng} between ${number(-180)} and ${number(lastLongitude)}`;
  const parts = [-fullTurn, 0, fullTurn].flatMap((turn) => {
    const [from, to] = [Math.max(-180, west + turn), east + turn];
    if (from > lastLongitude || from >= to) return [];
    const isBeforeEnd = to > lastLongitude ? sql`${lng} <= ${number(lastLongitude)}` : sql`${lng} < ${number(to)}`;
    return [sql`${lng} >= ${number(from)} and ${isBeforeEnd}`];
  });
  return parts.length === 0 ? sql`false` : sql`(${sql.join(parts, sql` or `)})`;
}
