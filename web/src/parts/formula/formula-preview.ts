import type { Column, ColumnType } from "@fairway/contract/columns";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { readCell, writeCell } from "@fairway/expressions/cells";
import { evaluate } from "@fairway/expressions/evaluate";
import { columnsIn, type Expression, type ResultColumn } from "@fairway/expressions/tree";

/** Rows of a preview. */
const shownRows = 5;

export interface PreviewRow {
  /** Its place among the given rows. */
  readonly index: number;
  readonly row: ResultRow;
  readonly value: CellValue;
}

export interface Preview {
  /** Columns that the formula uses, in the order in which it names them. */
  readonly inputs: readonly Column[];
  /** Some rows with different results, in their order. */
  readonly rows: readonly PreviewRow[];
  readonly withoutValue: number;
}

/** The columns that a formula may use: plain ones. */
export const plainColumns = (columns: readonly Column[]): readonly Column[] => columns.filter(({ combined }) => combined === null);

/** The results of a formula in the given rows, as the portal would answer them. */
export function previewOf(tree: Expression, columns: readonly Column[], rows: readonly ResultRow[]): Preview {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const results = rows.map((row, index) => ({ index, row, value: resultIn(tree, types, row) }));
  const names = columnsIn(tree);
  return {
    inputs: names.flatMap((name) => columns.find((column) => column.name === name) ?? []),
    rows: differing(results),
    withoutValue: results.filter(({ value }) => value === null).length,
  };
}

function resultIn(tree: Expression, types: ReadonlyMap<string, ColumnType>, row: ResultRow): CellValue {
  return writeCell(
    evaluate(tree, (name) => {
      const type = types.get(name);
      return type === undefined ? null : readCell(type, row[name]);
    }),
  );
}

/** One row without a value, if there is one, rows with results that no row before them has, and the first others while there is room. */
function differing(results: readonly PreviewRow[]): readonly PreviewRow[] {
  const seen = new Set<CellValue>();
  const different = results.filter(({ value }) => !seen.has(value) && seen.add(value));
  const preferred = [...different.filter(({ value }) => value === null), ...different, ...results.slice(0, shownRows)];
  const chosen = new Set([...new Set(preferred)].slice(0, shownRows));
  return results.filter((result) => chosen.has(result));
}

const typeNames = {
  STRING: "Text",
  BOOLEAN: "True or false",
  integer: "Integer",
  decimal: "Decimal",
  TIMESTAMP_MILLS: "Time",
} as const;

/** "Text. 14 of 1,000 rows have no value." */
export function resultText({ type, day }: ResultColumn, rows: number, withoutValue: number): string {
  const name = day ? "Day" : typeNames[type];
  if (rows === 0) return `${name}.`;
  const count = rows.toLocaleString("en-US");
  if (withoutValue === 0) return `${name}. No row of the first ${count} is without a value.`;
  return `${name}. ${withoutValue.toLocaleString("en-US")} of ${count} rows ${withoutValue === 1 ? "has" : "have"} no value.`;
}
