import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, sql } from "kysely";
import type { Aggregation, AggregationGroup, ComparisonCondition, Condition, OrderKey, SearchQuery } from "#query/engine.ts";
import { EngineFailed } from "#query/engine.ts";
import { areaSql } from "./area.ts";
import { conditionParts } from "./conditions.ts";
import { comparable, figureSql, named } from "./operators.ts";
import { outOfRangeSql } from "./positions.ts";
import type { RowsSelect, SqlColumn, SqlDialect, SqlTable } from "./table.ts";
import { namesIn, withViews } from "./view-source.ts";

/** SQL text with placeholders `$1…` for its parameters: bigint, number, string or boolean. */
export interface Compiled {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

// Kysely only compiles here; the engines bring their own drivers.
const compiler = new Kysely<Record<string, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

export function compileRaw(statement: RawBuilder<unknown>): Compiled {
  const { sql, parameters } = withViews(statement).compile(compiler);
  return { sql, parameters };
}

type RowsQuery = Omit<SearchQuery, "limit"> & Pick<RowsSelect, "limit">;
type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

/** One page in a stable order, or every row without a limit. `only` is another condition. */
export function compileSearch(table: SqlTable, query: RowsQuery, dialect: SqlDialect, only?: RawBuilder<boolean>): Compiled {
  return compileRaw(dialect.rows(searchRows(table, query, dialect, only)));
}

/** The first rows in storage order: without a sort, the engine stops as soon as it has enough. */
export function compileSample(table: SqlTable, query: Pick<SearchQuery, "conditions" | "limit">, dialect: SqlDialect): Compiled {
  const where = whereSql(table, { timeRange: null, area: null, conditions: query.conditions }, dialect);
  const columns = [...table.columns.values()];
  return compileRaw(dialect.rows({ columns, from: table.from, where, order: [], offset: 0, limit: query.limit }));
}

/**
 * Every row of a search up to its limit as a SELECT of plain columns, for an engine that writes them itself. Omits the sort
 * if the file is already in that order, so the reader must read in file order.
 */
export function everyRowSql(table: SqlTable, query: Omit<SearchQuery, "offset">, dialect: SqlDialect): RawBuilder<unknown> {
  const keys = orderKeys(table, query.sort) ?? [];
  const needsSort = keys.length > 0;
  const by = [...keys.map((key) => orderSql(table, key, dialect)), ...table.numbered.position];
  const order = needsSort ? sql` order by ${sql.join(by, sql`, `)}` : sql``;
  const names = sql.join([...table.columns.values()].map(named), sql`, `);
  const from = needsSort ? table.numbered.from : table.from;
  return sql`select ${names} from ${from}${whereSql(table, query, dialect)}${order} limit ${dialect.rowCount(query.limit)}`;
}

/** The rows of a page in a stable order, or every row without a limit. */
export function searchRows(table: SqlTable, query: RowsQuery, dialect: SqlDialect, only?: RawBuilder<boolean>): RowsSelect {
  const keys = orderKeys(table, query.sort);
  const where = whereSql(table, query, dialect, only);
  const order = keys === null ? [] : [...keys.map((key) => orderSql(table, key, dialect)), ...table.numbered.position];
  return {
    columns: [...table.columns.values()],
    from: keys === null ? table.from : table.numbered.from,
    where,
    order,
    offset: query.offset,
    limit: query.limit,
    ...(query.limit === null || !dialect.derivesAfterPage ? {} : lateColumns(table, [where, ...order])),
  };
}

/** Derived columns by which rows are neither chosen nor sorted are made of the rows of the page only. */
function lateColumns({ columns, derived }: SqlTable, parts: readonly RawBuilder<unknown>[]): Pick<RowsSelect, "late"> {
  if (derived === undefined) return {};
  const early = new Set(parts.flatMap((part) => [...namesIn(part)]));
  const late = new Set([...columns.keys()].filter((name) => derived.has(name) && !early.has(name)));
  return late.size === 0 ? {} : { late: { has: (name) => late.has(name), over: derived.over } };
}

/**
 * One row: a JSON text per group and aggregation, ordered by group first. Without groups, the whole search is the only group.
 */
export function compileAggregate(
  table: SqlTable,
  aggregations: readonly Aggregation[],
  groups: readonly AggregationGroup[],
  query: Narrowing,
  dialect: SqlDialect,
): Compiled {
  const parts = groups.length === 0 ? [undefined] : groups.map((group) => narrowingSql(table, { ...group, area: null }, dialect));
  const values = parts.flatMap((part) => aggregations.map((one) => aggregateSql(table, one, part, dialect)));
  return compileRaw(sql`select ${sql.join(values, sql`, `)} from ${table.from}${whereSql(table, query, dialect)}`);
}

/** First and last moment of a column over the rows that match, as JSON texts in the column's unit. */
export function compileExtent(table: SqlTable, column: string, dialect: SqlDialect, conditions: readonly Condition[] = []): Compiled {
  const { name } = requireColumn(table, column);
  const [first, last] = (["min", "max"] as const).map((type) => aggregateSql(table, { type, column: name }, undefined, dialect));
  return compileRaw(
    sql`select ${first}, ${last} from ${table.from}${whereSql(table, { timeRange: null, area: null, conditions }, dialect)}`,
  );
}

export function aggregateSql(
  table: SqlTable,
  { type, column: name }: Aggregation,
  only: RawBuilder<boolean> | undefined,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const filter = only === undefined ? sql`` : sql` filter (where ${only})`;
  if (name === "*") return dialect.cellJson(sql`count(*)${filter}`, "count");
  const column = requireColumn(table, name);
  const value = comparable(column, dialect);
  switch (type) {
    case "count":
      return dialect.cellJson(sql`count(${value})${filter}`, "count");
    case "avg": {
      const figure = figureSql(sql`${dialect.average(value)}${filter}`, column);
      return dialect.cellJson(figure.value, figure.cell);
    }
    case "sum":
      return dialect.cellJson(sql`${dialect.sum(value, column)}${filter}`, sumCell(column));
    case "min":
      return dialect.cellJson(sql`min(${value})${filter}`, column);
    case "max":
      return dialect.cellJson(sql`max(${value})${filter}`, column);
    default:
      return type satisfies never;
  }
}

/** A sum may be wider than any of its values. */
const sumCell = (column: SqlColumn): "number" | SqlColumn =>
  column.storage.kind === "integer" || column.storage.kind === "exact-decimal"
    ? { ...column, storage: { ...column.storage, narrow: false } }
    : "number";

/** The keys to sort by before file order; null if the rows are stored in that order already. */
function orderKeys(table: SqlTable, requested: readonly OrderKey[]): readonly OrderKey[] | null {
  const own = table.orderBy.filter((key) => !requested.some((other) => other.column === key.column));
  // File order breaks the ties of a requested sort: sorting by another column would double the cost.
  const keys = requested.length > 0 && table.numbered.isFileOrder ? requested : [...requested, ...own];
  return table.storedOrder !== null && startsWith(table.storedOrder, keys) ? null : keys;
}

function startsWith(stored: readonly OrderKey[], keys: readonly OrderKey[]): boolean {
  return keys.every((key, index) => stored[index]?.column === key.column && stored[index].direction === key.direction);
}

// Empty values come last in both directions.
export function orderSql(table: SqlTable, { column, direction }: OrderKey, dialect: SqlDialect): RawBuilder<unknown> {
  const value = comparable(requireColumn(table, column), dialect);
  return direction === "asc" ? sql`${value} asc nulls last` : sql`${value} desc nulls last`;
}

/** ` where …` or nothing. `extra` is another condition, which comes last. */
export function whereSql(table: SqlTable, query: Narrowing, dialect: SqlDialect, extra?: RawBuilder<unknown>): RawBuilder<unknown> {
  const parts = [narrowingSql(table, query, dialect), extra].filter((part) => part !== undefined);
  return parts.length === 0 ? sql`` : sql` where ${sql.join(parts, sql` and `)}`;
}

/** Whether a row satisfies all conditions. */
export const everyConditionSql = (table: SqlTable, conditions: readonly Condition[], dialect: SqlDialect): RawBuilder<boolean> =>
  narrowingSql(table, { timeRange: null, area: null, conditions }, dialect) ?? sql<boolean>`true`;

/** Whether a row is one of them; undefined if all are. */
export function narrowingSql(
  table: SqlTable,
  { timeRange, area, conditions }: Narrowing,
  dialect: SqlDialect,
): RawBuilder<boolean> | undefined {
  const all: readonly Condition[] = [...(timeRange === null ? [] : rangeConditions(timeRange)), ...conditions];
  const parts = conditionParts(all, (name) => requireColumn(table, name), dialect);
  // Last, because it is the most expensive test and should only run for rows that pass the others.
  if (area !== null) {
    const [latitude, longitude] = [requireColumn(table, area.latitude), requireColumn(table, area.longitude)];
    parts.push(
      area.rings === "out-of-range" ? outOfRangeSql(latitude, longitude, dialect) : areaSql(latitude, longitude, area.rings, dialect),
    );
  }
  return parts.length === 0 ? undefined : sql<boolean>`${sql.join(parts, sql` and `)}`;
}

/** Whether there is a time range without an open end. */
export const hasBothEnds = (range: SearchQuery["timeRange"]): boolean => Number.isFinite(range?.startMs) && Number.isFinite(range?.endMs);

/** The bounds that a time range has. */
export function rangeConditions({ column, type, startMs, endMs }: NonNullable<SearchQuery["timeRange"]>): ComparisonCondition[] {
  const conditions: ComparisonCondition[] = [];
  if (Number.isFinite(startMs)) conditions.push({ column, type, operator: ">=", value: BigInt(startMs) });
  if (Number.isFinite(endMs)) conditions.push({ column, type, operator: "<=", value: BigInt(endMs) });
  return conditions;
}

export function requireColumn(table: SqlTable, name: string): SqlColumn {
  const column = table.columns.get(name);
  if (column === undefined) throw new EngineFailed("failed", "The dataset names a column that its data do not have.");
  return column;
}
