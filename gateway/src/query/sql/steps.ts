import { sql } from "kysely";
import type { Aggregation, AggregationGroup, Condition, SearchQuery } from "#query/engine.ts";
import { type Compiled, aggregateSql, compileRaw, hasBothEnds, requireColumn, whereSql } from "./compile.ts";
import { instantBounds, unitMs } from "./instants.ts";
import { named } from "./operators.ts";
import type { SqlDialect, SqlTable } from "./table.ts";

/** Time groups that are steps of equal width, so that one division yields a row's group. Epoch milliseconds, half-open. */
export interface Steps {
  readonly time: NonNullable<AggregationGroup["timeRange"]>;
  readonly fromMs: bigint;
  readonly beforeMs: bigint;
  /** Start of step 0: `fromMs`, or earlier if the first group starts within its step. */
  readonly originMs: bigint;
  readonly widthMs: bigint;
  /** Each group's step. */
  readonly indexes: readonly number[];
}

/** Steps between groups are computed although not requested: at most this many per group. */
const stepsPerGroup = 8n;

/**
 * The groups as steps; undefined if they have conditions of their own, overlap, or differ in width. The first group may start
 * and the last one end within a step, because the time range cuts them.
 */
export function stepsOf(groups: readonly AggregationGroup[]): Steps | undefined {
  const spans = groups.map(spanOf);
  const [first] = spans;
  if (first === undefined || !spans.every((span) => span !== undefined)) return undefined;
  const fromMs = minOf(spans.map((span) => span.from));
  const beforeMs = -minOf(spans.map((span) => -span.before));
  const widest = spans.reduce((wide, span) => (span.before - span.from > wide.before - wide.from ? span : wide));
  const widthMs = widest.before - widest.from;
  if (widthMs <= 0n || beforeMs - fromMs > widthMs * stepsPerGroup * BigInt(groups.length)) return undefined;
  // Rounded up: whole steps back from the widest group to the one that contains the start.
  const originMs = widest.from - ((widest.from - fromMs + widthMs - 1n) / widthMs) * widthMs;
  const indexes: number[] = [];
  for (const { from, before } of spans) {
    const index = (from - originMs) / widthMs;
    const start = originMs + index * widthMs;
    const isWhole = (from === start || from === fromMs) && (before === start + widthMs || before === beforeMs);
    if (!isWhole || before > start + widthMs || before <= from) return undefined;
    indexes.push(Number(index));
  }
  return { time: first.time, fromMs, beforeMs, originMs, widthMs, indexes };
}

/** One row per non-empty step: the step's index as text, then a JSON text per aggregation. */
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

/** Rounded to whole units of the column, because values are compared as shown. */
function spanOf({ timeRange, conditions }: AggregationGroup) {
  if (timeRange === null || conditions.length > 0 || !hasBothEnds(timeRange)) return undefined;
  const unit = unitMs(timeRange.type);
  const from = edgeOf(instantBounds(">=", BigInt(timeRange.startMs), unit), "from");
  const before = edgeOf(instantBounds("<=", BigInt(timeRange.endMs), unit), "before");
  return from === undefined || before === undefined ? undefined : { time: timeRange, from, before };
}

const edgeOf = (bounds: ReturnType<typeof instantBounds>, edge: "from" | "before"): bigint | undefined =>
  typeof bounds === "object" && "within" in bounds ? bounds.within[edge] : undefined;

const minOf = (values: readonly bigint[]): bigint => values.reduce((min, value) => (value < min ? value : min));
