import { type RawBuilder, sql } from "kysely";
import type { SearchQuery, TracksRequest } from "#query/engine.ts";
import { type Compiled, compileRaw, requireColumn } from "./compile.ts";
import { cellWithinSql } from "./grid.ts";
import { comparable, named } from "./operators.ts";
import { westward } from "./positions.ts";
import type { SqlDialect, SqlTable } from "./table.ts";
import { maxTrackRows, partSql, peakColumn, pointParts, rowsOfPeaks, spansSql, trackColumns } from "./tracks.ts";

type Part = RawBuilder<unknown>;

/** Rows that a group of rows may show. */
const shownRows = ["first", "least", "greatest"] as const;
type ShownRow = (typeof shownRows)[number];
const nothingShown = shownRows.length;

/**
 * Tracks whose rows have values, or that are refined in a view. Each item's rows are grouped by parts of its own time, and these by the
 * cells of the view; of each group only its first row and those of its extremes are kept, so that nothing but groups is sorted. Where the
 * points do not suffice, rows of cells are left out, those of every part evenly. Decision 1303.
 */
export function compileDetailedTracks(
  table: SqlTable,
  request: TracksRequest,
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): Compiled {
  const { refined } = request;
  const { item, instant, moment, lat, lng, isTextual, where } = pointParts(table, request, query, dialect);
  const columns = trackColumns(table, request);
  const [itemColumn, timeColumn, latitudeColumn, longitudeColumn, ...valueColumns] = columns;
  const peak = peakColumn(table, request);
  const spans = spansSql(table, request, { item, moment, where }, dialect, peak === undefined ? 1 : rowsOfPeaks);
  const values = valueColumns.map((column, index) => ({
    name: alias(`value_${index}`),
    sql: comparable(requireColumn(table, column.name), dialect),
  }));
  const selected = [
    sql`${item} as item, ${instant} as instant, ${moment} as moment, ${lat} as lat, ${lng} as lng`,
    ...values.map((value) => sql`${value.sql} as ${value.name}`),
    ...(peak === undefined ? [] : [sql`${comparable(peak, dialect)} as peak`]),
    ...(refined === undefined ? [] : [sql`${cellWithinSql(table, request.location, refined, dialect)} as cell`]),
  ];
  const placed = sql`select ${list(selected)} from ${table.from}${where}`;
  const cell = refined === undefined ? [] : [sql`cell`];
  const shown = [alias("instant"), alias("lat"), alias("lng"), ...values.map(({ name }) => name)];
  const kept = [...shown, ...(peak === undefined ? [] : [sql`peak`]), ...cell];
  // Presto does not group by an expression of parameters that names columns.
  const parted = sql`select placed.item, ${partSql} as part, ${list(kept)} from (${placed}) as placed join (${spans}) as spans on placed.item = spans.item`;
  const rowsOf = (row: ShownRow, end: "least" | "greatest", by: Part): Part[] =>
    [...shown, ...(peak === undefined ? [] : [sql`peak`])].map(
      (name, index) => sql`${dialect.valueAt(end, name, by)} as ${of(row, index)}`,
    );
  const rows = [
    ...rowsOf("first", "least", sql`instant`),
    ...(peak === undefined ? [] : [...rowsOf("least", "least", sql`peak`), ...rowsOf("greatest", "greatest", sql`peak`)]),
  ];
  const keys = list([sql`item`, sql`part`, ...cell]);
  const grouped = sql`select ${keys}, ${list(rows)} from (${parted}) as parted group by ${keys}`;
  const groups =
    refined === undefined ? sql`(${grouped}) as grouped` : sql`(${rankedSql(grouped, shown.length, peak !== undefined)}) as ranked`;
  const { from, which } = shownSql(groups, { peakAt: peak === undefined ? null : shown.length, isRefined: refined !== undefined }, dialect);
  const valueOf = (index: number): Part =>
    peak === undefined
      ? of("first", index)
      : sql`case when ${which} = 0 then ${of("first", index)} when ${which} = 1 then ${of("least", index)} else ${of("greatest", index)} end`;
  const east = valueOf(2);
  const order = sql.id("fairway order");
  const names = [itemColumn, timeColumn, latitudeColumn, longitudeColumn, ...valueColumns].flatMap((column) =>
    column === undefined ? [] : [named(column)],
  );
  const results = [sql`item`, valueOf(0), valueOf(1), isTextual ? east : westward(east), ...values.map((_, index) => valueOf(3 + index))];
  const placeInOrder =
    refined === undefined
      ? []
      : [sql`case when ${isOfPartSql(peak === undefined ? null : shown.length, which)} then 1 else place end as ${order}`];
  const tracks = sql`select ${list([...results.map((value, index) => sql`${value} as ${names[index]}`), ...placeInOrder])} from ${from}`;
  return compileRaw(
    dialect.rows({
      columns,
      from: sql`(${tracks}) as tracks`,
      where: sql``,
      order: refined === undefined ? [] : [order],
      offset: 0,
      limit: maxTrackRows(request) + 1,
    }),
  );
}

