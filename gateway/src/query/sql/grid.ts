import { type CellRange, cellBox, cellsAcross, mercatorLatitude } from "@fairway/contract/grid-cells";
import { lastLongitude } from "@fairway/contract/positions";
import { type RawBuilder, sql } from "kysely";
import type { Aggregation, GridQuery, GridResult, SearchQuery } from "#query/engine.ts";
import { type Compiled, aggregateSql, compileRaw, orderSql, requireColumn, whereSql } from "./compile.ts";
import { comparable, named } from "./operators.ts";
import { boxSql, degreesSql, isFiniteSql, isPlaceSql } from "./positions.ts";
import type { TextRow } from "./column-values-read.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

/** Cells, or frames, of one row of the result, so that nothing handles a quarter of a million at once. */
export const rowsPerPart = 4_096;

/**
 * Degrees by which the logarithm of a latitude may be wrong, so that a row on the edge of a cell, as it is written, is in that cell. One
 * that lies less south of it is in the cell as well.
 */
const slack = 1e-12;

/** In place of a cell: rows without a position, and rows whose position is no place. */
const [missing, outOfRange] = [-1, -2];

/**
 * Rows per cell, in one scan. A row of the result holds many cells: x, y, rows and, with a measure, how many rows have a value and the value,
 * each as texts that commas join; then the sum of the rows, and of all cells the rows without a position, those that are no place and those
 * beyond the square map.
 */
export function compileGrid(table: SqlTable, query: GridQuery, dialect: SqlDialect): Compiled {
  const { measure } = query;
  const { count, cell, needed, polar, figures } = cellParts(table, query, dialect);
  // Presto does not group by an expression of parameters that names columns.
  const key = sql.id("fairway cell");
  const placed = sql`select ${list([...needed].map(named))}, ${cell} as ${key} from ${table.from}${whereSql(table, query, dialect)}`;
  const grouped = sql`select ${key} as cell, count(*) as cell_rows, ${polar} as polar${listed(figures)} from (${placed}) as placed group by ${key}`;
  const numbered = sql`select *, row_number() over (order by cell) - 1 as place from (${grouped}) as grouped`;
  const texts = cellTexts(count, measure, dialect);
  const sums = cellSums(null, dialect);
  const part = sql`place - place % ${sql.lit(rowsPerPart)}`;
  const columns = [...texts.map((text) => dialect.joinedTexts(text, sql`cell`, isCell)), ...sums];
  return compileRaw(sql`select ${list(columns)} from (${numbered}) as numbered group by ${part} order by ${part}`);
}

/** The rows that the cells of a grid are counted from: `needed` are the columns that the aggregates `polar` and `figures` name. */
export function cellParts(table: SqlTable, query: GridQuery, dialect: SqlDialect) {
  const { level, location, measure, cells } = query;
  const count = cellsAcross(level);
  const [latitude, longitude] = [requireColumn(table, location.latitude), requireColumn(table, location.longitude)];
  const [lat, lng] = [degreesSql(latitude, dialect), degreesSql(longitude, dialect)];
  const number = (value: number) => dialect.floating(value, false);
  const { top, rows }: Pick<CellRange, "top" | "rows"> = cells ?? { top: 0, rows: count };
  const place: Place = { lat, lng, number, count, top, bottom: top + rows - 1 };
  return {
    count,
    cell: cells === null ? cellOfWorld(place, latitude, longitude, dialect) : cellOfView(place),
    needed: new Set([latitude, longitude, ...(measure === null ? [] : [requireColumn(table, measure.column)])]),
    polar:
      cells === null
        ? sql`count(*) filter (where ${lat} > ${number(mercatorLatitude)} or ${lat} < ${number(-mercatorLatitude)})`
        : sql`${sql.lit(0)}`,
    figures: measure === null ? [] : measureSql(table, measure, dialect),
  };
}

/** Of grouped rows that are cells rather than what has no place. */
export const isCell = sql<boolean>`cell >= 0`;

