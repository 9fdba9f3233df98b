import type { BreakdownMeasure } from "@fairway/contract/breakdowns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { derivedMeasure, type MeasureAggregation } from "@fairway/contract/measures";
import { type Asked, measureId } from "@fairway/contract/charts/asked";
import { aggregationName } from "@fairway/contract/charts/measure-wording";
import { likelyMeasures } from "./likely-measures.ts";
import { groupableColumns, measurableColumns } from "./summary.ts";

/** An aggregation that a measure can have, before its column is chosen. */
interface MeasureChoice {
  value: string;
  aggregation: string;
  p?: number;
  /** Of a share; of two measures, which are chosen then. */
  of?: "row" | "column" | [string, string];
}

const percentiles = [0.1, 0.25, 0.75, 0.9, 0.95, 0.99];

const plain = (aggregation: string): MeasureChoice => ({ value: aggregation, aggregation });

/** In the order of the list. */
const choicesOf: Readonly<Record<MeasureAggregation, readonly MeasureChoice[]>> = {
  count: [plain("count")],
  distinct: [plain("distinct")],
  sum: [plain("sum")],
  avg: [plain("avg")],
  median: [plain("median")],
  percentile: percentiles.map((p) => ({ value: `p${p}`, aggregation: "percentile", p })),
  min: [plain("min")],
  max: [plain("max")],
  stddev: [plain("stddev")],
  share: [
    plain("share"),
    { value: "row-share", aggregation: "share", of: "row" },
    { value: "column-share", aggregation: "share", of: "column" },
  ],
  rate: [plain("rate")],
};

export const choices: readonly MeasureChoice[] = [
  ...Object.values(choicesOf).flat(),
  ...derivedMeasure.options.map((aggregation): MeasureChoice => ({ value: `of two: ${aggregation}`, aggregation, of: ["", ""] })),
];

/** Names a choice in the list; the two that readers mix up say what they are of. */
export function choiceLabel(choice: MeasureChoice): string {
  if (choice.value === "share") return "Share (percent of the total)";
  if (choice.value === "rate") return "Rate (percent of rows where …)";
  return aggregationName(choice);
}

export function choiceOf({ aggregation, p, of }: BreakdownMeasure): string {
  if (typeof of === "object") return `of two: ${aggregation}`;
  if (aggregation === "share" && (of === "row" || of === "column")) return `${of}-share`;
  return aggregation === "percentile" ? `p${p}` : aggregation;
}

/** The measures that a derived one can be of: the others that are not derived themselves. */
export const partsFor = ({ measures }: Asked, index: number): BreakdownMeasure[] =>
  measures.filter(({ of }, place) => place !== index && typeof of !== "object");

/** Names of the columns that an aggregation takes, with `*` for rows. */
export function columnsFor(aggregation: string, description: DatasetDescription): string[] {
  const all = groupableColumns(description).map(({ name }) => name);
  const rows = description.features.includes("COUNT") ? ["*"] : [];
  switch (aggregation) {
    case "count":
      return [...rows, ...all];
    case "rate":
      return rows;
    case "share":
      return [...rows, ...measurableColumns(description).map(({ name }) => name)];
    case "distinct":
      return all;
    case "min":
    case "max":
      return groupableColumns(description).flatMap(({ name, type }) => (type === "BOOLEAN" ? [] : [name]));
    default:
      return measurableColumns(description).map(({ name }) => name);
  }
}

/** Another aggregation, of the same column if it takes that. `parts`: what a derived one can be of. */
export function withChoice(
  { column, where }: BreakdownMeasure,
  value: string,
  description: DatasetDescription,
  parts: readonly BreakdownMeasure[],
): BreakdownMeasure {
  const choice = choices.find((one) => one.value === value);
  const { aggregation, p, of } = choice ?? { aggregation: "count" };
  const [first, second] = parts;
  if (typeof of === "object") return { aggregation, of: [first ? measureId(first) : "", second ? measureId(second) : ""] };
  const columns = columnsFor(aggregation, description);
  const isOfRows = columns.includes("*") || aggregation === "distinct";
  const likely = isOfRows ? undefined : likelyMeasures(description).find((name) => columns.includes(name));
  const kept = columns.find((name) => name === column) ?? likely ?? columns[0] ?? "*";
  return {
    aggregation,
    column: kept,
    ...(p === undefined ? {} : { p }),
    ...(of === undefined ? {} : { of }),
    ...(where === undefined || where.length === 0 ? {} : { where }),
  };
}

/** A measure that is not there yet: the count of rows, or the average of a column. */
export function newMeasure(measures: readonly BreakdownMeasure[], description: DatasetDescription): BreakdownMeasure {
  const taken = new Set(measures.map(measureId));
  const numbers = likelyMeasures(description);
  const offered: BreakdownMeasure[] = [
    ...columnsFor("rate", description).map((column) => ({ aggregation: "count", column })),
    ...["avg", "median", "max", "min", "sum"].flatMap((aggregation) => numbers.map((column) => ({ aggregation, column }))),
    ...columnsFor("distinct", description).map((column) => ({ aggregation: "distinct", column })),
  ];
  return (
    offered.find((measure) => !taken.has(measureId(measure))) ?? {
      aggregation: "count",
      column: columnsFor("count", description)[0] ?? "*",
    }
  );
}
