import { isDay } from "@fairway/contract/columns";
import { calendarRanges } from "@fairway/contract/filters";
import { sql } from "kysely";
import type { AnsweredEntry } from "#query/breakdown.ts";
import { requireColumn } from "../compile.ts";
import { offsetSql } from "../conditions.ts";
import { named } from "../operators.ts";
import { zoneOffsets } from "../zone-offsets.ts";
import { noPlace, placedRows } from "./placed-rows.ts";
import { type AxisOf, type ResolvedAxis, type Resolving, searchOf } from "./resolved-axis.ts";

const slackMs = 2 * 86_400_000;

/** Every member of a part of time, whether or not it has rows. */
export function resolvePart(axis: AxisOf<"part">, { query, dialect }: Resolving): ResolvedAxis {
  const numbers = numbersOf(axis);
  const [first] = calendarRanges[axis.part];
  const zone = isDay(axis.column) ? "UTC" : axis.zone;
  return {
    found: numbers.length,
    failing: { groups: 0, rows: 0 },
    entries: [...numbers.map((number): AnsweredEntry => ({ kind: "part", number })), { kind: "empty" }],
    isCut: false,
    isOrdered: axis.order.measure === null && axis.order.direction === "asc",
    isPartition: true,
    rowsOf: (table, at, period) => {
      const column = requireColumn(table, axis.column.name);
      const range = searchOf(query, period).timeRange;
      const span = range?.column === column.name ? ([range.startMs - slackMs, range.endMs + slackMs] as const) : [];
      const local = sql`(${dialect.epochMs(named(column), column)} + ${offsetSql(column, zoneOffsets(zone, ...span), dialect)})`;
      const rows = placedRows(
        at,
        sql`coalesce(${dialect.calendarPart(axis.part, local)} - ${sql.lit(first)}, ${sql.lit(noPlace.empty)})`,
        { count: Infinity, empty: numbers.length },
        dialect,
      );
      const places = new Map(numbers.map((number, place) => [number - first, place]));
      return {
        ...rows,
        placeOf: (texts) => {
          const found = rows.placeOf(texts);
          return Number(texts[0] ?? noPlace.empty) < 0 ? found : places.get(found ?? noPlace.empty);
        },
      };
    },
  };
}

/** In their natural order; days of the week from the start of the week on. */
function numbersOf({ part, weekStart }: AxisOf<"part">): number[] {
  const [first, last] = calendarRanges[part];
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (part !== "dayOfWeek" || weekStart === "monday") return numbers;
  const from = weekStart === "sunday" ? 6 : 5;
  return [...numbers.slice(from), ...numbers.slice(0, from)];
}
