import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { ExportTarget } from "#query/engine.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import { csvHeader, csvRows } from "./csv-text.ts";
import { namingFullDisk } from "#query/full-disk.ts";
import { jsonRows } from "./row-text.ts";

type TextTarget = ExportTarget & { readonly format: "csv" | "json" };

/** How a file's rows are joined. */
interface FileText {
  readonly before: string;
  readonly row: (row: readonly unknown[], index: number) => string;
  readonly after: (rows: number) => string;
}

/** Rows whose text is written together, and how often progress is reported. */
const [rowsPerWrite, reportMs] = [1_000, 200];

/** Writes rows to a new file as they come. Resolves to their number. */
export async function writeExport(
  pages: AsyncIterable<readonly (readonly unknown[])[]>,
  columns: readonly SqlColumn[],
  target: TextTarget,
): Promise<number> {
  const text = fileText(columns, target);
  return await namingFullDisk(async () => {
    await mkdir(path.dirname(target.path), { recursive: true, mode: 0o700 });
    const file = await open(target.path, "wx", 0o600);
    try {
      return await writeRows(file, pages, text, target.onRows);
    } finally {
      await file.close();
    }
  });
}

async function writeRows(
  file: FileHandle,
  pages: AsyncIterable<readonly (readonly unknown[])[]>,
  { before, row, after }: FileText,
  onRows: (rows: number) => void,
): Promise<number> {
  let rows = 0;
  let reportedAtMs = performance.now();
  await file.write(before);
  for await (const page of pages) {
    for (let at = 0; at < page.length; at += rowsPerWrite) {
      const texts = page.slice(at, at + rowsPerWrite).map((values, index) => row(values, rows + index));
      await file.write(texts.join(""));
      rows += texts.length;
      if (performance.now() - reportedAtMs < reportMs) continue;
      reportedAtMs = performance.now();
      onRows(rows);
    }
  }
  await file.write(after(rows));
  return rows;
}

function fileText(columns: readonly SqlColumn[], { format, csvColumns, csvHeads }: TextTarget): FileText {
  switch (format) {
    case "csv": {
      const row = csvRows(csvColumns, columns);
      return { before: csvHeader(csvColumns, csvHeads && [...csvHeads]), row, after: () => "" };
    }
    case "json": {
      const row = jsonRows(columns);
      const after = (rows: number) => (rows === 0 ? "]\n" : "\n]\n");
      return { before: "[", row: (values, index) => `${index === 0 ? "" : ","}\n\t${row(values)}`, after };
    }
    default:
      return format satisfies never;
  }
}
