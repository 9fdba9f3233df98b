import { sql } from "kysely";
import type { Aggregation, AggregationGroup, Condition, SearchQuery } from "#query/engine.ts";
import { type Compiled, aggregateSql, compileRaw, requireColumn, whereSql } from "./compile.ts";
import { instantBounds, unitMs } from "./instants.ts";
import { named } from "./operators.ts";
import type { SqlDialect, SqlTable } from "./table.ts";

/** Groups of time that are steps of one width, so that one division tells a row's group. Epoch milliseconds, half-open. */
export interface Steps {
  readonly time: NonNullable<AggregationGroup["timeRange"]>;
  readonly fromMs: bigint;
  readonly beforeMs: bigint;
  /** Where step 0 begins: at `fromMs`, or before it where the first group begins within its step. */
  readonly originMs: bigint;
  readonly widthMs: bigint;
  /** Each group's step. */
  readonly places: readonly number[];
}

/** Steps between groups that nobody asks for are worked out, too: not more than this many for each group. */
const stepsPerGroup = 8n;

/**
 * The steps that these groups are; undefined where they are none: where they have conditions of their own, overlap, or differ in
 * width. The first group may begin within its step and the last one end within its own, as ranges cut them.
 */
export function stepsOf(groups: readonly AggregationGroup[]): Steps | undefined {
  const spans = groups.map(spanOf);
  const [first] = spans;
  if (first === undefined || !spans.every((span) => span !== undefined)) return undefined;
  const fromMs = least(spans.map((span) => span.from));
  const beforeMs = -least(spans.map((span) => -span.before));
  const widest = spans.reduce((wide, span) => (span.before - span.from > wide.before - wide.from ? span : wide));
  const widthMs = widest.before - widest.from;
  if (widthMs <= 0n || beforeMs - fromMs > widthMs * stepsPerGroup * BigInt(groups.length)) return undefined;
  // From a whole step back to the one that holds the start; rounded up.
  const originMs = widest.from - ((widest.from - fromMs + widthMs - 1n) / widthMs) * widthMs;
  const places: number[] = [];
  for (const { from, before } of spans) {
    const place = (from - originMs) / widthMs;
    const start = originMs + place * widthMs;
    const isWhole = (from === start || from === fromMs) && (before === start + widthMs || before === beforeMs);
    if (!isWhole || before > start + widthMs || before <= from) return undefined;
    places.push(Number(place));
  }
  return { time: first.time, fromMs, beforeMs, originMs, widthMs, places };
}

/** A row per step that holds rows: the step's number as text, then a JSON text per aggregation. */
export function compileSteps(
  table: SqlTable,
  aggregations: readonly Aggregation[],
  steps: Steps,
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  dialect: SqlDialect,
): Compiled {
  const { time } = steps;
  const column = requireColumn(table, time.column);
  const within: Condition[] = [
    { column: time.column, type: time.type, operator: ">=", value: steps.fromMs },
    { column: time.column, type: time.type, operator: "<", value: steps.beforeMs },
  ];
  const where = whereSql(table, { ...query, conditions: [...query.conditions, ...within] }, dialect);
  const unit = unitMs(column.type);
  const step = dialect.step(named(column), column, steps.originMs / unit, steps.widthMs / unit);
  const values = aggregations.map((one) => aggregateSql(table, one, undefined, dialect));
  return compileRaw(sql`select ${sql.join([dialect.asText(step), ...values], sql`, `)} from ${table.from}${where} group by ${step}`);
}

/** In whole units of the column: what its values show decides. */
function spanOf({ timeRange, conditions }: AggregationGroup) {
  if (timeRange === null || conditions.length > 0) return undefined;
  const unit = unitMs(timeRange.type);
  const from = edgeOf(instantBounds(">=", BigInt(timeRange.startMs), unit), "from");
  const before = edgeOf(instantBounds("<=", BigInt(timeRange.endMs), unit), "before");
  return from === undefined || before === undefined ? undefined : { time: timeRange, from, before };
}

const edgeOf = (bounds: ReturnType<typeof instantBounds>, edge: "from" | "before"): bigint | undefined =>
  typeof bounds === "object" && "within" in bounds ? bounds.within[edge] : undefined;

const least = (values: readonly bigint[]): bigint => values.reduce((low, value) => (value < low ? value : low));
