import type { Point, Ring } from "@fairway/contract/areas";
import { fullTurn, lastLongitude } from "@fairway/contract/positions";
import { type RawBuilder, sql } from "kysely";
import { degreesSql } from "./positions.ts";
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
 * antimeridian from either side includes the rows on it, whether they are stored as 180 or -180. Longitudes of 180 to 360 are
 * those of 360 less.
 */
export function areaSql(latitude: SqlColumn, longitude: SqlColumn, rings: readonly Ring[], dialect: SqlDialect): RawBuilder<boolean> {
  const position = { lat: degreesSql(latitude, dialect), lng: degreesSql(longitude, dialect) };
  const shapes = rings.flatMap((ring) => {
    const shape: Shape = { ring, sides: sidesSql(position, ring, dialect), within: withinRing(position, ring, dialect) };
    return reachesWest(ring) ? [shape, furtherEast(position, ring, dialect)] : [shape];
  });
  const [first] = shapes;
  if (shapes.length === 1 && first !== undefined) return wholeSql(position, first, dialect);
  const sides = [sidesSql(position, rings.flat(), dialect), ...(rings.some(reachesWest) ? [pastAntimeridian(position)] : [])];
  const box = sql`${latitudesSql(position, rings.flat(), dialect)} and (${sql.join(sides, sql` or `)})`;
  return sql<boolean>`(${box} and (${sql.join(
    shapes.map((shape) => wholeSql(position, shape, dialect)),
    sql` or `,
  )}))`;
}

/** A ring as it is compared with stored values. */
interface Shape {
  readonly ring: Ring;
  readonly sides: RawBuilder<unknown>;
  readonly within: RawBuilder<unknown>;
}

const wholeSql = (position: Position, { ring, sides, within }: Shape, dialect: SqlDialect): RawBuilder<boolean> =>
  sql`(${latitudesSql(position, ring, dialect)} and ${sides} and ${within})`;

/** Whether longitudes of 180 to 360 may be within a ring: those that are 0 or less if they are turned by 360. */
const reachesWest = (ring: Ring): boolean => ring.some(({ lng }) => lng <= 0);

const pastAntimeridian = ({ lng }: Position): RawBuilder<unknown> =>
  sql`${lng} between ${sql.lit(antimeridian)} and ${sql.lit(lastLongitude)}`;

/**
 * The same ring for rows whose longitudes go on to 360 instead of ending at the antimeridian: the ring is turned by 360 rather than
 * every row, so that the engine compares stored values, and rows of other datasets are not tested twice.
 */
function furtherEast(position: Position, ring: Ring, dialect: SqlDialect): Shape {
  const turned = ring.map(({ lat, lng }) => ({ lat, lng: lng + fullTurn }));
  const [west, east] = rangeOf(turned.map(({ lng }) => lng));
  const ends = [Math.max(west, antimeridian), Math.min(east, lastLongitude)].map((value) => dialect.floating(value, false));
  const sides = sql`${position.lng} between ${ends[0]} and ${ends[1]}`;
  return { ring, sides, within: ringSql({ ...position, lat: southward(position, ring, dialect) }, turned, dialect) };
}

interface Position {
  readonly lat: RawBuilder<unknown>;
  readonly lng: RawBuilder<unknown>;
}

function latitudesSql({ lat }: Position, points: readonly Point[], dialect: SqlDialect): RawBuilder<unknown> {
  const [south, north] = rangeOf(points.map((point) => point.lat)).map((value) => dialect.floating(value, false)) as [unknown, unknown];
  return sql`${lat} between ${south} and ${north}`;
}

function sidesSql({ lng }: Position, points: readonly Point[], dialect: SqlDialect): RawBuilder<unknown> {
  const [west, east] = rangeOf(points.map((point) => point.lng));
  const between = sql`${lng} between ${dialect.floating(west, false)} and ${dialect.floating(east, false)}`;
  return reachesAntimeridian({ west, east }) ? sql`(${between} or abs(${lng}) = ${dialect.floating(antimeridian, false)})` : between;
}

const reachesAntimeridian = ({ west, east }: { west: number; east: number }): boolean => west === -antimeridian || east === antimeridian;

const rangeOf = (values: readonly number[]): [number, number] => [
  values.reduce((min, value) => Math.min(min, value), Infinity),
  values.reduce((max, value) => Math.max(max, value), -Infinity),
];

/** The even-odd test, with rows on the edges of the world moved just inside. */
function withinRing({ lat, lng }: Position, ring: Ring, dialect: SqlDialect): RawBuilder<unknown> {
  const [west, east] = rangeOf(ring.map((point) => point.lng));
  const number = (value: number) => dialect.floating(value, false);
  const inside = southward({ lat, lng }, ring, dialect);
  const fromEast = sql`case when ${lng} = ${number(antimeridian)} then ${number(-antimeridian)} else ${lng} end`;
  const fromWest = sql`case when abs(${lng}) = ${number(antimeridian)} then ${number(justWestOfAntimeridian)} else ${lng} end`;
  const test = (longitude: RawBuilder<unknown>) => ringSql({ lat: inside, lng: longitude }, ring, dialect);
  if (!reachesAntimeridian({ west, east })) return test(lng);
  if (east !== antimeridian) return test(fromEast);
  if (west !== -antimeridian) return test(fromWest);
  return sql`(${test(fromEast)} or (abs(${lng}) = ${number(antimeridian)} and ${test(fromWest)}))`;
}

/** Latitudes with the pole moved just inside of a ring that reaches it. */
const southward = ({ lat }: Position, ring: Ring, dialect: SqlDialect): RawBuilder<unknown> =>
  rangeOf(ring.map((point) => point.lat))[1] === northPole ? sql`least(${lat}, ${dialect.floating(justSouthOfPole, false)})` : lat;

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
