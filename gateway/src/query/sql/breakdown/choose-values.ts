import { sql } from "kysely";
import type { CellValue } from "@fairway/contract/search";
import type { AxisOrder, BreakdownCondition, BreakdownMeasure, BreakdownSearch } from "#query/breakdown.ts";
import type { TextRow } from "../column-values-read.ts";
import { type Compiled, compileRaw, requireColumn, whereSql } from "../compile.ts";
import { operatorSql } from "../operators.ts";
import type { SqlDialect, SqlTable } from "../table.ts";
import { readKey } from "./cell-text.ts";
import { keyOf } from "./keys.ts";
import { type MeasureColumns, measureColumns } from "./measures.ts";

/** Which groups of a column are named. */
export interface Choice {
  readonly column: string;
  readonly measures: readonly BreakdownMeasure[];
  readonly accuracy: "exact" | "estimate" | undefined;
  /** By the places of `measures`. */
  readonly having: readonly BreakdownCondition[];
  /** Decides which groups are named. */
  readonly best: AxisOrder;
  /** In which order they come. */
  readonly order: AxisOrder;
  readonly limit: number;
}

export interface ChosenGroup {
  readonly value: CellValue;
  readonly rows: number;
  readonly figures: readonly CellValue[];
}

export interface ChosenGroups {
  /** Groups with a value. */
  readonly found: number;
  readonly failing: { readonly groups: number; readonly rows: number };
  readonly named: readonly ChosenGroup[];
  /** Rows without a value. */
  readonly empty: ChosenGroup | undefined;
  /** All rows of the search. */
  readonly rows: number;
}

const classes = { named: 0, failing: 1, empty: 2 } as const;

/** One scan: groups by the value, of which the best are named, and how many there are of each kind. */
export function compileChoice(table: SqlTable, choice: Choice, search: BreakdownSearch, dialect: SqlDialect): Compiled {
  const key = keyOf(requireColumn(table, choice.column), dialect);
  const columns = measureColumns(table, choice.measures, choice.accuracy, dialect);
  const orderOf = ({ measure, direction }: AxisOrder) => {
    const isDescending = direction === "desc" ? sql` desc` : sql``;
    return measure === null ? sql`k${isDescending}` : sql`${columns.ranked(measure)}${isDescending} nulls last, k`;
  };
  const conditions = choice.having.map(
    ({ measure, operator, value }) => sql`${columns.ranked(measure)} ${operatorSql[operator].sql} ${dialect.floating(value, false)}`,
  );
  const passes = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const inputs = sql.join([sql`${key.value} as k`, ...columns.inputs], sql`, `);
  const aggregates = sql.join([sql`k`, sql`count(*) as n`, ...columns.aggregates], sql`, `);
  const ranked = (order: AxisOrder, name: string) => sql`row_number() over (partition by g order by ${orderOf(order)}) as ${sql.id(name)}`;
  const shown = sql.join(
    [
      ...[sql`g`, sql`groups`, sql`group_rows`].map((value) => dialect.asText(value)),
      dialect.cellJson(sql`k`, key.shown),
      dialect.asText(sql`n`),
      ...columns.shown,
    ],
    sql`, `,
  );
  const isNamed = sql`(g = ${sql.lit(classes.named)} and place <= ${sql.lit(choice.limit)})`;
  const isTold = sql`(g = ${sql.lit(classes.failing)} and place = 1)`;
  return compileRaw(sql`with inputs as (select ${inputs} from ${table.from}${whereSql(table, search, dialect)}),
    grouped as (select ${aggregates} from inputs group by k),
    judged as (select *, case when k is null then ${sql.lit(classes.empty)} when ${passes} then ${sql.lit(classes.named)} else ${sql.lit(classes.failing)} end as g from grouped),
    placed as (select *, ${ranked(choice.best, "place")}, ${ranked(choice.order, "shown place")},
      count(*) over (partition by g) as groups, sum(n) over (partition by g) as group_rows from judged)
    select ${shown} from placed where ${isNamed} or ${isTold} or g = ${sql.lit(classes.empty)} order by g, ${sql.id("shown place")}`);
}

export function readChoice(rows: readonly TextRow[], table: SqlTable, choice: Choice, dialect: SqlDialect): ChosenGroups {
  const { shown } = keyOf(requireColumn(table, choice.column), dialect);
  const columns: MeasureColumns = measureColumns(table, choice.measures, choice.accuracy, dialect);
  const groupOf = ([, , , key = null, n, ...texts]: TextRow): ChosenGroup => ({
    value: readKey(key, shown),
    rows: Number(n),
    figures: columns.read(texts),
  });
  const of = (wanted: number) => rows.filter(([g]) => Number(g) === wanted);
  const [named, [failing], [empty]] = [of(classes.named), of(classes.failing), of(classes.empty)];
  const counted = (row: TextRow | undefined) => ({ groups: Number(row?.[1] ?? 0), rows: Number(row?.[2] ?? 0) });
  const [passing, failed] = [counted(named[0]), counted(failing)];
  const emptyGroup = empty && groupOf(empty);
  return {
    found: passing.groups + failed.groups,
    failing: failed,
    named: named.map(groupOf),
    empty: emptyGroup,
    rows: passing.rows + failed.rows + (emptyGroup?.rows ?? 0),
  };
}
