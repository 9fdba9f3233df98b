import { type RawBuilder, sql } from "kysely";
import { endsOf, isComparison } from "#query/conditions.ts";
import type { CalendarCondition, ComparisonCondition, Condition, ListCondition, Operand, PlainCondition } from "#query/engine.ts";
import { decimalText, exactBound, exactDigits } from "./exact-numbers.ts";
import { dayMs, instantBounds, unitMs } from "./instants.ts";
import { comparable, comparisonSql, named } from "./operators.ts";
import { boxSql } from "./positions.ts";
import type { SqlColumn, SqlDialect } from "./table.ts";
import { type ZoneOffset, zoneOffsets } from "./zone-offsets.ts";

type Part = RawBuilder<boolean>;
type ColumnOf = (name: string) => SqlColumn;

/** Moments between which the rows of a column lie, in epoch milliseconds. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}
const anyTime: Span = { fromMs: -Infinity, toMs: Infinity };

/** The SQL of conditions that all have to hold. Values are always parameters. */
export function conditionParts(conditions: readonly Condition[], columnOf: ColumnOf, dialect: SqlDialect): Part[] {
  return conditions.map((condition) => conditionSql(condition, conditions, columnOf, dialect));
}

/** `together`: conditions that the same rows satisfy. */
function conditionSql(condition: Condition, together: readonly Condition[], columnOf: ColumnOf, dialect: SqlDialect): Part {
  if (condition.operator === "any") {
    const lists = condition.lists.map((list) => {
      const inList = [...together.filter((one) => one !== condition), ...list];
      return sql`(${sql.join(
        list.map((one) => conditionSql(one, inList, columnOf, dialect)),
        sql` and `,
      )})`;
    });
    return sql<boolean>`(${sql.join(lists, sql` or `)})`;
  }
  if (condition.operator === "within") return boxSql(columnOf(condition.latitude), columnOf(condition.longitude), condition, dialect);
  const column = columnOf(condition.column);
  if (isComparison(condition)) return comparisonSql(column, condition, dialect);
  const positive = positiveSql(column, condition, together, dialect);
  return condition.operator.startsWith("not ") ? negation(column, condition, positive, dialect) : positive;
}

/**
 * Rows without a value satisfy it unless the list names them: for them the positive is null or false. Of NaN, Presto takes `not (a < b)`
 * for `a >= b`, which is false as well.
 */
function negation(column: SqlColumn, condition: PlainCondition, positive: Part, dialect: SqlDialect): Part {
  const negated = sql<boolean>`coalesce(not ${positive}, true)`;
  const { type, storage } = column;
  const hasNaN = storage.kind === "floating" && !storage.finite && type !== "STRING";
  if (!hasNaN || (condition.operator === "not in" && condition.empty)) return negated;
  return sql<boolean>`(not ${dialect.isFinite(named(column))} or ${negated})`;
}

/** A condition without its `not`, in parentheses. */
function positiveSql(
  column: SqlColumn,
  condition: Exclude<PlainCondition, ComparisonCondition>,
  together: readonly Condition[],
  dialect: SqlDialect,
): Part {
  switch (condition.operator) {
    case "in":
    case "not in":
      return anyOf([
        ...valuesSql(column, condition, dialect),
        ...(condition.empty ? [sql<boolean>`${comparable(column, dialect)} is null`] : []),
      ]);
    case "between":
    case "not between": {
      const [low, high] = endsOf(condition);
      return sql<boolean>`(${comparisonSql(column, low, dialect)} and ${comparisonSql(column, high, dialect)})`;
    }
    case "contains":
    case "not contains":
      return sql<boolean>`(${dialect.contains(comparable(column, dialect), condition.value)})`;
    case "starts with":
    case "not starts with":
      return sql<boolean>`(${dialect.startsWith(comparable(column, dialect), condition.value)})`;
    case "when":
    case "not when":
      return calendarSql(column, condition, spanOf(condition.column, together), dialect);
    default:
      return condition satisfies never;
  }
}

const anyOf = (parts: readonly Part[]): Part =>
  parts.length === 0 ? sql<boolean>`(false)` : sql<boolean>`(${sql.join(parts, sql` or `)})`;

/** Tests for equality with one of the values; none for values that the column cannot hold. */
function valuesSql(column: SqlColumn, condition: ListCondition, dialect: SqlDialect): Part[] {
  if (column.type === "TIMESTAMP_SECONDS" || column.type === "TIMESTAMP_MILLS") return instantsSql(column, condition, dialect);
  const { storage } = column;
  const exact: bigint[] = [];
  const others: Operand["value"][] = [];
  for (const { value, digits } of condition.values) {
    if (storage.kind !== "integer" && storage.kind !== "exact-decimal") {
      others.push(value);
      continue;
    }
    const text = exactDigits(storage, value, digits);
    if (text === undefined) {
      others.push(value);
      continue;
    }
    const bound = exactBound(storage, "=", text);
    if (typeof bound !== "string") exact.push(bound.scaled);
  }
  const isFloating = storage.kind === "floating" && column.type !== "STRING";
  const zero = isFloating && others.some((value) => Number(value) === 0);
  const parameter = (value: Operand["value"]) => {
    if (isFloating) return dialect.floating(Number(value), storage.single);
    return typeof value === "bigint" ? dialect.integer(value) : sql`${value}`;
  };
  return [
    ...inSql(
      named(column),
      [...new Set(exact)].map((scaled) =>
        storage.kind === "exact-decimal"
          ? dialect.exactDecimal(decimalText(scaled, storage.scale), storage.digits, storage.scale)
          : dialect.integer(scaled, storage.kind === "integer" ? storage.width : undefined),
      ),
    ),
    ...inSql(
      isFloating ? named(column) : comparable(column, dialect),
      [...new Set(others)].filter((value) => !zero || Number(value) !== 0).map(parameter),
    ),
    ...(zero ? [comparisonSql(column, { column: column.name, type: column.type, operator: "=", value: 0 }, dialect)] : []),
  ];
}

