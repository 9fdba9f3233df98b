import { type RawBuilder, sql } from "kysely";
import type { PathRequest, SearchQuery } from "#query/engine.ts";
import { type Compiled, compileRaw, orderSql, requireColumn, whereSql } from "./compile.ts";
import { comparable, hasInstant, named } from "./operators.ts";
import type { SqlDialect, SqlTable } from "./table.ts";

/**
 * One row per item: its newest. In DuckDB, finding each item's newest time first, so that everything else is read for a few
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
  const timed = sql<boolean>`${item} is not null and ${hasInstant(timeColumn, dialect)}`;
  const newestTimes = sql`select ${item}, max(${time}) from ${table.from}${whereSql(table, query, dialect, timed)} group by ${item}`;
  const first = [...table.orderBy.map((key) => orderSql(table, key, dialect)), ...table.numbered.position];
  const newest = dialect.newest({ item, time, timed, newestTimes, first });
  const keys = query.sort.length > 0 ? query.sort.map((key) => orderSql(table, key, dialect)) : [sql`${time} desc`];
  return compileRaw(
    dialect.rows({
      columns,
      from: table.numbered.from,
      where: whereSql(table, query, dialect, newest.where),
      keep: newest.keep,
      order: [...keys, ...table.numbered.position],
      offset: 0,
      limit: query.limit,
    }),
  );
}

/** A page of a path: one row per point. */
export function compilePath(
  table: SqlTable,
  request: PathRequest & { readonly columns: readonly string[] },
  query: Omit<SearchQuery, "sort">,
  dialect: SqlDialect,
): Compiled {
  const columns = request.columns.map((name) => requireColumn(table, name));
  const time = comparable(requireColumn(table, request.time), dialect);
  const order = [time, ...table.numbered.position];
  const within = interval(table, request, dialect);
  const isFirst = sql<boolean>`${within} is distinct from lag(${within}) over (order by ${sql.join(order, sql`, `)})`;
  const where = pointsSql(table, request, query, dialect);
  const keep = request.intervalMs === 0 ? {} : { keep: isFirst };
  return compileRaw(dialect.rows({ columns, from: table.numbered.from, where, ...keep, order, offset: query.offset, limit: query.limit }));
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
export function pointsSql(
  table: SqlTable,
  { time, location, item }: Pick<PathRequest, "time" | "location"> & { readonly item?: string },
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const present = [location.latitude, location.longitude, ...(item === undefined ? [] : [item])].map(
    (name) => sql`${comparable(requireColumn(table, name), dialect)} is not null`,
  );
  return whereSql(table, query, dialect, sql.join([hasInstant(requireColumn(table, time), dialect), ...present], sql` and `));
}

/** The index of a row's interval, counted from 1970 and negative before. */
function interval(table: SqlTable, { time, intervalMs }: PathRequest, dialect: SqlDialect): RawBuilder<unknown> {
  const column = requireColumn(table, time);
  const perUnit = column.type === "TIMESTAMP_SECONDS" ? 1_000 : 1;
  return sql`floor(${dialect.magnitude(named(column), column)} * ${sql.lit(perUnit)} / ${sql.lit(intervalMs)})`;
}
