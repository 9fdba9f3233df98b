import { isTimestamp } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { type RawBuilder, sql } from "kysely";
import type { BreakdownMeasure } from "#query/breakdown.ts";
import { everyConditionSql, requireColumn } from "../compile.ts";
import { comparable, figureSql } from "../operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "../table.ts";
import { readCell } from "./cell-text.ts";
import { keyOf } from "./keys.ts";

type Value = RawBuilder<unknown>;
type Accuracy = "exact" | "estimate" | undefined;
type Aggregated = Extract<BreakdownMeasure, { aggregation: string }>;

/** An aggregate over rows: what it needs of each row, its SQL over that, and how its value is shown. */
interface Part {
  readonly value: Value | undefined;
  readonly only: Value | undefined;
  readonly aggregate: (value: Value, filter: Value, only: Value | undefined) => Value;
  readonly cell: "count" | "number" | SqlColumn;
}

/** The aggregates of all measures, as columns of the statements of a breakdown. */
export interface MeasureColumns {
  /** Columns `v0`, `f0` … of each row, for the inner SELECT. */
  readonly inputs: readonly Value[];
  /** Columns `a0` … of each group of rows with the inputs. */
  readonly aggregates: readonly Value[];
  /** Columns of JSON texts, where the aggregates are named. */
  readonly shown: readonly Value[];
  /** The number by which groups are ordered and tested; share only where `a0` … are those of all groups. */
  readonly ranked: (measure: number) => Value;
  /** The first aggregate of a measure that is not derived. */
  readonly part: (measure: number) => Value;
  /** Shares are still the part itself, and derived measures null. */
  readonly read: (texts: readonly (string | null)[]) => CellValue[];
}

/** Beyond this, the sum of squares of many rows could overflow, which fails the whole query. */
const deviationLimit = 1e145;

export function measureColumns(
  table: SqlTable,
  measures: readonly BreakdownMeasure[],
  accuracy: Accuracy,
  dialect: SqlDialect,
  /** Of `shown`, `ranked` and `part`: the first letter of the names of aggregates. */
  letter: "a" | "b" = "a",
): MeasureColumns {
  const isEstimated = estimates(accuracy, dialect);
  const partsOf = measures.map((measure) => ("derived" in measure ? [] : measureParts(table, measure, isEstimated, dialect)));
  const parts = partsOf.flat();
  const starts = partsOf.map((_, index) => partsOf.slice(0, index).flat().length);
  const a = (index: number) => sql`${sql.id(`${letter}${index}`)}`;
  const double = (value: Value) => dialect.asDouble(value);

  const ranked = (measure: number): Value => {
    const what = measures[measure];
    const start = starts[measure] ?? 0;
    if (what === undefined) throw new Error("there is no such measure");
    if ("derived" in what) return derivedSql(what.derived, double(ranked(what.from[0])), double(ranked(what.from[1])));
    if (what.aggregation === "share") return sql`(100 * ${double(a(start))} / nullif(${double(sql`sum(${a(start)}) over ()`)}, 0))`;
    if (what.aggregation === "rate") return sql`(100 * ${double(a(start))} / nullif(${double(a(start + 1))}, 0))`;
    const cell = parts[start]?.cell;
    const isFloating = cell === "number" || (typeof cell === "object" && cell.storage.kind === "floating");
    if (!isFloating) return a(start);
    // Infinite averages are shown as none, and Presto orders -0 before 0.
    return sql`case when ${a(start)} = 0 then abs(${a(start)}) when ${dialect.isFinite(double(a(start)))} then ${a(start)} end`;
  };

  return {
    inputs: parts.flatMap(({ value, only }, index) => [
      ...(value === undefined ? [] : [sql`${value} as ${sql.id(`v${index}`)}`]),
      ...(only === undefined ? [] : [sql`${only} as ${sql.id(`f${index}`)}`]),
    ]),
    aggregates: parts.map(({ only, aggregate }, index) => {
      const counted = only === undefined ? undefined : sql`${sql.id(`f${index}`)}`;
      const filter = counted === undefined ? sql`` : sql` filter (where ${counted})`;
      return sql`${aggregate(sql`${sql.id(`v${index}`)}`, filter, counted)} as ${sql.id(`a${index}`)}`;
    }),
    shown: parts.map(({ cell }, index) => dialect.cellJson(a(index), cell)),
    ranked,
    part: (measure) => a(starts[measure] ?? 0),
    read: (texts) => {
      const values = parts.map(({ cell }, index) => readCell(texts[index] ?? null, isExactCell(cell)));
      const found: CellValue[] = [];
      measures.forEach((measure, index) => {
        if ("derived" in measure) return;
        const start = starts[index] ?? 0;
        found[index] = measure.aggregation === "rate" ? rateOf(values[start], values[start + 1]) : (values[start] ?? null);
      });
      return measures.map((_, index) => found[index] ?? null);
    },
  };
}

const estimates = (accuracy: Accuracy, dialect: SqlDialect): boolean =>
  accuracy === undefined ? dialect.estimates : accuracy === "estimate";

