import { type DetectedDialect, detectDialect } from "../text/csv-dialect.ts";
import type { SheetCell, SheetRow } from "./sheet-rows.ts";

/** Rows that decide where the table of a sheet is. */
export const sampledRows = 1_000;

export interface LayoutChoices {
  /** Row of the column names; 0: there are none. */
  readonly headerLine: number | null;
  readonly skipLines: number | null;
}

export interface SheetLayout {
  /** The columns of the sheet that are columns of the table, from 1. */
  readonly columns: readonly number[];
  /** The texts of the header; names where there is none. */
  readonly headers: readonly string[];
  readonly repeated: readonly string[];
  readonly headerLine: number | null;
  readonly skipLines: number;
  /** The first row that may be data. */
  readonly firstRow: number;
}

/** By the rules of text files: title lines, comments and the header line are told apart in the same way. Undefined if there are no rows. */
export function sheetLayout(rows: readonly SheetRow[], choices: LayoutChoices): SheetLayout | undefined {
  const columns = usedColumns(rows, choices.skipLines ?? 0);
  if (columns.length === 0) return undefined;
  const dialect = detectDialect(linesOf(rows, columns), { ...choices, delimiter: ",", quote: '"' });
  if (dialect === undefined) return undefined;
  const { headerLine, skipLines, repeated } = dialect;
  // Columns without a name and without values in the sample are space between others.
  const below = rows.filter(({ number }) => number > (headerLine ?? skipLines));
  const isFilled = (column: number, index: number) =>
    (headerLine !== null && dialect.headers[index]?.trim() !== "") ||
    below.some(({ cells }) => cells.some((cell) => cell.column === column));
  const kept = columns.flatMap((column, index) => (isFilled(column, index) ? [{ column, header: headerAt(dialect, index) }] : []));
  return {
    columns: kept.map(({ column }) => column),
    headers: kept.map(({ header }) => header),
    repeated,
    headerLine,
    skipLines,
    firstRow: (headerLine ?? skipLines) + 1,
  };
}

const headerAt = ({ headers, names, headerLine }: DetectedDialect, index: number): string =>
  (headerLine === null ? names[index] : headers[index]) ?? "";

function usedColumns(rows: readonly SheetRow[], skipLines: number): number[] {
  let [first, last] = [Infinity, 0];
  for (const { number, cells } of rows) {
    if (number <= skipLines) continue;
    for (const { column, text } of cells) {
      if (text === "") continue;
      first = Math.min(first, column);
      last = Math.max(last, column);
    }
  }
  return last === 0 ? [] : Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The rows as lines of CSV, a line for each number of a row. A row of one value stands alone, as titles do. */
function linesOf(rows: readonly SheetRow[], columns: readonly number[]): string[] {
  const lines: string[] = [];
  for (const { number, cells } of rows) {
    if (number > sampledRows) break;
    while (lines.length < number - 1) lines.push("");
    const texts = new Map(cells.map((cell) => [cell.column, lineText(cell)]));
    const filled = columns.filter((column) => texts.get(column) !== undefined && texts.get(column) !== "");
    const [only] = filled;
    lines.push(
      columns.length > 1 && filled.length === 1 && only !== undefined
        ? quoted(texts.get(only) ?? "")
        : columns.map((column) => quoted(texts.get(column) ?? "")).join(","),
    );
  }
  return lines;
}

const lineText = ({ text }: SheetCell): string => text.replaceAll(/[\r\n]+/g, " ");
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
