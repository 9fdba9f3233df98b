import { type ColumnProfile, histogramSteps, mostValues, stepWidth } from "@fairway/contract/column-values";
import { type Column, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { CellValue, ResultRow } from "@fairway/contract/search";

/** What a column holds in rows that are at hand: the figures that the engine gives of all rows. */
export function profileOfRows({ name, type }: Pick<Column, "name" | "type">, rows: readonly ResultRow[]): ColumnProfile {
  const counts = new Map<CellValue, number>();
  for (const row of rows) {
    const value = row[name] ?? null;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const empty = counts.get(null) ?? 0;
  counts.delete(null);
  const values = [...counts].map(([value, count]) => ({ value, rows: count }));
  const onLine = isNumeric(type) || isTimestamp(type);
  const ordered = values.toSorted((a, b) => compare(a.value, b.value, onLine));
  return {
    rows: rows.length,
    empty,
    distinct: values.length,
    min: ordered[0]?.value ?? null,
    max: ordered.at(-1)?.value ?? null,
    top: ordered.toSorted((a, b) => b.rows - a.rows).slice(0, mostValues.top),
    histogram: onLine ? histogramOf(ordered, type !== "decimal") : [],
  };
}

function compare(a: CellValue, b: CellValue, asNumbers: boolean): number {
  if (asNumbers) return Number(a) - Number(b);
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `values` from the least to the greatest. */
function histogramOf(values: readonly { value: CellValue; rows: number }[], whole: boolean): ColumnProfile["histogram"] {
  if (values.length === 0) return [];
  const [min, max] = [Number(values[0]?.value), Number(values.at(-1)?.value)];
  const width = stepWidth(min, max, whole);
  const count = Math.min(histogramSteps, Math.floor((max - min) / width) + 1);
  const steps = Array.from({ length: count }, (_, place) => ({ from: min + place * width, to: min + (place + 1) * width, rows: 0 }));
  for (const { value, rows } of values) {
    const step = steps[Math.min(count - 1, Math.floor((Number(value) - min) / width))];
    if (step) step.rows += rows;
  }
  return steps;
}