/** The texts of a cell: x, y, rows and, with a measure, how many rows have a value and the value. */
export const cellTexts = (count: number, measure: GridQuery["measure"], dialect: SqlDialect): readonly RawBuilder<unknown>[] => [
  dialect.asText(sql`cell % ${sql.lit(count)}`),
  dialect.asText(sql`cast((cell - cell % ${sql.lit(count)}) / ${sql.lit(count)} as bigint)`),
  dialect.asText(sql`cell_rows`),
  ...(measure === null ? [] : [dialect.asText(sql`counted`), sql`coalesce(figure, 'null')`]),
];

/** Rows in cells, those without a position, those that are no place, and those beyond the square map. */
export const cellSums = (only: RawBuilder<boolean> | null, dialect: SqlDialect): readonly RawBuilder<unknown>[] => {
  const where = (condition: RawBuilder<unknown>) => (only === null ? condition : sql`${condition} and ${only}`);
  return [
    sql`sum(cell_rows) filter (where ${where(isCell)})`,
    sql`sum(cell_rows) filter (where ${where(sql`cell = ${sql.lit(missing)}`)})`,
    sql`sum(cell_rows) filter (where ${where(sql`cell = ${sql.lit(outOfRange)}`)})`,
    sql`sum(polar) filter (where ${where(isCell)})`,
  ].map((sum) => dialect.asText(sql`coalesce(${sum}, 0)`));
};

/** Reads the rows of `compileGrid`. */
export function gridOf(rows: readonly TextRow[], { measure }: Pick<GridQuery, "measure">): GridResult {
  const figures = measure === null ? 0 : 2;
  const sum = (index: number): number => rows.reduce((total, row) => total + Number(row[3 + figures + index]), 0);
  const parts = rows.flatMap(([x = null, y = null, cellRows = null, ...others]) => {
    if (x === null || y === null || cellRows === null) return [];
    return [{ x, y, rows: cellRows, ...(measure === null ? {} : { counted: others[0] ?? "", value: others[1] ?? "" }) }];
  });
  const [placed, missingRows, outOfRangeRows, polar] = [sum(0), sum(1), sum(2), sum(3)];
  return { parts, placed, missing: missingRows, outOfRange: outOfRangeRows, polar };
}

/**
 * The rows of a view with some columns, in the dataset's order. Takes the first ones that it finds, because the caller wants all or none,
 * so that it stops early where there are many.
 */
export function compileGridRows(
  table: SqlTable,
  columns: readonly string[],
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions" | "limit">,
  dialect: SqlDialect,
): Compiled {
  const places = table.numbered.position.map((position, index) => ({ position, alias: sql.id(`fairway place ${index}`) }));
  const kept = [...new Set([...columns, ...table.orderBy.map(({ column }) => column)])].map((name) => named({ name }));
  const selected = sql.join([...kept, ...places.map(({ position, alias }) => sql`${position} as ${alias}`)], sql`, `);
  const found = sql`(select ${selected} from ${table.numbered.from}${whereSql(table, query, dialect)} limit ${dialect.rowCount(query.limit)}) as found`;
  const order = [...table.orderBy.map((key) => orderSql(table, key, dialect)), ...places.map(({ alias }) => alias)];
  return compileRaw(
    dialect.rows({
      columns: columns.map((name) => requireColumn(table, name)),
      from: found,
      where: sql``,
      order,
      offset: 0,
      limit: query.limit,
    }),
  );
}

/** The number of a row's cell among these cells; null of rows elsewhere. */
export function cellWithinSql(
  table: SqlTable,
  location: GridQuery["location"],
  { level, cells }: { readonly level: number; readonly cells: CellRange },
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const [latitude, longitude] = [requireColumn(table, location.latitude), requireColumn(table, location.longitude)];
  const [west, south, east, north] = cellBox(cells, level);
  const place: Place = {
    lat: degreesSql(latitude, dialect),
    lng: degreesSql(longitude, dialect),
    number: (value) => dialect.floating(value, false),
    count: cellsAcross(level),
    top: cells.top,
    bottom: cells.top + cells.rows - 1,
  };
  return sql`case when ${boxSql(latitude, longitude, { west, south, east, north }, dialect)} then ${cellOfView(place)} end`;
}

