import type { BreakdownAnswer, BreakdownGrouping, BreakdownMeasure, TimePart } from "../breakdowns.ts";
import { readableFilter } from "../filter-writing.ts";
import { filter } from "../filters.ts";
import { type DerivedMeasure, derivedMeasure, type MeasureAggregation, parseMeasure } from "../measures.ts";
import { type Column, columnTitleIn } from "../columns.ts";
import type { SearchFilter } from "../search.ts";
import { type Asked, type Condition, measureId } from "./asked.ts";

const names: Record<Exclude<MeasureAggregation, "count" | "percentile" | "share" | "rate">, string> = {
  distinct: "Distinct values",
  sum: "Sum",
  avg: "Average",
  median: "Median",
  min: "Minimum",
  max: "Maximum",
  stddev: "Standard deviation",
};

const ordinals = new Intl.PluralRules("en-US", { type: "ordinal" });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

/** `90th`, `99.9th`. */
function ordinal(number: number): string {
  return `${number}${Number.isInteger(number) ? (suffixes[ordinals.select(number)] ?? "th") : "th"}`;
}

/** The name of an aggregation without its column: `Average`, `90th percentile`. */
export function aggregationName({ aggregation, p, of }: Pick<BreakdownMeasure, "aggregation" | "p" | "of">): string {
  if (aggregation === "percentile") return `${ordinal(Number(((p ?? 0) * 100).toPrecision(12)))} percentile`;
  if (aggregation === "count") return "# Occurences";
  if (aggregation === "share") return of === "row" ? "Share of the row" : of === "column" ? "Share of the column" : "Share";
  if (aggregation === "rate") return "Rate";
  const derived = derivedMeasure.safeParse(aggregation);
  if (derived.success && (aggregation !== "sum" || typeof of === "object")) return derivedNames[derived.data];
  return isNamed(aggregation) ? names[aggregation] : aggregation;
}

const derivedNames: Record<DerivedMeasure, string> = {
  ratio: "Ratio",
  "ratio-percent": "Ratio in percent",
  product: "Product",
  sum: "Sum of two",
  delta: "Difference",
};

const links: Record<DerivedMeasure, string> = { ratio: "/", "ratio-percent": "/", product: "×", sum: "+", delta: "−" };

/** `# Occurences / Sum of distance`. */
function derivedLabel(aggregation: string, [first, second]: readonly [string, string]): string {
  const known = derivedMeasure.safeParse(aggregation);
  const name = (id: string): string => {
    const read = parseMeasure(id);
    return read ? measureLabel(read as BreakdownMeasure) : id;
  };
  return `${name(first)} ${known.success ? links[known.data] : aggregation} ${name(second)}${aggregation === "ratio-percent" ? " in percent" : ""}`;
}

const isNamed = (aggregation: string): aggregation is keyof typeof names => aggregation in names;

/** `# Occurences`, `Average of delay`, `Rate of delay >= 15`. */
export function measureLabel(measure: BreakdownMeasure): string {
  const { aggregation, column = "*", where = [], of } = measure;
  if (typeof of === "object") return derivedLabel(aggregation, of);
  const name = aggregationName(measure);
  if (aggregation === "rate") return `${name} of ${where.map(whereText).join(" and ")}`;
  const ofRows = where.length === 0 ? "" : ` where ${where.map(whereText).join(" and ")}`;
  if (column === "*") return `${aggregation === "share" ? `${name} of rows` : name}${ofRows}`;
  return `${name} of ${column}${ofRows}`;
}

/** The condition as it reads; one that this version does not know as it is. */
function whereText(one: SearchFilter): string {
  const read = filter.safeParse(one);
  return read.success ? readableFilter(read.data, undefined, "short") : `${one.name} ${one.operator} ${JSON.stringify(one.value)}`;
}

export const labelOfId = ({ measures }: Asked, id: string): string => {
  const measure = measures.find((one) => measureId(one) === id);
  return measure ? measureLabel(measure) : id;
};

/** The same with the labels of columns in place of their names: to be read, never to be asked. Measures keep their ids. */
export function labeledBreakdown<Part extends Asked>(asked: Part, columns: readonly Pick<Column, "name" | "label">[]): Part {
  if (columns.every(({ label }) => label === undefined)) return asked;
  const title = (name: string): string => columnTitleIn(columns, name);
  const measures = asked.measures.map((measure) => ({
    ...measure,
    id: measureId(measure),
    ...(measure.column === undefined ? {} : { column: title(measure.column) }),
    ...(measure.where === undefined ? {} : { where: measure.where.map((one) => ({ ...one, name: title(one.name) })) }),
  }));
  const by = asked.by?.map((grouping) =>
    "column" in grouping && grouping.column !== undefined ? { ...grouping, column: title(grouping.column) } : grouping,
  );
  return { ...asked, measures, ...(by === undefined ? {} : { by }) };
}

/** The answer with the labels of the columns that it is grouped by: to be read, never to find entries by. */
export const labeledAnswer = (answer: BreakdownAnswer, columns: readonly Pick<Column, "name" | "label">[]): BreakdownAnswer => ({
  ...answer,
  by: answer.by.map((axis) => (axis.column === null ? axis : { ...axis, column: columnTitleIn(columns, axis.column) })),
});

/** The name of a grouping in a title. */
export function groupingName(grouping: BreakdownGrouping): string {
  if (grouping.kind === "groups") return "group";
  if (grouping.kind === "time")
    return grouping.size === undefined || grouping.size === 1 ? grouping.unit : `${grouping.size} ${grouping.unit}s`;
  if (grouping.kind === "range") return `ranges of ${grouping.column}`;
  return grouping.kind === "part" ? partNames[grouping.part] : grouping.column;
}

const partNames: Record<TimePart, string> = {
  minuteOfHour: "minute of hour",
  hourOfDay: "hour of day",
  dayOfWeek: "day of week",
  dayOfMonth: "day of month",
  weekOfYear: "week of year",
  monthOfYear: "month of year",
  quarterOfYear: "quarter of year",
};

/** `Average of delay by origin and carrier`. */
export function titleOf({ measures, by = [] }: Asked): string {
  const [first] = measures;
  const figure = first ? measureLabel(first) : "";
  return by.length === 0 ? figure : `${figure} by ${by.map(groupingName).join(" and ")}`;
}

const comparisons: Record<Condition["operator"], string> = {
  ">=": "at least ",
  ">": "more than ",
  "<=": "at most ",
  "<": "fewer than ",
  "=": "exactly ",
  "<>": "not ",
};

/** `at least 100 rows`, `Average of delay >= 15`. */
export function conditionWording(summary: Asked, { measure, operator, value }: Condition): string {
  if (measure !== "count(*)") return `${labelOfId(summary, measure)} ${operator} ${value.toLocaleString("en-US")}`;
  return `${comparisons[operator]}${value.toLocaleString("en-US")} ${value === 1 ? "row" : "rows"}`;
}