const inSql = (left: RawBuilder<unknown>, values: readonly RawBuilder<unknown>[]): Part[] =>
  values.length === 0 ? [] : [sql<boolean>`${left} in (${sql.join(values, sql`, `)})`];

/**
 * Times as they are shown: a value stands for a whole unit of the column. The range of all comes first, by which engines skip what they
 * need not read; within it, units are counted from the first one.
 */
function instantsSql(column: SqlColumn, { values, day }: ListCondition, dialect: SqlDialect): Part[] {
  const { type, storage } = column;
  const unit = unitMs(type);
  const width = day === true ? dayMs : unit;
  const starts = [...new Set(values.map(({ value }) => BigInt(value)))]
    .filter((ms) => instantBounds("=", ms, width) !== "nothing")
    .sort((one, other) => (one < other ? -1 : 1));
  const [first] = starts;
  const last = starts.at(-1);
  if (first === undefined || last === undefined) return [];
  const equal = (operator: "=" | ">=" | "<=", value: bigint) =>
    comparisonSql(column, { column: column.name, type, operator, value, ...(day === true ? { day } : {}) }, dialect);
  if (first === last) return [sql<boolean>`(${equal("=", first)})`];
  if (storage.kind === "instant" && storage.days === true) {
    const midnights = starts.filter((ms) => ms % dayMs === 0n);
    return inSql(
      named(column),
      midnights.map((ms) => dialect.instant(ms, storage)),
    );
  }
  if (storage.kind === "integer" && width === unit) {
    return inSql(
      named(column),
      starts.map((ms) => dialect.integer(ms / unit)),
    );
  }
  const isWithin = sql`${equal(">=", first)} and ${equal("<=", last)}`;
  const step = dialect.step(named(column), column, first / unit, width / unit);
  const steps = starts.map((ms) => dialect.integer((ms - first) / width));
  return [sql<boolean>`(${isWithin} and case when ${isWithin} then ${step} in (${sql.join(steps, sql`, `)}) else false end)`];
}

/** The local time is the moment plus the offset of the zone, which is found by halving the changes between the rows' first and last time. */
function calendarSql(column: SqlColumn, { part, zone, numbers }: CalendarCondition, span: Span, dialect: SqlDialect): Part {
  const offset = offsetSql(column, zoneOffsets(zone, span.fromMs, span.toMs), dialect);
  const local = sql`(${dialect.epochMs(named(column), column)} + ${offset})`;
  const wanted = [...new Set(numbers)].map((number) => sql.lit(number));
  return sql<boolean>`(${dialect.calendarPart(part, local)} in (${sql.join(wanted, sql`, `)}))`;
}

/** Milliseconds that a zone adds to the times of a column. Halving takes nine comparisons for all changes of three centuries. */
export function offsetSql(column: SqlColumn, offsets: readonly ZoneOffset[], dialect: SqlDialect): RawBuilder<unknown> {
  const [first = { offsetMs: 0 }] = offsets;
  if (offsets.length <= 1) return sql`${sql.lit(first.offsetMs)}`;
  const middle = offsets.length >> 1;
  const { fromMs } = offsets[middle] ?? { fromMs: 0 };
  const [before, after] = [offsets.slice(0, middle), offsets.slice(middle)].map((half) => offsetSql(column, half, dialect));
  const isBefore = comparisonSql(column, { column: column.name, type: column.type, operator: "<", value: BigInt(fromMs) }, dialect);
  return sql`case when ${isBefore} then ${before} else ${after} end`;
}

/** Slack for values that are stored with more digits than are compared, and for whole days. */
const slackMs = 2 * Number(dayMs);

/** The moments that conditions on the same rows leave for a column. */
function spanOf(name: string, conditions: readonly Condition[]): Span {
  const ends = conditions.flatMap((condition): readonly ComparisonCondition[] => {
    if (condition.operator === "any" || condition.operator === "within" || condition.column !== name) return [];
    if (condition.operator === "between") return endsOf(condition);
    return isComparison(condition) ? [condition] : [];
  });
  let { fromMs, toMs } = anyTime;
  for (const { operator, value } of ends) {
    if (typeof value !== "bigint") continue;
    if (operator === "=" || operator === ">" || operator === ">=") fromMs = Math.max(fromMs, Number(value) - slackMs);
    if (operator === "=" || operator === "<" || operator === "<=") toMs = Math.min(toMs, Number(value) + slackMs);
  }
  return { fromMs, toMs };
}
