import type { Column } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import type { ExportTarget } from "#query/engine.ts";
import { writeExport } from "#query/presto/export-file.ts";
import { type ParquetWriter, writeParquet } from "#query/presto/parquet-file.ts";
import { writeSheet } from "#query/presto/sheet-rows.ts";
import type { BreakdownRows } from "./exportable.ts";

/** Writes rows to a new file. Resolves to their number. */
export async function writeBreakdown(
  { columns, labels, count, pages: rows }: Omit<BreakdownRows, "isCut">,
  target: Omit<ExportTarget, "csvColumns">,
  writer: ParquetWriter,
  signal: AbortSignal,
): Promise<number> {
  async function* pages(): AsyncGenerator<readonly (readonly CellValue[])[]> {
    for await (const page of rows()) {
      signal.throwIfAborted();
      yield page;
    }
  }
  const csvColumns = columns.map(({ name, type }, index): Column => ({
    name,
    type,
    label: labels[index] ?? name,
    description: "",
    combined: null,
  }));
  const { format, path, onRows } = target;
  switch (format) {
    case "csv":
    case "json":
      return writeExport(pages(), columns, { ...target, format, csvColumns });
    case "xlsx":
      return writeSheet(pages(), columns, { ...target, csvColumns }, { memoryMb: writer.exportMemoryMb, signal });
    case "parquet":
      return writeParquet(pages(), columns, { ...target, csvColumns }, writer, signal);
    case "arrow": {
      const [{ arrowRows }, { writeArrowFile }] = await Promise.all([
        import("#query/presto/arrow-rows.ts"),
        import("#query/arrow/arrow-file.ts"),
      ]);
      const parts = arrowRows(pages(), columns, count, () => undefined);
      return writeArrowFile(path, parts, onRows);
    }
    default:
      return format satisfies never;
  }
}
