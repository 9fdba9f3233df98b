import type { CellValue } from "@fairway/contract/search";
import { type Aggregation, type AggregationGroup, EngineFailed, type SearchQuery } from "#query/engine.ts";
import { type Compiled, compileAggregate } from "#query/sql/compile.ts";
import { type Steps, compileSteps, stepsOf } from "#query/sql/steps.ts";
import type { SqlTable } from "#query/sql/table.ts";
import type { TextRow } from "./column-values.ts";
import { duckDbDialect } from "./dialect.ts";

/** Comparisons of one scan; more groups go in several, because every one is made for every row of its scan. */
const comparisonsPerScan = 200;

/** So many comparisons more make a scan as much work again as an ordinary search. */
const comparisonsPerWeight = 20;

/** A scan of the data that answers some of the groups. */
export interface AggregateScan {
  readonly weight: number;
  readonly compile: (table: SqlTable) => Compiled;
  /** The values of each of its groups. */
  readonly read: (rows: readonly TextRow[]) => CellValue[][];
}

/**
 * The scans that answer all groups, in their order: one grouped scan where the groups are steps of time, else as many as it
 * takes to look at every group for every row. Throws `too-much` where the groups take more comparisons than `maxComparisons`.
 */
export function aggregateScans(
  aggregations: readonly Aggregation[],
  groups: readonly AggregationGroup[],
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  maxComparisons: number,
): readonly AggregateScan[] {
  const steps = stepsOf(groups);
  if (steps !== undefined) {
    return [
      {
        weight: 1 + aggregations.length / comparisonsPerWeight,
        compile: (table) => compileSteps(table, aggregations, steps, query, duckDbDialect),
        read: (rows) => valuesOfSteps(rows, aggregations, steps),
      },
    ];
  }
  const comparisons = groups.reduce((sum, group) => sum + comparisonsOf(group, aggregations), 0);
  if (comparisons > maxComparisons) {
    const message = `These groups take ${comparisons} comparisons for every row; one call may take ${maxComparisons}. Ask for fewer groups, filters or aggregations.`;
    throw new EngineFailed("too-much", message);
  }
  return inScans(groups, aggregations).map((scan) => ({
    weight: 1 + scan.reduce((sum, group) => sum + comparisonsOf(group, aggregations), 0) / comparisonsPerWeight,
    compile: (table) => compileAggregate(table, aggregations, scan, query, duckDbDialect),
    read: ([row = []]) => {
      const cells = cellsOf(row);
      const starts = Array.from({ length: cells.length / aggregations.length }, (_, index) => index * aggregations.length);
      return starts.map((start) => cells.slice(start, start + aggregations.length));
    },
  }));
}

/** Each value of a group is compared by all of the group's conditions; a time range counts as one. */
const comparisonsOf = ({ timeRange, conditions }: AggregationGroup, aggregations: readonly Aggregation[]): number =>
  aggregations.length * Math.max(1, conditions.length + (timeRange === null ? 0 : 1));

/** JSON texts parsed. */
export const cellsOf = (row: TextRow): CellValue[] => row.map((text) => (text === null ? null : (JSON.parse(text) as CellValue)));

function valuesOfSteps(rows: readonly TextRow[], aggregations: readonly Aggregation[], { places }: Steps): CellValue[][] {
  const found = new Map(rows.map(([place, ...values]) => [Number(place), cellsOf(values)]));
  const empty = aggregations.map(({ type }) => (type === "count" ? 0 : null));
  return places.map((place) => found.get(place) ?? empty);
}

/** Groups in their order, as many together as one scan may compare, at least one. No groups are one scan of all rows. */
function inScans(groups: readonly AggregationGroup[], aggregations: readonly Aggregation[]): readonly (readonly AggregationGroup[])[] {
  const scans: AggregationGroup[][] = [[]];
  let comparisons = 0;
  for (const group of groups) {
    const more = comparisonsOf(group, aggregations);
    if (comparisons > 0 && comparisons + more > comparisonsPerScan) {
      scans.push([]);
      comparisons = 0;
    }
    scans.at(-1)?.push(group);
    comparisons += more;
  }
  return scans;
}
