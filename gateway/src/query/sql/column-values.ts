import { histogramSteps, maxValues } from "@fairway/contract/column-values";
import { type RawBuilder, sql } from "kysely";
import type { SearchQuery } from "#query/engine.ts";
import { type Compiled, compileRaw, requireColumn, whereSql } from "./compile.ts";
import { comparable } from "./operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

/**
 * One row per value: its JSON text, the number of scanned rows that hold it, and the number of scanned rows that match. Without
 * `rows`, all rows are scanned.
 */
export function compileSuggest(
  table: SqlTable,
  request: { readonly column: string; readonly contains: string; readonly rows: number | null },
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): Compiled {
  const column = requireColumn(table, request.column);
  const value = comparable(column, dialect);
  const isPresent = sql`${value} is not null`;
  const matches =
    request.contains === "" ? isPresent : sql`${isPresent} and ${dialect.contains(textOf(value, column, dialect), request.contains)}`;
  const first = request.rows === null ? sql`` : sql` limit ${dialect.rowCount(request.rows)}`;
  const where = whereSql(table, query, dialect, matches);
  return compileRaw(sql`with scanned as (select ${value} as v from ${table.from}${where}${first}),
    counted as (select v, count(*) as n from scanned group by v)
    select ${dialect.cellJson(sql`v`, column)}, cast(n as varchar), cast(sum(n) over () as varchar) from counted
    order by n desc, v limit ${dialect.rowCount(maxValues.suggestions)}`);
}

/**
 * Rows of five texts, the first of which is the kind:
 * `figures`, rows, empty, distinct, range as `[min, max]` in JSON · `top`, JSON value, rows · `step`, index, rows.
 * Values are grouped once; everything else is computed from the groups.
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
    (select v, n from grouped where v is not null order by n desc, v limit ${dialect.rowCount(maxValues.top)}) as best`;
  const steps = stepsSql(column, dialect);
  return compileRaw(sql`with grouped as${dialect.materialized ?? sql``}
    (select ${comparable(column, dialect)} as v, count(*) as n from ${table.from}${whereSql(table, query, dialect)} group by 1)
    ${figures} union all ${top}${steps === null ? sql`` : sql` union all ${steps}`}`);
}

/** A comparable value as text. */
const textOf = (value: RawBuilder<unknown>, { type, storage }: SqlColumn, dialect: SqlDialect) =>
  dialect.asText(value, type === "STRING" ? undefined : storage);

/** The number of rows in each histogram step, whose width is the contract's `stepWidth`. Null if values are not numeric. */
function stepsSql(column: SqlColumn, dialect: SqlDialect): RawBuilder<unknown> | null {
  if (column.type === "STRING" || column.type === "BOOLEAN") return null;
  const x = dialect.magnitude(sql`v`, column);
  const width =
    column.type === "decimal"
      ? sql`coalesce(nullif((high - low) / ${sql.lit(histogramSteps)}, 0), 1)`
      : sql`greatest(1, ceil((high - low + 1) / ${sql.lit(histogramSteps)}))`;
  return sql`select 'step', cast(step as varchar), cast(sum(n) as varchar), null, null from
    (select least(${sql.lit(histogramSteps - 1)}, cast(floor((x - low) / ${width}) as integer)) as step, n
     from (select ${x} as x, n, min(${x}) over () as low, max(${x}) over () as high from grouped where v is not null) as placed
     where ${dialect.isFinite(sql`high - low`)}) as stepped
    group by step`;
}
