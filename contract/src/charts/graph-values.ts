import { type Aggregate, aggregateKey, type DerivedType, type GraphColumn, type GraphData, type GraphValue, isDerived } from "./graph.ts";

/** The aggregates to request per group, each once, including those only used by derived columns. */
export function aggregatesOf(columns: readonly GraphColumn[]): Aggregate[] {
  const aggregates = new Map<string, Aggregate>();
  for (const column of columns) {
    for (const { model, aggregation } of isDerived(column) ? [column.column1, column.column2] : [column]) {
      const aggregate = { model, aggregation };
      if (!aggregates.has(aggregateKey(aggregate))) aggregates.set(aggregateKey(aggregate), aggregate);
    }
  }
  return [...aggregates.values()];
}

/** Converts a value to a number; null stays null. Integers beyond 2^53 are rounded. */
export const numberOf = (value: GraphValue): number | null => (value === null ? null : Number(value));

/** The value of a derived column; null if an operand is null. A ratio is 0 if the divisor is 0 or missing. */
export function derive(type: DerivedType, first: number | null, second: number | null): number | null {
  if ((type === "ratio" || type === "ratio-percent") && (second ?? 0) === 0) return 0;
  if (first === null || second === null) return null;
  const value = calculate(type, first, second);
  return Number.isFinite(value) ? value : null;
}

function calculate(type: DerivedType, first: number, second: number): number {
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

/** One row of values per group, in column order. */
export function columnValues(data: GraphData, columns: readonly GraphColumn[]): GraphValue[][] {
  const indexByKey = new Map(data.aggregates.map((aggregate, index) => [aggregateKey(aggregate), index]));
  return data.values.map((line) => {
    const valueOf = (aggregate: Aggregate): GraphValue => line[indexByKey.get(aggregateKey(aggregate)) ?? -1] ?? null;
    return columns.map((column) =>
      isDerived(column) ? derive(column.type, numberOf(valueOf(column.column1)), numberOf(valueOf(column.column2))) : valueOf(column),
    );
  });
}