/** Whether a measure is an estimate, or derived from one. */
export function isEstimatedMeasure(measures: readonly BreakdownMeasure[], index: number, accuracy: Accuracy, dialect: SqlDialect): boolean {
  const measure = measures[index];
  if (measure === undefined || !estimates(accuracy, dialect)) return false;
  if ("derived" in measure) return measure.from.some((from) => isEstimatedMeasure(measures, from, accuracy, dialect));
  return measure.aggregation === "distinct" || measure.aggregation === "median" || measure.aggregation === "percentile";
}

const isExactCell = (cell: Part["cell"]): boolean =>
  typeof cell === "object" && (cell.storage.kind === "integer" || cell.storage.kind === "exact-decimal");

function measureParts(table: SqlTable, measure: Aggregated, isEstimated: boolean, dialect: SqlDialect): Part[] {
  const { aggregation, p, where } = measure;
  const only = where === null ? undefined : everyConditionSql(table, where, dialect);
  const column = measure.column === null ? undefined : requireColumn(table, measure.column.name);
  const value = column && comparable(column, dialect);
  const part = (aggregate: Part["aggregate"], cell: Part["cell"], input: Value | undefined = value): Part => ({
    value: input,
    only,
    aggregate,
    cell,
  });
  const count = (): Part =>
    value === undefined ? part((_, filter) => sql`count(*)${filter}`, "count") : part((v, filter) => sql`count(${v})${filter}`, "count");
  const number = (aggregate: Part["aggregate"]): Part => part(aggregate, "number", value && dialect.asDouble(value));
  /** Of a figure that lies between the values. */
  const between = (of: SqlColumn, aggregate: Part["aggregate"], input: Value | undefined = value): Part =>
    part((v, filter, counted) => figureSql(aggregate(v, filter, counted), of).value, figureSql(sql``, of).cell, input);
  switch (aggregation) {
    case "count":
      return [count()];
    case "share":
      return [column === undefined ? count() : sumPart(column, part, dialect)];
    case "rate":
      return [count(), { ...count(), only: undefined }];
    case "sum":
      return column === undefined ? [] : [sumPart(column, part, dialect)];
    case "distinct":
      return [
        part(
          (v, filter) => (isEstimated ? sql`${dialect.approximateDistinct(v)}${filter}` : sql`count(distinct ${v})${filter}`),
          "count",
          column && keyOf(column, dialect).value,
        ),
      ];
    case "avg":
      return column === undefined ? [] : [between(column, (v, filter) => sql`${dialect.average(v)}${filter}`)];
    case "median":
    case "percentile": {
      if (column === undefined || value === undefined) return [];
      const rank = aggregation === "median" ? 0.5 : p;
      return isEstimated
        ? [between(column, (v, filter) => sql`${dialect.approximatePercentile(v, rank)}${filter}`, dialect.asDouble(value))]
        : [between(column, (v, _filter, counted) => dialect.percentile(v, rank, counted), dialect.percentileValue(value, column))];
    }
    case "stddev":
      return [
        number((v, filter) => {
          const limit = sql.lit(deviationLimit);
          return sql`case when max(abs(${v}))${filter} < ${limit} then stddev_samp(case when abs(${v}) < ${limit} then ${v} end)${filter} end`;
        }),
      ];
    case "min":
    case "max": {
      if (column === undefined) return [];
      const extreme = aggregation === "min" ? sql`min` : sql`max`;
      const isTime = isTimestamp(column.type) && column.storage.kind === "instant";
      const { value: key, shown } = isTime
        ? keyOf({ name: column.name, type: column.type, storage: column.storage }, dialect)
        : { value, shown: column };
      return [part((v, filter) => sql`${extreme}(${v})${filter}`, shown, key)];
    }
    default:
      return aggregation satisfies never;
  }
}

/** A sum may be wider than any of its values. */
function sumPart(column: SqlColumn, part: (aggregate: Part["aggregate"], cell: Part["cell"]) => Part, dialect: SqlDialect): Part {
  const { storage } = column;
  const isExact = storage.kind === "integer" || storage.kind === "exact-decimal";
  const cell = isExact ? { ...column, storage: { ...storage, narrow: false } } : "number";
  return part((v, filter) => sql`${dialect.sum(v, column)}${filter}`, cell);
}

function derivedSql(derived: Extract<BreakdownMeasure, { derived: string }>["derived"], one: Value, other: Value): Value {
  switch (derived) {
    case "ratio":
      return sql`(case when coalesce(${other}, 0) = 0 then 0 else ${one} / ${other} end)`;
    case "ratio-percent":
      return sql`(case when coalesce(${other}, 0) = 0 then 0 else 100 * ${one} / ${other} end)`;
    case "product":
      return sql`(${one} * ${other})`;
    case "sum":
      return sql`(${one} + ${other})`;
    case "delta":
      return sql`(${one} - ${other})`;
    default:
      return derived satisfies never;
  }
}

const rateOf = (matching: CellValue | undefined, rows: CellValue | undefined): CellValue =>
  Number(rows ?? 0) === 0 ? null : (100 * Number(matching)) / Number(rows);
