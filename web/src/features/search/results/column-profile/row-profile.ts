import { type ColumnProfile, histogramSteps, maxValues, stepWidth } from "@fairway/contract/column-values";
import { type Column, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { exactValue } from "#lib/text/exact-value.ts";

/** Computes the profile of a column over loaded rows, with the same figures that the engine computes for all rows. */
export function profileOfRows({ name, type }: Pick<Column, "name" | "type">, rows: readonly ResultRow[]): ColumnProfile {
  const counts = new Map<CellValue, number>();
  for (const row of rows) {
    const value = row[name] ?? null;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const empty = counts.get(null) ?? 0;
  counts.delete(null);
  const values = [...counts].map(([value, count]) => ({ value, rows: count }));
  const isOrdinal = isNumeric(type) || isTimestamp(type);
  const sorted = values.toSorted((a, b) => compare(a.value, b.value, isOrdinal));
  return {
    rows: rows.length,
    empty,
    distinct: values.length,
    min: sorted[0]?.value ?? null,
    max: sorted.at(-1)?.value ?? null,
    top: sorted.toSorted((a, b) => b.rows - a.rows).slice(0, maxValues.top),
    histogram: isOrdinal ? histogramOf(sorted, type !== "decimal") : [],
  };
}

const numeric = (value: CellValue): number | string => (typeof value === "string" ? value : Number(value));

function compare(a: CellValue, b: CellValue, asNumbers: boolean): number {
  if (asNumbers) {
    const [one, other] = [exactValue(numeric(a)), exactValue(numeric(b))];
    return one < other ? -1 : one > other ? 1 : 0;
  }
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Expects values in ascending order. */
function histogramOf(values: readonly { value: CellValue; rows: number }[], isWhole: boolean): ColumnProfile["histogram"] {
  if (values.length === 0) return [];
  const [min, max] = [Number(values[0]?.value), Number(values.at(-1)?.value)];
  const width = stepWidth(min, max, isWhole);
  const count = Math.min(histogramSteps, Math.floor((max - min) / width) + 1);
  const bins = Array.from({ length: count }, (_, index) => ({ from: min + index * width, to: min + (index + 1) * width, rows: 0 }));
  for (const { value, rows } of values) {
    const bin = bins[Math.min(count - 1, Math.floor((Number(value) - min) / width))];
    if (bin) bin.rows += rows;
  }
  return bins;
}