/** Numbers the groups of each part by time, and by their least and greatest values. */
function rankedSql(grouped: Part, peakAt: number, hasPeak: boolean): Part {
  const [firstAt, least, greatest] = [of("first", 0), of("least", peakAt), of("greatest", peakAt)];
  const numbered = (order: Part) => sql`row_number() over (partition by item, part order by ${order}${firstAt}, cell)`;
  const ranks = [
    sql`${numbered(sql``)} as place`,
    ...(hasPeak
      ? [
          sql`${numbered(sql`${least} asc nulls last, `)} as least_place`,
          sql`${numbered(sql`${greatest} desc nulls last, `)} as greatest_place`,
        ]
      : []),
  ];
  return sql`select *, ${list(ranks)} from (${grouped}) as grouped`;
}

/** The groups, repeated for each row that they show, and the number of the row. Rows that the group shows already are not shown again. */
function shownSql(
  groups: Part,
  { peakAt, isRefined }: { readonly peakAt: number | null; readonly isRefined: boolean },
  dialect: SqlDialect,
): { readonly from: Part; readonly which: Part } {
  const showsFirst = isRefined ? sql`(place = 1 or cell is not null)` : sql`true`;
  if (peakAt === null) return { from: sql`${groups} where ${showsFirst}`, which: sql.lit(0) };
  const [first, least, greatest] = shownRows.map((row) => of(row, peakAt)) as [Part, Part, Part];
  const differs = (value: Part) => sql`(not ${showsFirst} or ${first} is distinct from ${value})`;
  const isOwn = (place: Part) => (isRefined ? sql` and ${place} = 1` : sql``);
  const showsLeast = sql`(${least} is not null and ${differs(least)}${isOwn(sql`least_place`)})`;
  const showsGreatest = sql`(${greatest} is not null and ${differs(greatest)}${isOwn(sql`greatest_place`)} and not (${showsLeast} and ${least} = ${greatest}))`;
  const which = sql.id("fairway shown");
  const numbers = [showsFirst, showsLeast, showsGreatest].map((isShown, index) => sql`case when ${isShown} then ${sql.lit(index)} end`);
  const each = dialect.eachOf(numbers, nothingShown, which, "fairway rows");
  return { from: sql`${groups} cross join ${each} where ${which} < ${sql.lit(nothingShown)}`, which };
}

/** Whether a row is among those of its part rather than of a cell only. Those come first where the points do not suffice. */
function isOfPartSql(peakAt: number | null, which: Part): Part {
  if (peakAt === null) return sql`place = 1`;
  const [first, least, greatest] = shownRows.map((row) => of(row, peakAt)) as [Part, Part, Part];
  return sql`${which} > 0 or place = 1 or (least_place = 1 and ${first} = ${least}) or (greatest_place = 1 and ${first} = ${greatest})`;
}

const alias = (name: string): Part => sql`${sql.id(name)}`;

/** A column of one of the rows that a group shows. */
const of = (row: ShownRow, index: number): Part => alias(`${row}_${index}`);

const list = (parts: readonly Part[]): Part => sql.join(parts, sql`, `);
