import { UnreadableData } from "#query/engine.ts";
import { workerProgram } from "#threads/task-workers.ts";
import type { QueryConnection } from "../query-runner.ts";
import { type JsonFile, type JsonSource, fromCopies } from "../text/json-source.ts";
import type { ReadingSettings } from "../text/reading-settings.ts";
import type { SourceFile } from "../text/source-file.ts";
import type { TextHead } from "../text/text-bytes.ts";
import type { TextCopies } from "../text/text-copies.ts";
import { writeInThread } from "../text/threaded-copy.ts";
import type { SheetTask } from "./sheet-worker.ts";

/** The texts of a workbook are held in memory while its sheet is read. */
const memoryMb = 768;

/** Sheets are UTF-8 by their format. */
const head: TextHead = {
  encoding: "utf-8",
  state: "sure",
  hasByteOrderMark: false,
  notUtf8: null,
  other: null,
  bytes: Buffer.alloc(0),
  isComplete: true,
  isUtf8: true,
};

/** Reads a sheet of each workbook as text, and decides on its columns as of any text. */
export async function readSheetSource(
  files: readonly SourceFile[],
  settings: ReadingSettings,
  copies: TextCopies,
  connection: QueryConnection,
): Promise<JsonSource> {
  const { sheet: only, sheets, headerLine, skipLines } = settings;
  const read: JsonFile[] = [];
  for (const file of files) {
    for (const sheet of sheets ?? [only]) {
      const choices = { sheet, headerLine, skipLines };
      const state = JSON.stringify([file.state, "sheet", choices]);
      const copy = await copies.write(file.path, state, "rows.csv", (target, maxBytes) => {
        const task: SheetTask = { file: file.path, target, maxBytes, choices };
        const program = workerProgram(import.meta.url, "./sheet-worker");
        const failure = "The workbook could not be read.";
        return writeInThread({ program, task, format: "XLSX", memoryMb, failure, signal: connection.signal });
      });
      const isOneOfSeveral = sheet !== null && sheets !== null && sheets.length > 1;
      read.push({ file: isOneOfSeveral ? { ...file, sheet } : file, head, copy, isChecked: true });
    }
  }
  if (sheets !== null) requireAlike(read);
  return fromCopies(read, settings, connection);
}

/** Sheets of other columns are no more rows of the same table. */
function requireAlike(files: readonly JsonFile[]): void {
  const headers = files.map(({ copy }) => JSON.stringify(copy?.findings.json?.headers));
  const other = files.find((_, index) => headers[index] !== headers[0]);
  const [first] = files;
  if (first === undefined || other === undefined) return;
  const name = ({ copy }: JsonFile) => copy?.findings.sheet?.sheet ?? "";
  throw new UnreadableData("XLSX", `the sheets '${name(first)}' and '${name(other)}' have different columns`);
}
