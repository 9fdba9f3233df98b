import type { CellValue } from "@fairway/contract/search";
import { plainConditions } from "#query/conditions.ts";
import { type Aggregation, type AggregationGroup, EngineFailed, type PlainCondition, type SearchQuery } from "#query/engine.ts";
import type { TextRow } from "./column-values-read.ts";
import { type Compiled, compileAggregate } from "./compile.ts";
import { type Steps, compileSteps, stepsOf } from "./steps.ts";
import type { SqlDialect, SqlTable } from "./table.ts";

/** Groups are split into several scans above this, because every comparison runs for every row of its scan. */
const comparisonsPerScan = 200;

/** Each time this many comparisons are added, a scan costs as much more as an ordinary search. */
const comparisonsPerWeight = 20;

/** One scan of the data that computes some of the groups. */
export interface AggregateScan {
  readonly weight: number;
  readonly compile: (table: SqlTable) => Compiled;
  /** Converts the result rows to the values of each group. */
  readonly read: (rows: readonly TextRow[]) => CellValue[][];
}

/**
 * The scans that compute all groups, in order: a single GROUP BY if the groups are time steps, otherwise as many scans as the
 * comparisons need. Throws `too-much` if the groups take more than `maxComparisons`.
 */
export function aggregateScans(
  aggregations: readonly Aggregation[],
  groups: readonly AggregationGroup[],
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  maxComparisons: number,
  dialect: SqlDialect,
): readonly AggregateScan[] {
  const steps = stepsOf(groups);
  if (steps !== undefined) {
    return [
      {
        weight: 1 + aggregations.length / comparisonsPerWeight,
        compile: (table) => compileSteps(table, aggregations, steps, query, dialect),
        read: (rows) => valuesOfSteps(rows, aggregations, steps),
      },
    ];
  }
  const comparisons = groups.reduce((sum, group) => sum + comparisonsOf(group, aggregations), 0);
  if (comparisons > maxComparisons) {
    const message = `These groups take ${comparisons} comparisons for every row; one call may take ${maxComparisons}. Ask for fewer groups, filters or aggregations.`;
    throw new EngineFailed("too-much", message);
  }
  return splitIntoScans(groups, aggregations).map((scan) => ({
    weight: 1 + scan.reduce((sum, group) => sum + comparisonsOf(group, aggregations), 0) / comparisonsPerWeight,
    compile: (table) => compileAggregate(table, aggregations, scan, query, dialect),
    read: ([row = []]) => {
      const cells = cellsOf(row);
      const starts = Array.from({ length: cells.length / aggregations.length }, (_, index) => index * aggregations.length);
      return starts.map((start) => cells.slice(start, start + aggregations.length));
    },
  }));
}

/** Every aggregation evaluates all conditions of its group; a time range counts as one condition. */
const comparisonsOf = ({ timeRange, conditions }: AggregationGroup, aggregations: readonly Aggregation[]): number =>
  aggregations.length *
  Math.max(
    1,
    plainConditions(conditions).reduce((sum, one) => sum + comparisonsIn(one), timeRange === null ? 0 : 1),
  );

/** A list is looked up, so that ten of its values take about as long as a comparison. */
const comparisonsIn = (condition: PlainCondition): number => ("values" in condition ? 1 + Math.floor(condition.values.length / 10) : 1);

/** Parses a row of JSON texts. */
export const cellsOf = (row: TextRow): CellValue[] => row.map((text) => (text === null ? null : (JSON.parse(text) as CellValue)));

function valuesOfSteps(rows: readonly TextRow[], aggregations: readonly Aggregation[], { indexes }: Steps): CellValue[][] {
  const valuesByStep = new Map(rows.map(([index, ...values]) => [Number(index), cellsOf(values)]));
  const empty = aggregations.map(({ type }) => (type === "count" ? 0 : null));
  return indexes.map((index) => valuesByStep.get(index) ?? empty);
}

/** Groups in order, as many per scan as the limit allows, but at least one. No groups means one scan of all rows. */
function splitIntoScans(
  groups: readonly AggregationGroup[],
  aggregations: readonly Aggregation[],
): readonly (readonly AggregationGroup[])[] {
  const scans: AggregationGroup[][] = [[]];
  let comparisons = 0;
  for (const group of groups) {
    const added = comparisonsOf(group, aggregations);
    if (comparisons > 0 && comparisons + added > comparisonsPerScan) {
      scans.push([]);
      comparisons = 0;
    }
    scans.at(-1)?.push(group);
    comparisons += added;
  }
  return scans;
}
