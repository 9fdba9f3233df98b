import { type RawBuilder, sql } from "kysely";
import type { AnsweredEntry } from "#query/breakdown.ts";
import { everyConditionSql } from "../compile.ts";
import type { SqlTable } from "../table.ts";
import { noPlace, placedRows } from "./placed-rows.ts";
import type { AxisOf, ResolvedAxis, Resolving } from "./resolved-axis.ts";

/** Groups made by users. Where a row may be in several, it is repeated for each of them. */
export function resolveGroups(axis: AxisOf<"groups">, { dialect }: Resolving): ResolvedAxis {
  const { groups, match, other } = axis;
  const conditionsOf = (table: SqlTable) => groups.map((conditions) => everyConditionSql(table, conditions, dialect));
  const entries: AnsweredEntry[] = [
    ...groups.map((_, index): AnsweredEntry => ({ kind: "group", index })),
    ...(other ? [{ kind: "other", count: null } as const] : []),
  ];
  const counted = { count: groups.length, other: other ? groups.length : undefined };
  return {
    found: groups.length,
    failing: { groups: 0, rows: 0 },
    entries,
    isCut: false,
    isOrdered: axis.order.measure === null && axis.order.direction === "asc",
    isPartition: match === "first",
    rowsOf: (table, at) => {
      const conditions = conditionsOf(table);
      if (match === "first") return placedRows(at, firstOf(conditions), counted, dialect);
      const place = sql`${sql.id(`fairway place ${at}`)}`;
      return {
        ...placedRows(at, place, counted, dialect),
        from: dialect.eachOf(placesOf(conditions), noPlace.other, place, `fairway group ${at}`),
      };
    },
  };
}

const firstOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`case ${sql.join(
    conditions.map((condition, place) => sql`when ${condition} then ${sql.lit(place)}`),
    sql` `,
  )} else ${sql.lit(noPlace.other)} end`;

const placesOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown>[] =>
  conditions.map((condition, place) => sql`case when ${condition} then ${sql.lit(place)} end`);
