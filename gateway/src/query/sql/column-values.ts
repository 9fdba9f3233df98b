import { histogramSteps, mostValues } from "@fairway/contract/column-values";
import { type RawBuilder, sql } from "kysely";
import type { SearchQuery } from "#query/engine.ts";
import { type Compiled, compileRaw, requireColumn, whereSql } from "./compile.ts";
import { comparable } from "./operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

/** One row per value: its JSON text, in how many of the rows met first it stands, and how many of those there were. */
export function compileSuggest(
  table: SqlTable,
  ask: { readonly column: string; readonly contains: string; readonly rows: number },
  query: Pick<SearchQuery, "timeRange" | "conditions">,
  dialect: SqlDialect,
): Compiled {
  const column = requireColumn(table, ask.column);
  const value = comparable(column, dialect);
  const fitting = sql`${value} is not null and ${dialect.contains(dialect.asText(value), ask.contains)}`;
  const where = whereSql(table, { ...query, area: null }, dialect, fitting);
  return compileRaw(sql`with met as (select ${value} as v from ${table.from}${where} limit ${BigInt(ask.rows)}),
    counted as (select v, count(*) as n from met group by v)
    select ${dialect.cellJson(sql`v`, column)}, cast(n as varchar), cast(sum(n) over () as varchar) from counted
    order by n desc, v limit ${BigInt(mostValues.suggestions)}`);
}

/**
 * Rows of five texts, the first naming the kind:
 * `figures`, rows, empty, distinct, range as `[min, max]` of JSON · `top`, JSON value, rows · `step`, place, rows.
 * Values are grouped once; everything else is asked of the groups.
 */
export function compileProfile(
  table: SqlTable,
  name: string,
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): Compiled {
  const column = requireColumn(table, name);
  const text = (value: RawBuilder<unknown>) => sql`cast(${value} as varchar)`;
  const cell = dialect.cellJson(sql`v`, column);
  const figures = sql`select 'figures', ${text(sql`coalesce(sum(n), 0)`)}, ${text(sql`coalesce(sum(n) filter (where v is null), 0)`)},
    ${text(sql`count(v)`)}, '[' || coalesce(${dialect.cellJson(sql`min(v)`, column)}, 'null') || ',' || coalesce(${dialect.cellJson(sql`max(v)`, column)}, 'null') || ']' from grouped`;
  const top = sql`select 'top', ${cell}, ${text(sql`n`)}, null, null from
    (select v, n from grouped where v is not null order by n desc, v limit ${BigInt(mostValues.top)}) as best`;
  const steps = stepsSql(column, dialect);
  return compileRaw(sql`with grouped as materialized
    (select ${comparable(column, dialect)} as v, count(*) as n from ${table.from}${whereSql(table, query, dialect)} group by v)
    ${figures} union all ${top}${steps === null ? sql`` : sql` union all ${steps}`}`);
}

/** How many rows in each step; the width is the contract's `stepWidth`. Null where values are not on a line. */
function stepsSql(column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> | null {
  if (column.type === "STRING" || column.type === "BOOLEAN") return null;
  const x = dialect.magnitude(sql`v`, column);
  const width =
    column.type === "decimal"
      ? sql`coalesce(nullif((high - low) / ${sql.lit(histogramSteps)}, 0), 1)`
      : sql`greatest(1, ceil((high - low + 1) / ${sql.lit(histogramSteps)}))`;
  return sql`select 'step', cast(place as varchar), cast(sum(n) as varchar), null, null from
    (select least(${sql.lit(histogramSteps - 1)}, cast(floor((x - low) / ${width}) as integer)) as place, n
     from (select ${x} as x, n, min(${x}) over () as low, max(${x}) over () as high from grouped where v is not null) as placed) as stepped
    group by place`;
}
