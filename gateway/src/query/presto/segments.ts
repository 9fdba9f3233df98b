import type { CellValue } from "@fairway/contract/search";
import { type RawBuilder, sql } from "kysely";
import type { ComparisonCondition, OrderKey, SearchQuery } from "#query/engine.ts";
import { type Compiled, compileRaw, requireColumn, whereSql } from "#query/sql/compile.ts";
import { comparable, comparisonSql } from "#query/sql/operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "#query/sql/table.ts";
import type { TextRow } from "#query/sql/column-values-read.ts";

type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

/** Consecutive rows of an order: those whose first sort value, as it is shown, is between two values of the data. */
export interface Segment {
  readonly rows: number;
  readonly low: CellValue;
  readonly high: CellValue;
  /** The same as doubles; null for texts. */
  readonly range: readonly [number, number] | null;
}

/** All rows of a search that have a first sort value, in order. Rows without one follow. */
export interface Segments {
  readonly key: OrderKey;
  readonly list: readonly Segment[];
}

/** Into how many segments one is divided at once. */
const parts = 1_000;
/** Texts have as many as there are different beginnings. */
export const maxTextParts = 10_000;

/** The first sort key. */
export const firstKey = (table: SqlTable, { sort }: Pick<SearchQuery, "sort">): OrderKey | undefined => sort[0] ?? table.orderBy[0];

/** All rows with a value as one segment. */
export function compileWhole(table: SqlTable, key: OrderKey, query: Narrowing, dialect: SqlDialect): Compiled {
  const column = requireColumn(table, key.column);
  const value = comparable(column, dialect);
  const where = whereSql(table, query, dialect, sql`${value} is not null`);
  return compileRaw(sql`select ${figures(value, magnitudeOf(value, column, dialect), column, dialect)} from ${table.from}${where}`);
}

/** The parts of a segment, ascending; null if it has only one value. `characters`: how many more of a text than those that its values share. */
export function compileParts(
  table: SqlTable,
  key: OrderKey,
  { low, high, range }: Segment,
  query: Narrowing,
  dialect: SqlDialect,
  characters: number,
): Compiled | null {
  if (low === high) return null;
  const column = requireColumn(table, key.column);
  const value = comparable(column, dialect);
  const within = [conditionOn(column, ">=", low), conditionOn(column, "<=", high)];
  const where = whereSql(table, { ...query, conditions: [...query.conditions, ...within] }, dialect, sql`${value} is not null`);
  const part = partOf(sql`v`, { low, high, range }, column, dialect, characters);
  const magnitude = magnitudeOf(sql`v`, column, dialect);
  return compileRaw(sql`select ${figures(sql`v`, magnitude, column, dialect)}
    from (select v, ${part} as part from (select ${value} as v from ${table.from}${where}) as matching) as divided
    group by part order by part limit ${dialect.rowCount(maxTextParts + 1)}`);
}

/** A function of the shown value that never decreases as the value grows. */
function partOf(
  value: RawBuilder<unknown>,
  { low, high, range }: Pick<Segment, "low" | "high" | "range">,
  column: SqlColumn,
  dialect: SqlDialect,
  characters: number,
): RawBuilder<unknown> {
  if (column.type === "BOOLEAN") return value;
  if (range === null) return dialect.leading(value, sharedCharacters(String(low), String(high)) + characters);
  const [from, to] = range;
  return sql`floor((${magnitudeOf(value, column, dialect)} - ${from}) / ${Math.max((to - from) / parts, Number.MIN_VALUE)})`;
}

function sharedCharacters(one: string, other: string): number {
  const [ours, theirs] = [Array.from(one), Array.from(other)];
  const different = ours.findIndex((character, at) => character !== theirs[at]);
  return different < 0 ? ours.length : different;
}

const isMeasured = ({ type }: SqlColumn): boolean => type !== "STRING" && type !== "BOOLEAN";

const magnitudeOf = (value: RawBuilder<unknown>, column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> | null =>
  isMeasured(column) ? dialect.magnitude(value, column) : null;

/** Five texts. */
function figures(
  value: RawBuilder<unknown>,
  magnitude: RawBuilder<unknown> | null,
  column: SqlColumn,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const extreme = (one: RawBuilder<unknown> | null, cell: "number" | SqlColumn) =>
    (["min", "max"] as const).map((name) => (one === null ? sql`null` : dialect.cellJson(sql`${sql.raw(name)}(${one})`, cell)));
  // Presto has no smallest boolean.
  const edges =
    column.type === "BOOLEAN"
      ? [sql`bool_and(${value})`, sql`bool_or(${value})`].map((edge) => dialect.cellJson(edge, column))
      : extreme(value, column);
  return sql.join([dialect.cellJson(sql`count(*)`, "count"), ...edges, ...extreme(magnitude, "number")], sql`, `);
}

/** Converts the result of both statements. */
export function segmentsOf(rows: readonly TextRow[]): Segment[] {
  return rows.flatMap(([count, low, high, from, to]) => {
    if (Number(count) === 0 || typeof low !== "string" || typeof high !== "string") return [];
    const range = typeof from === "string" && typeof to === "string" ? ([Number(from), Number(to)] as const) : null;
    return [{ rows: Number(count), low: JSON.parse(low) as CellValue, high: JSON.parse(high) as CellValue, range }];
  });
}

/**
 * The rows of some consecutive segments, from `first` to `last` inclusive. Segments meet: rows that have come since are in one
 * of them. The one after the last holds the rows without a value.
 */
export function segmentSql(
  table: SqlTable,
  { key, list }: Segments,
  first: number,
  last: number,
  dialect: SqlDialect,
): RawBuilder<boolean> | undefined {
  const column = requireColumn(table, key.column);
  const isEmpty = sql<boolean>`${comparable(column, dialect)} is null`;
  if (first >= list.length) return isEmpty;
  const start = first === 0 ? undefined : list[first];
  const next = list[last + 1];
  const [from, before] = key.direction === "asc" ? ([">=", "<"] as const) : (["<=", ">"] as const);
  const edge = ({ low, high }: Segment) => (key.direction === "asc" ? low : high);
  const bounds = [
    ...(start === undefined ? [] : [comparisonSql(column, conditionOn(column, from, edge(start)), dialect)]),
    ...(next === undefined ? [] : [comparisonSql(column, conditionOn(column, before, edge(next)), dialect)]),
  ];
  if (last >= list.length) return bounds.length === 0 ? undefined : sql<boolean>`(${sql.join(bounds, sql` and `)} or ${isEmpty})`;
  return bounds.length === 0 ? sql<boolean>`not ${isEmpty}` : sql<boolean>`${sql.join(bounds, sql` and `)}`;
}

/** A comparison with a value as it is shown. */
function conditionOn({ name, type }: SqlColumn, operator: ComparisonCondition["operator"], shown: CellValue): ComparisonCondition {
  const text = String(shown);
  switch (type) {
    case "integer":
    case "TIMESTAMP_MILLS":
      return { column: name, type, operator, value: BigInt(text) };
    case "TIMESTAMP_SECONDS":
      return { column: name, type, operator, value: BigInt(text) * 1_000n };
    case "decimal":
      return { column: name, type, operator, value: Number(text), digits: text };
    case "BOOLEAN":
      return { column: name, type, operator, value: shown === true };
    case "STRING":
      return { column: name, type, operator, value: text };
    default:
      return type satisfies never;
  }
}
