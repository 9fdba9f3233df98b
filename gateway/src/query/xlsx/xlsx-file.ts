import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Column } from "@fairway/contract/columns";
import { EngineFailed, type ExportTarget, unfinishedRows } from "#query/engine.ts";
import { namingFullDisk } from "#query/full-disk.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import { runFileTask } from "#threads/file-worker.ts";
import { WorkerEnded, workerProgram } from "#threads/task-workers.ts";
import { sheetColumn } from "./sheet-column.ts";
import { sheetNameOf } from "./workbook-parts.ts";
import type { WorkbookTask, WrittenWorkbook } from "./xlsx-worker.ts";

export interface SheetRows {
  /** Of the table, by name. */
  readonly columns: ReadonlyMap<string, SqlColumn>;
  /** Columns of the sheet in order, including combined ones. */
  readonly csvColumns: readonly Column[];
  /** Writes the rows as `storeRows` does, a value for each column of the sheet. Resolves to their number. */
  readonly store: (file: string) => Promise<number>;
}

/**
 * Writes a workbook: first the rows as text, then the sheets in a worker thread, so that neither memory nor the event loop depends on
 * their number. Resolves to the number of rows. Rejects with EngineFailed.
 */
export async function writeXlsx(
  { path, workbook }: Pick<ExportTarget, "path" | "workbook">,
  { columns, csvColumns, store }: SheetRows,
  { memoryMb, signal }: { readonly memoryMb: number; readonly signal: AbortSignal },
): Promise<number> {
  const folder = unfinishedRows({ path });
  const rowsFile = join(folder, "rows.csv");
  try {
    await namingFullDisk(() => mkdir(folder, { recursive: true, mode: 0o700 }));
    const rows = await store(rowsFile);
    const task: WorkbookTask = {
      rowsFile,
      rows,
      target: path,
      sheetName: sheetNameOf(workbook?.name ?? "Data"),
      columns: csvColumns.map((column) => sheetColumn(column, column.combined === null ? columns.get(column.name) : undefined)),
      about: (await workbook?.about(rows)) ?? [],
    };
    const { cutTexts } = await namingFullDisk(() =>
      runFileTask<WrittenWorkbook>(workerProgram(import.meta.url, "./xlsx-worker"), task, { memoryMb, signal }),
    );
    workbook?.onCutTexts(cutTexts);
    return rows;
  } catch (error) {
    if (signal.aborted) throw new EngineFailed("abandoned", "The export was canceled.", { cause: signal.reason });
    if (!(error instanceof WorkerEnded)) throw error;
    throw new EngineFailed("failed", "The workbook could not be written.", { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
