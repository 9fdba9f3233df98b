import { degreeDigits, fullTurn, lastLongitude } from "@fairway/contract/positions";
import { type RawBuilder, sql } from "kysely";
import { comparable } from "./operators.ts";
import type { SqlColumn, SqlDialect } from "./table.ts";

/** Degrees of longitude of -180 to 180, of those that may go on to 360. Values that are no longitudes stay as they are. */
export const westward = (longitude: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when ${longitude} > 180 and ${longitude} <= ${sql.lit(lastLongitude)} then round(${longitude} - ${sql.lit(fullTurn)}, ${sql.lit(degreeDigits)}) else ${longitude} end`;

/** Rows with two coordinates that are no place on Earth. */
export function outOfRangeSql(latitude: SqlColumn, longitude: SqlColumn, dialect: SqlDialect): RawBuilder<boolean> {
  const [lat, lng] = [latitude, longitude].map((column) => comparable(column, dialect)) as [RawBuilder<unknown>, RawBuilder<unknown>];
  return sql<boolean>`${lat} is not null and ${lng} is not null and (${lat} < -90 or ${lat} > 90 or ${lng} < -180 or ${lng} > ${sql.lit(lastLongitude)})`;
}
