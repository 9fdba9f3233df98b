import type { Column } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import type { ExportTarget } from "#query/engine.ts";
import { writeExport } from "#query/presto/export-file.ts";
import { type ParquetWriter, writeParquet } from "#query/presto/parquet-file.ts";
import type { SqlColumn } from "#query/sql/table.ts";

interface Rows {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly (readonly CellValue[])[];
}

const rowsPerPage = 2_000;

/** Writes rows that are in memory to a new file. Resolves to their number. */
export async function writeBreakdown(
  { columns, rows }: Rows,
  target: Omit<ExportTarget, "csvColumns">,
  writer: ParquetWriter,
  signal: AbortSignal,
): Promise<number> {
  async function* pages(): AsyncGenerator<readonly (readonly CellValue[])[]> {
    for (let from = 0; from < rows.length; from += rowsPerPage) {
      signal.throwIfAborted();
      yield rows.slice(from, from + rowsPerPage);
    }
  }
  const csvColumns = columns.map(({ name, type }): Column => ({ name, type, description: "", combined: null }));
  const { format, path, onRows } = target;
  switch (format) {
    case "csv":
    case "json":
      return writeExport(pages(), columns, { ...target, format, csvColumns });
    case "parquet":
      return writeParquet(pages(), columns, { ...target, csvColumns }, writer, signal);
    case "arrow": {
      const [{ arrowRows }, { writeArrowFile }] = await Promise.all([
        import("#query/presto/arrow-rows.ts"),
        import("#query/arrow/arrow-file.ts"),
      ]);
      const parts = arrowRows(pages(), columns, rows.length, () => undefined);
      return writeArrowFile(path, parts, onRows);
    }
    default:
      return format satisfies never;
  }
}
