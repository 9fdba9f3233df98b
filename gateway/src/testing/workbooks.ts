import * as sheetJs from "@e965/xlsx";
import { readXlsx, streamXlsxRows } from "hucre/xlsx";

/** A cell as a reader of spreadsheets sees it: times in ISO 8601. */
type ReadCell = string | number | boolean | null;

/** The rows of a sheet as two other libraries read them. Both number cells by their places; missing ones are null. */
export async function sheetRows(bytes: Uint8Array, sheet = 0): Promise<{ readonly hucre: ReadCell[][]; readonly sheetJs: ReadCell[][] }> {
  const [hucre, other] = [await readXlsx(bytes), sheetJs.read(bytes, { cellNF: true, dense: true })];
  const cells = other.Sheets[other.SheetNames[sheet] ?? ""]?.["!data"] ?? [];
  return {
    hucre: (hucre.sheets[sheet]?.rows ?? []).map((row) => row.map(readCell)),
    sheetJs: Array.from(cells, (row) => Array.from(row, (cell: sheetJs.CellObject | undefined) => shownCell(cell))),
  };
}

/** By its format: the library's own dates lose the fraction of a millisecond instead of rounding it. */
function shownCell(cell: sheetJs.CellObject | undefined): ReadCell {
  if (typeof cell?.v !== "number" || typeof cell.z !== "string" || !cell.z.includes("yy")) return readCell(cell?.v);
  const days = cell.v - 25_569 + (cell.v < 60 ? 1 : 0);
  return new Date(Math.round(days * 86_400_000)).toISOString();
}

export const sheetNames = (bytes: Uint8Array): readonly string[] => sheetJs.read(bytes, { bookSheets: true }).SheetNames;

/** Number of rows, without holding them. */
export async function countSheetRows(bytes: Uint8Array): Promise<number> {
  let rows = 0;
  for await (const row of streamXlsxRows(bytes)) rows = row.index + 1;
  return rows;
}

function readCell(value: unknown): ReadCell {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
