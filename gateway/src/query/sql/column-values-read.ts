import { type ColumnProfile, type Suggestions, histogramSteps, stepWidth } from "@fairway/contract/column-values";
import { type ColumnType, isNumeric } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";

export type TextRow = readonly (string | null)[];

/** Converts the result of `compileSuggest`; at most `limit` rows were scanned, or all without a limit. */
export function suggestionsOf(rows: readonly TextRow[], limit: number | null): Suggestions {
  const scanned = Number(rows[0]?.[2] ?? 0);
  return {
    values: rows.map(([value, count]) => ({ value: cellOf(value), rows: Number(count) })),
    complete: limit === null || scanned < limit,
  };
}

/** Converts the result of `compileProfile` for a column of this type. */
export function profileOf(rows: readonly TextRow[], type: ColumnType): ColumnProfile {
  const figures = rows.find(([kind]) => kind === "figures") ?? [];
  const [min = null, max = null] = JSON.parse(figures[4] ?? "[]") as CellValue[];
  const counts = new Map(rows.filter(([kind]) => kind === "step").map(([, index, count]) => [Number(index), Number(count)]));
  return {
    rows: Number(figures[1]),
    empty: Number(figures[2]),
    distinct: Number(figures[3]),
    min,
    max,
    top: rows
      .filter(([kind]) => kind === "top")
      .map(([, value, count]) => ({ value: cellOf(value), rows: Number(count) }))
      .toSorted((a, b) => b.rows - a.rows),
    histogram: counts.size === 0 ? [] : histogramOf(Number(min), Number(max), type, counts),
  };
}

function histogramOf(min: number, max: number, type: ColumnType, counts: ReadonlyMap<number, number>): ColumnProfile["histogram"] {
  const isInteger = !isNumeric(type) || type === "integer";
  const width = stepWidth(min, max, isInteger);
  const count = Math.min(histogramSteps, Math.floor((max - min) / width) + 1);
  return Array.from({ length: count }, (_, index) => ({
    from: min + index * width,
    to: min + (index + 1) * width,
    rows: counts.get(index) ?? 0,
  }));
}

const cellOf = (text: string | null | undefined): CellValue =>
  text === null || text === undefined ? null : (JSON.parse(text) as CellValue);
