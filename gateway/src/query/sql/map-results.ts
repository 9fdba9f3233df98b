import { type RawBuilder, sql } from "kysely";
import type { PathAsk, SearchQuery } from "#query/engine.ts";
import { type Compiled, compileRaw, orderSql, requireColumn, whereSql } from "./compile.ts";
import { comparable, named } from "./operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

/**
 * One JSON text per item: its newest row. Each item's newest time is found first, so that everything else is read of few rows
 * only: a quarter of the time that numbering every item's rows takes. Decision 0050.
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
  const timed = sql`${item} is not null and ${hasMoment(timeColumn, dialect)}`;
  const newest = sql`select ${item}, max(${time}) from ${table.from}${whereSql(table, query, dialect, timed)} group by ${item}`;
  const where = whereSql(table, query, dialect, sql`${timed} and (${item}, ${time}) in (${newest})`);
  const first = [...table.orderBy.map((key) => orderSql(table, key, dialect)), ...table.numbered.position];
  // Not row_number(): DuckDB 1.5 turns `row_number() … = 1` into another plan, which fails where the rows are sorted afterwards.
  const one = sql`rank() over (partition by ${item}${first.length === 0 ? sql`` : sql` order by ${sql.join(first, sql`, `)}`}) = 1`;
  const keys = query.sort.length > 0 ? query.sort.map((key) => orderSql(table, key, dialect)) : [sql`${time} desc`];
  const order = sql.join([...keys, ...table.numbered.position], sql`, `);
  return compileRaw(sql`select ${dialect.rowJson(columns)} from
    (select ${sql.join(columns.map(named), sql`, `)} from ${table.numbered.from}${where} qualify ${one} order by ${order} limit ${BigInt(query.limit)}) as page`);
}

/** A page of a path: one JSON text per point. */
export function compilePath(
  table: SqlTable,
  ask: PathAsk & { readonly columns: readonly string[] },
  query: Omit<SearchQuery, "sort">,
  dialect: SqlDialect,
): Compiled {
  const columns = ask.columns.map((name) => requireColumn(table, name));
  const time = comparable(requireColumn(table, ask.time), dialect);
  const order = sql.join([time, ...table.numbered.position], sql`, `);
  const within = interval(table, ask, dialect);
  const first = ask.intervalMs === 0 ? sql`` : sql` qualify ${within} is distinct from lag(${within}) over (order by ${order})`;
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
  const placed = [place.latitude, place.longitude].map((name) => sql`${comparable(requireColumn(table, name), dialect)} is not null`);
  return whereSql(table, query, dialect, sql.join([hasMoment(requireColumn(table, time), dialect), ...placed], sql` and `));
}

/** The number of a row's interval since 1970, negative before. */
function interval(table: SqlTable, { time, intervalMs }: PathAsk, dialect: SqlDialect): RawBuilder<unknown> {
  const column = requireColumn(table, time);
  const perUnit = column.type === "TIMESTAMP_SECONDS" ? 1_000 : 1;
  return sql`floor(${dialect.magnitude(named(column), column)} * ${sql.lit(perUnit)} / ${sql.lit(intervalMs)})`;
}

/** Whether a row has a time that shows something: infinite ones do not. */
function hasMoment(column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> {
  return column.storage.kind === "instant" ? dialect.isFinite(named(column)) : sql`${comparable(column, dialect)} is not null`;
}
