import { type RawBuilder, sql } from "kysely";
import type { PathRequest, SearchQuery } from "#query/engine.ts";
import { type Compiled, compileRaw, orderSql, requireColumn, whereSql } from "./compile.ts";
import { comparable, named } from "./operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

/**
 * One JSON text per item: its newest row. Finding each item's newest time first, so that everything else is read for a few
 * rows only, takes a quarter of the time of numbering every item's rows. Decision 0050.
 */
export function compileLatest(
  table: SqlTable,
  by: { readonly item: string; readonly time: string },
  query: Omit<SearchQuery, "offset">,
  dialect: SqlDialect,
): Compiled {
  const timeColumn = requireColumn(table, by.time);
  const item = comparable(requireColumn(table, by.item), dialect);
  const time = comparable(timeColumn, dialect);
  const columns = [...table.columns.values()];
  const timed = sql`${item} is not null and ${hasInstant(timeColumn, dialect)}`;
  const newest = sql`select ${item}, max(${time}) from ${table.from}${whereSql(table, query, dialect, timed)} group by ${item}`;
  const where = whereSql(table, query, dialect, sql`${timed} and (${item}, ${time}) in (${newest})`);
  const first = [...table.orderBy.map((key) => orderSql(table, key, dialect)), ...table.numbered.position];
  // Not row_number(): DuckDB 1.5 rewrites `row_number() … = 1` into a plan that fails if the rows are sorted afterwards.
  const one = sql`rank() over (partition by ${item}${first.length === 0 ? sql`` : sql` order by ${sql.join(first, sql`, `)}`}) = 1`;
  const keys = query.sort.length > 0 ? query.sort.map((key) => orderSql(table, key, dialect)) : [sql`${time} desc`];
  const order = sql.join([...keys, ...table.numbered.position], sql`, `);
  return compileRaw(sql`select ${dialect.rowJson(columns)} from
    (select ${sql.join(columns.map(named), sql`, `)} from ${table.numbered.from}${where} qualify ${one} order by ${order} limit ${BigInt(query.limit)}) as page`);
}

/** A page of a path: one JSON text per point. */
export function compilePath(
  table: SqlTable,
  request: PathRequest & { readonly columns: readonly string[] },
  query: Omit<SearchQuery, "sort">,
  dialect: SqlDialect,
): Compiled {
  const columns = request.columns.map((name) => requireColumn(table, name));
  const time = comparable(requireColumn(table, request.time), dialect);
  const order = sql.join([time, ...table.numbered.position], sql`, `);
  const within = interval(table, request, dialect);
  const first = request.intervalMs === 0 ? sql`` : sql` qualify ${within} is distinct from lag(${within}) over (order by ${order})`;
  const page = sql`limit ${BigInt(query.limit)} offset ${BigInt(query.offset)}`;
  return compileRaw(sql`select ${dialect.rowJson(columns)} from
    (select ${sql.join(columns.map(named), sql`, `)} from ${table.numbered.from}${pointsSql(table, request, query, dialect)}${first} order by ${order} ${page}) as page`);
}

/** One row: the number of points of a path, as JSON text. */
export function compilePathCount(
  table: SqlTable,
  request: PathRequest,
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): Compiled {
  const count = request.intervalMs === 0 ? sql`count(*)` : sql`count(distinct ${interval(table, request, dialect)})`;
  return compileRaw(sql`select ${dialect.cellJson(count, "count")} from ${table.from}${pointsSql(table, request, query, dialect)}`);
}

/** ` where …`: rows with a time and a position. */
function pointsSql(
  table: SqlTable,
  { time, location }: PathRequest,
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const hasPosition = [location.latitude, location.longitude].map(
    (name) => sql`${comparable(requireColumn(table, name), dialect)} is not null`,
  );
  return whereSql(table, query, dialect, sql.join([hasInstant(requireColumn(table, time), dialect), ...hasPosition], sql` and `));
}

/** The index of a row's interval, counted from 1970 and negative before. */
function interval(table: SqlTable, { time, intervalMs }: PathRequest, dialect: SqlDialect): RawBuilder<unknown> {
  const column = requireColumn(table, time);
  const perUnit = column.type === "TIMESTAMP_SECONDS" ? 1_000 : 1;
  return sql`floor(${dialect.magnitude(named(column), column)} * ${sql.lit(perUnit)} / ${sql.lit(intervalMs)})`;
}

/** Whether a row has a finite time. */
function hasInstant(column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> {
  return column.storage.kind === "instant" ? dialect.isFinite(named(column)) : sql`${comparable(column, dialect)} is not null`;
}
