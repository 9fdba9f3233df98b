import type { CellValue } from "@fairway/contract/search";
import type { Aggregation, AggregationGroup, SearchQuery } from "#query/engine.ts";
import { type Compiled, compileAggregate } from "#query/sql/compile.ts";
import { type Steps, compileSteps, stepsOf } from "#query/sql/steps.ts";
import type { SqlTable } from "#query/sql/table.ts";
import type { TextRow } from "./column-values.ts";
import { duckDbDialect } from "./dialect.ts";

/** Values of one scan; more groups go in several, because every value is worked out for every row of its scan. */
const valuesPerScan = 200;

/** The values of each group: in one grouped scan where the groups are steps of time, else in scans that look at every group for every row. */
export async function aggregateGroups(
  table: SqlTable,
  aggregations: readonly Aggregation[],
  groups: readonly AggregationGroup[],
  query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
  ask: (statement: Compiled) => Promise<readonly TextRow[]>,
): Promise<CellValue[][]> {
  const steps = stepsOf(groups);
  if (steps !== undefined)
    return valuesOfSteps(await ask(compileSteps(table, aggregations, steps, query, duckDbDialect)), aggregations, steps);
  const values: CellValue[][] = [];
  for (const scan of scans(groups, aggregations.length)) {
    const [row = []] = await ask(compileAggregate(table, aggregations, scan, query, duckDbDialect));
    const cells = cellsOf(row);
    for (let start = 0; start < cells.length; start += aggregations.length) values.push(cells.slice(start, start + aggregations.length));
  }
  return values;
}

/** JSON texts parsed. */
export const cellsOf = (row: TextRow): CellValue[] => row.map((text) => (text === null ? null : (JSON.parse(text) as CellValue)));

function valuesOfSteps(rows: readonly TextRow[], aggregations: readonly Aggregation[], { places }: Steps): CellValue[][] {
  const found = new Map(rows.map(([place, ...values]) => [Number(place), cellsOf(values)]));
  const empty = aggregations.map(({ type }) => (type === "count" ? 0 : null));
  return places.map((place) => found.get(place) ?? empty);
}

function scans(groups: readonly AggregationGroup[], aggregations: number): readonly (readonly AggregationGroup[])[] {
  if (groups.length === 0) return [[]];
  const size = Math.max(1, Math.floor(valuesPerScan / aggregations));
  return Array.from({ length: Math.ceil(groups.length / size) }, (_, index) => groups.slice(index * size, (index + 1) * size));
}