/** A row's coordinates as doubles, and what the cells are counted from. */
interface Place {
  readonly lat: RawBuilder<unknown>;
  readonly lng: RawBuilder<unknown>;
  readonly number: (value: number) => RawBuilder<unknown>;
  /** Cells from pole to pole, and around the Earth. */
  readonly count: number;
  /** The rows of cells that are asked for. */
  readonly top: number;
  readonly bottom: number;
}

/**
 * The number of a row's cell, from west to east and then from north to south. Multiplying by a power of two is exact and the division
 * rounds once, so that a column is exactly what comparing with its edges says. A row of cells is counted from the equator, which makes its
 * southern edge the one that belongs to it. Places beyond the square map, and those whose logarithm rounds across the view's edge, are in
 * the outermost rows that were asked for.
 */
function cellSql(place: Place): RawBuilder<unknown> {
  const { lat, number, count } = place;
  const sine = sql`sin(radians(${lat} + ${number(slack)}))`;
  const north = sql`floor(ln((1 + ${sine}) / (1 - ${sine})) * ${number(count)} / ${number(4 * Math.PI)})`;
  return inRow(sql`${number(count / 2 - 1)} - ${north}`, place);
}

/** The cell of a place beyond the latitudes of the square map, whose logarithm has no end. */
const polarCellSql = (place: Place): RawBuilder<unknown> =>
  inRow(sql`case when ${place.lat} > 0 then ${place.number(0)} else ${place.number(place.count - 1)} end`, place);

function inRow(row: RawBuilder<unknown>, { lng, number, count, top, bottom }: Place): RawBuilder<unknown> {
  if (count === 1) return sql`cast(0 as bigint)`;
  const y = sql`greatest(${number(top)}, least(${number(bottom)}, ${row}))`;
  const x = sql`floor(${lng} * ${number(count)} / ${number(360)}) + ${number(count / 2)} - case when ${lng} >= 180 then ${number(count)} else ${number(0)} end`;
  return sql`cast(${y} * ${number(count)} + ${x} as bigint)`;
}

const isOnMap = ({ lat, number }: Place): RawBuilder<unknown> =>
  sql`${lat} >= ${number(-mercatorLatitude)} and ${lat} <= ${number(mercatorLatitude)}`;

/** The cell of rows of a view, which are places. */
const cellOfView = (place: Place): RawBuilder<unknown> =>
  place.top > 0 && place.bottom < place.count - 1
    ? cellSql(place)
    : sql`case when ${isOnMap(place)} then ${cellSql(place)} else ${polarCellSql(place)} end`;

/** The cell of rows that are a place, and in place of it what the others are. Most rows need the first test only. */
const cellOfWorld = (place: Place, latitude: SqlColumn, longitude: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> =>
  sql`case when ${isOnMap(place)} and ${place.lng} >= -180 and ${place.lng} <= ${sql.lit(lastLongitude)} then ${cellSql(place)}
    when not (${isFiniteSql(latitude, dialect)} and ${isFiniteSql(longitude, dialect)}) then ${sql.lit(missing)}
    when ${isPlaceSql(latitude, longitude, dialect)} then ${polarCellSql(place)} else ${sql.lit(outOfRange)} end`;

function measureSql(table: SqlTable, measure: Aggregation, dialect: SqlDialect): readonly RawBuilder<unknown>[] {
  const column = requireColumn(table, measure.column);
  const value = comparable(column, dialect);
  const counted = column.storage.kind === "instant" ? sql`case when ${dialect.isInstant(named(column))} then ${value} end` : value;
  return [sql`count(${counted}) as counted`, sql`${aggregateSql(table, measure, undefined, dialect)} as figure`];
}

const list = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(parts, sql`, `);

/** The same after other columns. */
export const listed = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => (parts.length === 0 ? sql`` : sql`, ${list(parts)}`);
