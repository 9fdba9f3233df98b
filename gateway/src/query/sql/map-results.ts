import { type RawBuilder, sql } from "kysely";
import type { PathAsk, SearchQuery } from "#query/engine.ts";
import { type Compiled, compileRaw, orderSql, requireColumn, whereSql } from "./compile.ts";
import { comparable, named } from "./operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

/** One JSON text per item: its newest row. */
export function compileLatest(
  table: SqlTable,
  by: { readonly item: string; readonly time: string },
  query: Omit<SearchQuery, "offset">,
  dialect: SqlDialect,
): Compiled {
  const item = comparable(requireColumn(table, by.item), dialect);
  const time = shownTime(requireColumn(table, by.time), dialect);
  const columns = [...table.columns.values()];
  const where = whereSql(table, query, dialect, sql`${item} is not null and ${time} is not null`);
  const own = table.orderBy.map((key) => orderSql(table, key, dialect));
  const newest = sql.join([sql`${time} desc`, ...own, ...table.numbered.position], sql`, `);
  const keys = query.sort.length > 0 ? query.sort.map((key) => orderSql(table, key, dialect)) : [sql`${time} desc`];
  const order = sql.join([...keys, ...table.numbered.position], sql`, `);
  return compileRaw(sql`select ${dialect.rowJson(columns)} from
    (select ${sql.join(columns.map(named), sql`, `)} from ${table.numbered.from}${where}
      qualify row_number() over (partition by ${item} order by ${newest}) = 1 order by ${order} limit ${BigInt(query.limit)}) as page`);
}

/** A page of a path: one JSON text per point. */
export function compilePath(
  table: SqlTable,
  ask: PathAsk & { readonly columns: readonly string[] },
  query: Omit<SearchQuery, "sort">,
  dialect: SqlDialect,
): Compiled {
  const columns = ask.columns.map((name) => requireColumn(table, name));
  const time = shownTime(requireColumn(table, ask.time), dialect);
  const order = sql.join([time, ...table.numbered.position], sql`, `);
  const first =
    ask.intervalMs === 0 ? sql`` : sql` qualify row_number() over (partition by ${interval(table, ask, dialect)} order by ${order}) = 1`;
  const page = sql`limit ${BigInt(query.limit)} offset ${BigInt(query.offset)}`;
  return compileRaw(sql`select ${dialect.rowJson(columns)} from
    (select ${sql.join(columns.map(named), sql`, `)} from ${table.numbered.from}${pointsSql(table, ask, query, dialect)}${first} order by ${order} ${page}) as page`);
}

/** One row: how many points a path has, as JSON text. */
export function compilePathCount(
  table: SqlTable,
  ask: PathAsk,
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): Compiled {
  const count = ask.intervalMs === 0 ? sql`count(*)` : sql`count(distinct ${interval(table, ask, dialect)})`;
  return compileRaw(sql`select ${dialect.cellJson(count, "count")} from ${table.from}${pointsSql(table, ask, query, dialect)}`);
}

/** ` where …`: rows with a time and a place. */
function pointsSql(
  table: SqlTable,
  { time, place }: PathAsk,
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const values = [place.latitude, place.longitude].map((name) => comparable(requireColumn(table, name), dialect));
  const needed = [shownTime(requireColumn(table, time), dialect), ...values].map((value) => sql`${value} is not null`);
  return whereSql(table, query, dialect, sql.join(needed, sql` and `));
}

/** The number of a row's interval since 1970, negative before. */
function interval(table: SqlTable, { time, intervalMs }: PathAsk, dialect: SqlDialect): RawBuilder<unknown> {
  const column = requireColumn(table, time);
  const perUnit = column.type === "TIMESTAMP_SECONDS" ? 1_000 : 1;
  return sql`floor(${dialect.magnitude(named(column), column)} * ${sql.lit(perUnit)} / ${sql.lit(intervalMs)})`;
}

/** A time as it is compared; empty where it shows nothing, as infinite ones do. */
function shownTime(column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> {
  if (column.storage.kind !== "instant") return comparable(column, dialect);
  return sql`case when ${dialect.isFinite(named(column))} then ${named(column)} end`;
}
