import type { Column } from "@fairway/contract/columns";
import type { ExportTarget } from "#query/engine.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import { storeRows } from "#query/xlsx/stored-rows.ts";
import { writeXlsx } from "#query/xlsx/xlsx-file.ts";
import { joinedField } from "./csv-text.ts";

type Pages = AsyncIterable<readonly (readonly unknown[])[]>;

/** Writes rows to a workbook. Resolves to their number. */
export const writeSheet = (
  pages: Pages,
  columns: readonly SqlColumn[],
  target: ExportTarget,
  options: { readonly memoryMb: number; readonly signal: AbortSignal },
): Promise<number> => {
  const { csvColumns } = target;
  const byName = new Map(columns.map((column) => [column.name, column]));
  const store = (file: string) => storeRows(sheetRows(pages, columns, csvColumns), file, target.onRows);
  return writeXlsx(target, { columns: byName, csvColumns, store }, options);
};

/** Values in the order of the sheet, as `sheet-cells.ts` reads their texts: times as numbers in their unit. */
async function* sheetRows(pages: Pages, columns: readonly SqlColumn[], csvColumns: readonly Column[]): Pages {
  const indexes = new Map(columns.map((column, index) => [column.name, { column, index }]));
  const fields = csvColumns.map((column): ((row: readonly unknown[]) => unknown) => {
    const parts = (column.combined?.fields ?? [column.name]).flatMap((name) => indexes.get(name) ?? []);
    if (column.combined !== null) return joinedField(parts, column.combined.joinedBy, (joined) => joined);
    const [part] = parts;
    if (part === undefined) return () => null;
    const { index, column: stored } = part;
    const isSeconds = stored.type === "TIMESTAMP_SECONDS" && stored.storage.kind === "instant";
    return (row) => {
      const value = row[index];
      return isSeconds && value !== null && value !== undefined ? Math.floor(Number(value) / 1_000) : value;
    };
  });
  for await (const page of pages) yield page.map((row) => fields.map((field) => field(row)));
}
