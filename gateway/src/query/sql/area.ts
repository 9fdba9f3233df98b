import type { Point, Ring } from "@fairway/contract/areas";
import { type RawBuilder, sql } from "kysely";
import { named } from "./operators.ts";
import type { Edge, SqlColumn, SqlDialect } from "./table.ts";

const minBands = 16;
const maxBands = 128;
const edgesPerBand = 8;

/** The meridian where longitudes change sign: 180 and -180 name the same position. */
const antimeridian = 180;
const northPole = 90;
/** The largest doubles below 180 and 90: no longitude or latitude lies in between. */
const justWestOfAntimeridian = 180 - 2 ** -45;
const justSouthOfPole = 90 - 2 ** -46;

/**
 * Rows within any ring: first by its bounding box, which an engine can check against its statistics, then by the even-odd
 * test. Edges are grouped into bands of latitude, so that each row is tested against one band only, and are passed as one
 * parameter: written out as SQL they would take longer to plan than to run.
 *
 * South and west edges belong to a ring, north and east edges do not, so that adjacent rings share no row. Nothing is
 * adjacent beyond the edges of the world: a ring that reaches a pole includes the rows on it, and one that reaches the
 * antimeridian from either side includes the rows on it, whether they are stored as 180 or -180.
 */
export function areaSql(latitude: SqlColumn, longitude: SqlColumn, rings: readonly Ring[], dialect: SqlDialect): RawBuilder<boolean> {
  const position = { lat: degrees(latitude, dialect), lng: degrees(longitude, dialect) };
  const within = rings.map((ring) => sql<boolean>`(${boxSql(position, ring, dialect)} and ${withinRing(position, ring, dialect)})`);
  if (within.length === 1) return within[0] ?? sql<boolean>`false`;
  return sql<boolean>`(${boxSql(position, rings.flat(), dialect)} and (${sql.join(within, sql` or `)}))`;
}

interface Position {
  readonly lat: RawBuilder<unknown>;
  readonly lng: RawBuilder<unknown>;
}

const degrees = (column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> =>
  column.storage.kind === "floating" && !column.storage.single ? named(column) : dialect.asDouble(named(column));

function boxSql({ lat, lng }: Position, points: readonly Point[], dialect: SqlDialect): RawBuilder<unknown> {
  const [south, north] = rangeOf(points.map((point) => point.lat)).map((value) => dialect.floating(value, false)) as [unknown, unknown];
  const [west, east] = rangeOf(points.map((point) => point.lng));
  const between = sql`${lng} between ${dialect.floating(west, false)} and ${dialect.floating(east, false)}`;
  const sides = reachesAntimeridian({ west, east }) ? sql`(${between} or abs(${lng}) = ${dialect.floating(antimeridian, false)})` : between;
  return sql`${lat} between ${south} and ${north} and ${sides}`;
}

const reachesAntimeridian = ({ west, east }: { west: number; east: number }): boolean => west === -antimeridian || east === antimeridian;

const rangeOf = (values: readonly number[]): [number, number] => [
  values.reduce((min, value) => Math.min(min, value), Infinity),
  values.reduce((max, value) => Math.max(max, value), -Infinity),
];

/** The even-odd test, with rows on the edges of the world moved just inside. */
function withinRing({ lat, lng }: Position, ring: Ring, dialect: SqlDialect): RawBuilder<unknown> {
  const [west, east] = rangeOf(ring.map((point) => point.lng));
  const [, north] = rangeOf(ring.map((point) => point.lat));
  const number = (value: number) => dialect.floating(value, false);
  const southward = north === northPole ? sql`least(${lat}, ${number(justSouthOfPole)})` : lat;
  const fromEast = sql`case when ${lng} = ${number(antimeridian)} then ${number(-antimeridian)} else ${lng} end`;
  const fromWest = sql`case when abs(${lng}) = ${number(antimeridian)} then ${number(justWestOfAntimeridian)} else ${lng} end`;
  const test = (longitude: RawBuilder<unknown>) => ringSql({ lat: southward, lng: longitude }, ring, dialect);
  if (!reachesAntimeridian({ west, east })) return test(lng);
  if (east !== antimeridian) return test(fromEast);
  if (west !== -antimeridian) return test(fromWest);
  return sql`(${test(fromEast)} or (abs(${lng}) = ${number(antimeridian)} and ${test(fromWest)}))`;
}

/** Whether a line from the row to the west crosses an odd number of edges. */
function ringSql({ lat, lng }: Position, ring: Ring, dialect: SqlDialect): RawBuilder<unknown> {
  const [south, north] = rangeOf(ring.map((point) => point.lat));
  const edges = edgesOf(ring);
  const count = Math.min(maxBands, Math.max(minBands, Math.ceil(edges.length / edgesPerBand)));
  // Must compute exactly like the SQL below: rounding may then move the border of a band, but never separate a row from its edges.
  const bandOf = (value: number) => Math.min(count - 1, Math.floor(((value - south) * count) / (north - south)));
  const bands = Array.from({ length: count }, (_, band) =>
    edges.filter((edge) => bandOf(edge.south) <= band && band <= bandOf(edge.north)),
  );
  const [from, height] = [south, north - south].map((value) => dialect.floating(value, false)) as [unknown, unknown];
  // An engine may evaluate this for rows outside the box, too, whose latitude may be any number or none.
  const band = sql`least(${sql.lit(count - 1)}, try_cast(floor((${lat} - ${from}) * ${sql.lit(count)} / ${height}) as integer))`;
  return sql`${dialect.edgesCrossed(bands, band, lat, lng)} % 2 = 1`;
}

function edgesOf(ring: Ring): Edge[] {
  return ring.flatMap((from, index) => {
    const to = ring[(index + 1) % ring.length];
    // A line along a parallel never crosses an edge that is itself a parallel.
    if (to === undefined || from.lat === to.lat) return [];
    const [low, high] = from.lat < to.lat ? [from, to] : [to, from];
    return [{ south: low.lat, north: high.lat, west: low.lng, slope: (high.lng - low.lng) / (high.lat - low.lat) }];
  });
}
