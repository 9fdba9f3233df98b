import { UnreadableData } from "#query/engine.ts";
import { type CopyTarget, serveCopy } from "../text/copy-worker-side.ts";
import type { LineFindings } from "../text/text-copies.ts";
import { type SheetChoices, plainSheet } from "./sheet-copy.ts";
import { UnreadableWorkbook } from "./unreadable-workbook.ts";
import { WorkbookPackage } from "./workbook-package.ts";

/** A sheet to be copied as text. */
export interface SheetTask extends CopyTarget {
  readonly file: string;
  readonly choices: SheetChoices;
}

async function* copySheet({ file, choices }: SheetTask): AsyncGenerator<string, LineFindings> {
  let workbook: WorkbookPackage | undefined;
  try {
    workbook = await WorkbookPackage.open(file);
    return yield* plainSheet(workbook, choices);
  } catch (error) {
    throw error instanceof UnreadableWorkbook ? new UnreadableData("XLSX", error.message, error) : error;
  } finally {
    workbook?.close();
  }
}

serveCopy(copySheet);
