import { type Aggregate, aggregateKey, type DerivedType, type GraphColumn, type GraphData, type GraphValue, isDerived } from "./graph.ts";

/** What has to be asked of each group: every aggregate once, also where only a derived column reads it. */
export function aggregatesOf(columns: readonly GraphColumn[]): Aggregate[] {
  const asked = new Map<string, Aggregate>();
  for (const column of columns) {
    for (const { model, aggregation } of isDerived(column) ? [column.column1, column.column2] : [column]) {
      const one = { model, aggregation };
      if (!asked.has(aggregateKey(one))) asked.set(aggregateKey(one), one);
    }
  }
  return [...asked.values()];
}

/** A value as a number; null where there is none. Whole numbers beyond 2^53 are rounded. */
export const numberOf = (value: GraphValue): number | null => (value === null ? null : Number(value));

/**
 * The value of a derived column; null where one of the two has none. A ratio is 0 when the divisor is 0, and so it is where
 * a group has no rows to divide by.
 */
export function derive(type: DerivedType, first: number | null, second: number | null): number | null {
  if ((type === "ratio" || type === "ratio-percent") && (second ?? 0) === 0) return 0;
  if (first === null || second === null) return null;
  const value = calculated(type, first, second);
  return Number.isFinite(value) ? value : null;
}

function calculated(type: DerivedType, first: number, second: number): number {
  switch (type) {
    case "ratio":
      return first / second;
    case "ratio-percent":
      return (first / second) * 100;
    case "product":
      return first * second;
    case "sum":
      return first + second;
    case "delta":
      return first - second;
    default:
      return type satisfies never;
  }
}

/** One line of values per group, in the order of the columns. */
export function columnValues(data: GraphData, columns: readonly GraphColumn[]): GraphValue[][] {
  const place = new Map(data.aggregates.map((aggregate, index) => [aggregateKey(aggregate), index]));
  return data.values.map((line) => {
    const valueOf = (aggregate: Aggregate): GraphValue => line[place.get(aggregateKey(aggregate)) ?? -1] ?? null;
    return columns.map((column) =>
      isDerived(column) ? derive(column.type, numberOf(valueOf(column.column1)), numberOf(valueOf(column.column2))) : valueOf(column),
    );
  });
}
