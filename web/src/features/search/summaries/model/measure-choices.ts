import type { BreakdownMeasure } from "@fairway/contract/breakdowns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { groupableColumns, measurableColumns, measureId } from "./summary.ts";

/** An aggregation that a measure can have, before its column is chosen. */
export interface MeasureChoice {
  value: string;
  aggregation: string;
  p?: number;
}

const percentiles = [0.9, 0.95, 0.99];

export const choices: readonly MeasureChoice[] = [
  ...["count", "distinct", "sum", "avg", "median"].map((aggregation) => ({ value: aggregation, aggregation })),
  ...percentiles.map((p) => ({ value: `p${p}`, aggregation: "percentile", p })),
  ...["min", "max", "stddev", "share", "rate"].map((aggregation) => ({ value: aggregation, aggregation })),
];

export const choiceOf = ({ aggregation, p }: BreakdownMeasure): string => (aggregation === "percentile" ? `p${p}` : aggregation);

/** Names of the columns that an aggregation takes, with `*` for rows. */
export function columnsFor(aggregation: string, description: DatasetDescription): string[] {
  const all = groupableColumns(description).map(({ name }) => name);
  switch (aggregation) {
    case "count":
      return ["*", ...all];
    case "rate":
      return ["*"];
    case "share":
      return ["*", ...measurableColumns(description).map(({ name }) => name)];
    case "distinct":
      return all;
    case "min":
    case "max":
      return groupableColumns(description).flatMap(({ name, type }) => (type === "BOOLEAN" ? [] : [name]));
    default:
      return measurableColumns(description).map(({ name }) => name);
  }
}

/** Another aggregation, of the same column if it takes that. */
export function withChoice({ column }: BreakdownMeasure, value: string, description: DatasetDescription): BreakdownMeasure {
  const { aggregation, p } = choices.find((choice) => choice.value === value) ?? { aggregation: "count" };
  const columns = columnsFor(aggregation, description);
  const kept = columns.find((name) => name === column) ?? columns[0] ?? "*";
  if (aggregation !== "rate") return { aggregation, column: kept, ...(p === undefined ? {} : { p }) };
  const [first] = measurableColumns(description);
  const name = column !== undefined && column !== "*" ? column : (first?.name ?? columnsFor("distinct", description)[0] ?? "");
  return { aggregation, column: kept, where: [{ name, operator: ">=", value: "" }] };
}

/** A measure that is not there yet: the count of rows, or the average of a column. */
export function newMeasure(measures: readonly BreakdownMeasure[], description: DatasetDescription): BreakdownMeasure {
  const taken = new Set(measures.map(measureId));
  const numbers = measurableColumns(description).map(({ name }) => name);
  const offered: BreakdownMeasure[] = [
    { aggregation: "count", column: "*" },
    ...["avg", "median", "max", "min", "sum"].flatMap((aggregation) => numbers.map((column) => ({ aggregation, column }))),
    ...columnsFor("distinct", description).map((column) => ({ aggregation: "distinct", column })),
  ];
  return offered.find((measure) => !taken.has(measureId(measure))) ?? { aggregation: "count", column: "*" };
}
