import { type ColumnProfile, type Suggestions, histogramSteps, stepWidth } from "@fairway/contract/column-values";
import { type ColumnType, isNumeric } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";

export type TextRow = readonly (string | null)[];

/** Reads what the compiler's suggestion answers; `asked` rows were looked at, at most. */
export function suggestionsOf(rows: readonly TextRow[], asked: number): Suggestions {
  const looked = Number(rows[0]?.[2] ?? 0);
  return { values: rows.map(([value, count]) => ({ value: cellOf(value), rows: Number(count) })), complete: looked < asked };
}

/** Reads what the compiler's profile answers of a column of this type. */
export function profileOf(rows: readonly TextRow[], type: ColumnType): ColumnProfile {
  const figures = rows.find(([kind]) => kind === "figures") ?? [];
  const [min = null, max = null] = JSON.parse(figures[4] ?? "[]") as CellValue[];
  const counts = new Map(rows.filter(([kind]) => kind === "step").map(([, place, count]) => [Number(place), Number(count)]));
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
    histogram: counts.size === 0 ? [] : steps(Number(min), Number(max), type, counts),
  };
}

function steps(min: number, max: number, type: ColumnType, counts: ReadonlyMap<number, number>): ColumnProfile["histogram"] {
  const whole = !isNumeric(type) || type === "integer";
  const width = stepWidth(min, max, whole);
  const count = Math.min(histogramSteps, Math.floor((max - min) / width) + 1);
  return Array.from({ length: count }, (_, place) => ({
    from: min + place * width,
    to: min + (place + 1) * width,
    rows: counts.get(place) ?? 0,
  }));
}

const cellOf = (text: string | null | undefined): CellValue =>
  text === null || text === undefined ? null : (JSON.parse(text) as CellValue);
