import { sql } from "kysely";
import type { AnsweredEntry } from "#query/breakdown.ts";
import { compileRaw, requireColumn, whereSql } from "../compile.ts";
import { comparable, comparisonSql } from "../operators.ts";
import type { SqlColumn, SqlDialect } from "../table.ts";
import { searchTree } from "./pieces.ts";
import { noPlace, placedRows } from "./placed-rows.ts";
import { type AxisOf, type ResolvedAxis, type Resolving, searchOf } from "./resolved-axis.ts";
import { multiplesWithin, roundWidth } from "./round-edges.ts";
import { tooMany } from "./too-many.ts";

/** Ranges of numbers between edges, the first and the last of which are open. */
export async function resolveRanges(axis: AxisOf<"range">, resolving: Resolving): Promise<ResolvedAxis> {
  const { query, dialect } = resolving;
  const edges = await edgesOf(axis, resolving);
  const ranges = [null, ...edges].map((from, index) => ({ from, to: edges[index] ?? null }));
  const entries: AnsweredEntry[] = [...ranges.map((range): AnsweredEntry => ({ kind: "range", ...range })), { kind: "empty" }];
  if (ranges.length > query.maxCells) throw tooMany([ranges.length], query.maxCells);
  return {
    found: ranges.length,
    failing: { groups: 0, rows: 0 },
    entries,
    isCut: false,
    isOrdered: axis.order.measure === null && axis.order.direction === "asc",
    isPartition: true,
    rowsOf: (table, at) => {
      const column = requireColumn(table, axis.column.name);
      const place = rangePlace(column, edges, dialect);
      const placed = sql`case when ${comparable(column, dialect)} is null then ${sql.lit(noPlace.empty)} else ${place} end`;
      return placedRows(at, placed, { count: ranges.length, empty: ranges.length }, dialect);
    },
  };
}

/** Compared with the edges themselves: floor(0.3 / 0.1) is 2. */
function rangePlace(column: SqlColumn, edges: readonly number[], dialect: SqlDialect) {
  const { name, type } = column;
  const places = [null, ...edges].map((edge, place) => ({ edge, place }));
  return searchTree(
    places,
    ({ edge }) => comparisonSql(column, { column: name, type, operator: "<", value: edgeValue(type, edge ?? 0) }, dialect),
    ({ place }) => sql`${sql.lit(place)}`,
  );
}

const edgeValue = (type: SqlColumn["type"], edge: number): bigint | number => (type === "integer" ? BigInt(edge) : edge);

/** Ascending. A whole number is at or above an edge where it is at or above the next whole one. */
async function edgesOf({ column, by }: AxisOf<"range">, resolving: Resolving): Promise<readonly number[]> {
  const whole = (edges: readonly number[]) => (column.type === "integer" ? [...new Set(edges.map(Math.ceil))] : edges);
  if ("edges" in by) return whole(by.edges);
  const { maxCells } = resolving.query;
  if ("width" in by) {
    const found = await figuresOf(column.name, [0, 1], resolving);
    if (found === undefined) return [];
    const [low, high] = found;
    const about = Math.ceil((high - low) / by.width);
    if (about > 2 * maxCells) throw tooMany([about], maxCells);
    return whole(multiplesWithin(by.width, by.origin, low, high));
  }
  const found = await figuresOf(column.name, [0.01, 0.99], resolving);
  if (found === undefined) return [];
  const [low, high] = found;
  const width = roundWidth((high - low) / by.about);
  return whole(multiplesWithin(column.type === "integer" ? Math.max(1, width) : width, 0, low, high));
}

/** Two percentiles of a column, of which 0 and 1 are the least and the greatest value; undefined without values. */
function figuresOf(
  name: string,
  [low, high]: readonly [number, number],
  { query, run, dialect }: Resolving,
): Promise<[number, number] | undefined> {
  return run(
    (table) => {
      const value = sql`${sql.id("v")}`;
      const isEstimated = dialect.estimates && query.accuracy !== "exact";
      const percentile = (p: number) => {
        if (p === 0 || p === 1) return p === 0 ? sql`min(${value})` : sql`max(${value})`;
        return isEstimated ? dialect.approximatePercentile(value, p) : dialect.percentile(value, p);
      };
      const column = requireColumn(table, name);
      const where = whereSql(table, searchOf(query, "present"), dialect);
      const number = comparable(column, dialect);
      const ranked = isEstimated ? dialect.asDouble(number) : dialect.percentileValue(number, column);
      const values = sql`select ${ranked} as ${value} from ${table.from}${where}`;
      return compileRaw(
        sql`with inputs as (${values}) select ${dialect.cellJson(percentile(low), "number")}, ${dialect.cellJson(percentile(high), "number")} from inputs`,
      );
    },
    ([[first = null, last = null] = []]) => (first === null || last === null ? undefined : [Number(first), Number(last)]),
  );
}
