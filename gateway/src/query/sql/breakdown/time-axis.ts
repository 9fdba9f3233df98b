import { isDay } from "@fairway/contract/columns";
import { sql } from "kysely";
import type { AnsweredEntry, BreakdownSearch } from "#query/breakdown.ts";
import { compileRaw, everyConditionSql, requireColumn, whereSql } from "../compile.ts";
import { instantBounds, unitMs } from "../instants.ts";
import { comparable, named } from "../operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "../table.ts";
import { type TimeBucket, aboutBuckets, bucketsOf, datedMs } from "./calendar.ts";
import { keyOf } from "./keys.ts";
import { placeAmong } from "./pieces.ts";
import { noPlace, placedRows } from "./placed-rows.ts";
import { type AxisOf, type Period, type ResolvedAxis, type Resolving, searchOf } from "./resolved-axis.ts";
import { tooMany } from "./too-many.ts";

/** Times from one moment to another, exclusive; epoch milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** Buckets of time from the start of the range to its end, else from the first to the last row. */
export async function resolveTime(axis: AxisOf<"time">, resolving: Resolving): Promise<ResolvedAxis> {
  const { query, dialect } = resolving;
  const present = await bucketsIn(axis, "present", resolving);
  const before = query.before === null ? undefined : await bucketsIn(axis, "before", resolving);
  const entries: AnsweredEntry[] = [
    ...present.map(({ startMs, endMs, text }): AnsweredEntry => ({ kind: "time", startMs, endMs, text })),
    { kind: "outside" },
    { kind: "empty" },
  ];
  return {
    found: present.length,
    failing: { groups: 0, rows: 0 },
    entries,
    isCut: false,
    isOrdered: axis.order.measure === null && axis.order.direction === "asc",
    isPartition: true,
    ...(query.axes.length === 1 ? { maxListed: query.maxListed } : {}),
    ...(before === undefined ? {} : { pairedUntil: before.length }),
    rowsOf: (table, at, period) => {
      const column = requireColumn(table, axis.column.name);
      const buckets = period === "before" ? (before ?? []) : present;
      const starts = buckets.map(({ startMs }) => startMs);
      const place = placeAmong(column, starts, buckets.at(-1)?.endMs ?? 0, dialect);
      const counted = { count: present.length, outside: present.length, empty: present.length + 1 };
      return placedRows(at, datedSql(table, column, place, dialect), counted, dialect);
    },
  };
}

/** A number for rows with a time within the years 1 to 9999, else one of `noPlace`. */
export function datedSql(table: SqlTable, column: SqlColumn, place: ReturnType<typeof sql>, dialect: SqlDialect) {
  const hasTime = column.storage.kind === "instant" ? dialect.isInstant(named(column)) : sql`${comparable(column, dialect)} is not null`;
  const isDated = everyConditionSql(table, datedConditions(column), dialect);
  return sql`case when ${hasTime} then (case when ${isDated} then ${place} else ${sql.lit(noPlace.outside)} end) else ${sql.lit(noPlace.empty)} end`;
}

const datedConditions = ({ name, type }: Pick<SqlColumn, "name" | "type">): BreakdownSearch["conditions"] => [
  { column: name, type, operator: ">=", value: BigInt(datedMs.from) },
  { column: name, type, operator: "<", value: BigInt(datedMs.before) },
];

async function bucketsIn(axis: AxisOf<"time">, period: Period, resolving: Resolving): Promise<TimeBucket[]> {
  const { query } = resolving;
  const range = searchOf(query, period).timeRange;
  const span = rangeOf(axis.column, range);
  const found = span.fromMs === -Infinity || span.beforeMs === Infinity ? await rowsSpan(axis.column.name, period, resolving) : span;
  if (found === undefined) return [];
  const [fromMs, beforeMs] = [Math.max(span.fromMs, found.fromMs), Math.min(span.beforeMs, found.beforeMs)];
  const zone = isDay(axis.column) ? "UTC" : axis.zone;
  const about = aboutBuckets(axis, fromMs, beforeMs);
  if (about > 2 * query.maxCells) throw tooMany([about], query.maxCells);
  // Only the search's own bounds cut buckets.
  return bucketsOf(
    { ...axis, zone },
    span.fromMs === -Infinity ? fromMs : span.fromMs,
    span.beforeMs === Infinity ? beforeMs : span.beforeMs,
  )
    .map(({ startMs, endMs, text }) => ({ startMs: Math.max(startMs, span.fromMs), endMs: Math.min(endMs, span.beforeMs), text }))
    .filter(({ startMs, endMs }) => endMs > startMs);
}

/** The part of a column that a range leaves, in whole units of the column; unbounded for other columns than the range's. */
function rangeOf({ name, type }: AxisOf<"time">["column"], range: BreakdownSearch["timeRange"]): Span {
  if (range?.column !== name) return { fromMs: -Infinity, beforeMs: Infinity };
  const unit = unitMs(type);
  const edge = (operator: ">=" | "<=", ms: number, side: "from" | "before") => {
    if (!Number.isFinite(ms)) return ms;
    const bounds = instantBounds(operator, BigInt(ms), unit);
    return typeof bounds === "object" && "within" in bounds ? Number(bounds.within[side]) : ms;
  };
  const [fromMs, beforeMs] = [edge(">=", range.startMs, "from"), edge("<=", range.endMs, "before")];
  // Beyond the years that buckets are made of.
  return { fromMs: fromMs < datedMs.from ? -Infinity : fromMs, beforeMs: beforeMs > datedMs.before ? Infinity : beforeMs };
}

/** From the first row to the last one; undefined if no row has a time. */
export function rowsSpan(name: string, period: Period, { query, run, dialect }: Resolving): Promise<Span | undefined> {
  return run(
    (table) => {
      const column = requireColumn(table, name);
      const { value, shown } = keyOf(plainTime(column), dialect);
      const search = searchOf(query, period);
      const where = whereSql(table, { ...search, conditions: [...search.conditions, ...datedConditions(column)] }, dialect);
      return compileRaw(
        sql`select ${dialect.cellJson(sql`min(${value})`, shown)}, ${dialect.cellJson(sql`max(${value})`, shown)} from ${table.from}${where}`,
      );
    },
    ([[first = null, last = null] = []], table) => {
      if (first === null || last === null) return undefined;
      const unit = Number(unitMs(requireColumn(table, name).type));
      return { fromMs: Math.floor(Number(JSON.parse(first))) * unit, beforeMs: Math.floor(Number(JSON.parse(last))) * unit + unit };
    },
  );
}

/** Not rounded down to days. */
const plainTime = ({ name, type, storage }: SqlColumn): SqlColumn => ({ name, type, storage });
