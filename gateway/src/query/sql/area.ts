import type { Point, Ring } from "@fairway/contract/areas";
import { type RawBuilder, sql } from "kysely";
import { named } from "./operators.ts";
import type { Edge, SqlColumn, SqlDialect } from "./table.ts";

const fewestBands = 16;
const mostBands = 128;
const edgesPerBand = 8;

/**
 * Rows within any ring: the box around it first, which an engine can check by its statistics, then the even-odd test. The
 * edges are sorted into bands of latitude, of which a row looks at one, and travel as one parameter: written out as SQL,
 * they take longer to plan than to run.
 */
export function areaSql(latitude: SqlColumn, longitude: SqlColumn, rings: readonly Ring[], dialect: SqlDialect): RawBuilder<boolean> {
  const place = { lat: degrees(latitude, dialect), lng: degrees(longitude, dialect) };
  const within = rings.map((ring) => sql<boolean>`(${boxSql(place, ring, dialect)} and ${ringSql(place, ring, dialect)})`);
  if (within.length === 1) return within[0] ?? sql<boolean>`false`;
  return sql<boolean>`(${boxSql(place, rings.flat(), dialect)} and (${sql.join(within, sql` or `)}))`;
}

interface Place {
  readonly lat: RawBuilder<unknown>;
  readonly lng: RawBuilder<unknown>;
}

const degrees = (column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> =>
  column.storage.kind === "floating" && !column.storage.single ? named(column) : dialect.asDouble(named(column));

function boxSql({ lat, lng }: Place, ring: readonly Point[], dialect: SqlDialect): RawBuilder<unknown> {
  const [south, north] = rangeOf(ring.map((point) => point.lat)).map((value) => dialect.floating(value, false)) as [unknown, unknown];
  const [west, east] = rangeOf(ring.map((point) => point.lng)).map((value) => dialect.floating(value, false)) as [unknown, unknown];
  return sql`${lat} between ${south} and ${north} and ${lng} between ${west} and ${east}`;
}

const rangeOf = (values: readonly number[]): [number, number] => [
  values.reduce((least, value) => Math.min(least, value), Infinity),
  values.reduce((most, value) => Math.max(most, value), -Infinity),
];

/** Whether a line from the row to the west crosses an odd number of edges. */
function ringSql({ lat, lng }: Place, ring: Ring, dialect: SqlDialect): RawBuilder<unknown> {
  const [south, north] = rangeOf(ring.map((point) => point.lat));
  const edges = edgesOf(ring);
  const count = Math.min(mostBands, Math.max(fewestBands, Math.ceil(edges.length / edgesPerBand)));
  // The same steps on the same doubles as below in SQL: rounding may move a band's border, but never a row past its edges.
  const bandOf = (value: number) => Math.min(count - 1, Math.floor(((value - south) * count) / (north - south)));
  const bands = Array.from({ length: count }, (_, band) =>
    edges.filter((edge) => bandOf(edge.south) <= band && band <= bandOf(edge.north)),
  );
  const [from, height] = [south, north - south].map((value) => dialect.floating(value, false)) as [unknown, unknown];
  // An engine may ask this of rows outside the box too, whose latitude may be no number of any size.
  const band = sql`least(${sql.lit(count - 1)}, try_cast(floor((${lat} - ${from}) * ${sql.lit(count)} / ${height}) as integer))`;
  return sql`${dialect.edgesCrossed(bands, band, lat, lng)} % 2 = 1`;
}

function edgesOf(ring: Ring): Edge[] {
  return ring.flatMap((from, index) => {
    const to = ring[(index + 1) % ring.length];
    // An edge along a parallel is crossed by no parallel.
    if (to === undefined || from.lat === to.lat) return [];
    const [low, high] = from.lat < to.lat ? [from, to] : [to, from];
    return [{ south: low.lat, north: high.lat, west: low.lng, slope: (high.lng - low.lng) / (high.lat - low.lat) }];
  });
}
