import type { DerivedMeasure } from "@fairway/contract/measures";
import { satisfies } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import type { AxisOrder, BreakdownCondition, BreakdownMeasure, Figures } from "#query/breakdown.ts";

/** Figures of no rows: counts of 0, and nothing else. */
export const noFigures = (measures: readonly BreakdownMeasure[]): CellValue[] => measures.map((measure) => (isCount(measure) ? 0 : null));

export const isCount = (measure: BreakdownMeasure): boolean =>
  "aggregation" in measure && (measure.aggregation === "count" || measure.aggregation === "distinct");

/** Of what each cell is a share: totals over all rows, over its row and over its column. */
export type Wholes = Readonly<Record<"all" | "row" | "column", readonly CellValue[] | undefined>>;

/** Figures as they are answered: shares of their wholes, and measures that are derived from others. */
export function finished(
  measures: readonly BreakdownMeasure[],
  figures: readonly CellValue[],
  wholes: Wholes,
  negative: ReadonlySet<number>,
): CellValue[] {
  const plain = measures.map((measure, index) => {
    if (!("aggregation" in measure) || measure.aggregation !== "share") return figures[index] ?? null;
    const [part, whole] = [numberOf(figures[index] ?? null), numberOf(wholes[measure.of]?.[index] ?? null)];
    return negative.has(index) || part === null || whole === null || whole === 0 ? null : (100 * part) / whole;
  });
  return measures.map((measure, index) =>
    "derived" in measure ? derive(measure.derived, plain[measure.from[0]] ?? null, plain[measure.from[1]] ?? null) : (plain[index] ?? null),
  );
}

export function derive(derived: DerivedMeasure, one: CellValue, other: CellValue): number | null {
  const [first, second] = [numberOf(one), numberOf(other)];
  if ((derived === "ratio" || derived === "ratio-percent") && (second ?? 0) === 0) return 0;
  if (first === null || second === null) return null;
  const value = {
    ratio: first / second,
    "ratio-percent": (100 * first) / second,
    product: first * second,
    sum: first + second,
    delta: first - second,
  }[derived];
  return Number.isFinite(value) ? value : null;
}

export const numberOf = (value: CellValue): number | null => (value === null || typeof value === "boolean" ? null : Number(value));

/** Whether figures meet conditions. No figure meets none. */
export const meets = (values: readonly CellValue[], conditions: readonly BreakdownCondition[]): boolean =>
  conditions.every(({ measure, operator, value }) => {
    const figure = numberOf(values[measure] ?? null);
    return figure !== null && satisfies(operator, figure - value);
  });

/** By what an entry is ordered. */
export function orderFigure({ measure, of }: AxisOrder, { values, before }: Figures): CellValue {
  const value = values[measure ?? 0] ?? null;
  const earlier = before?.[measure ?? 0] ?? null;
  if (of === "value") return value;
  if (of === "before") return earlier;
  const [now, then] = [numberOf(value), numberOf(earlier)];
  if (now === null || then === null) return null;
  if (of === "change") return now - then;
  return then === 0 ? null : (100 * (now - then)) / Math.abs(then);
}

/** Ascending; texts by code point unless both are numbers, and whole numbers beyond 2^53 exactly. */
export function compareFigures(one: CellValue, other: CellValue): number {
  const [first, second] = [Number(one), Number(other)];
  if (Number.isNaN(first) || Number.isNaN(second)) return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
  if (first !== second) return first < second ? -1 : 1;
  const [whole, otherWhole] = [wholeOf(one), wholeOf(other)];
  return whole === undefined || otherWhole === undefined || whole === otherWhole ? 0 : whole < otherWhole ? -1 : 1;
}

const wholeOf = (value: CellValue): bigint | undefined => (/^-?\d+$/.test(String(value)) ? BigInt(String(value)) : undefined);
