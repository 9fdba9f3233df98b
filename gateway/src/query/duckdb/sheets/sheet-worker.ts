import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { serveFileTask } from "#threads/file-worker-side.ts";
import type { LineFindings } from "../text/text-copies.ts";
import { type SheetChoices, plainSheet } from "./sheet-copy.ts";
import { UnreadableWorkbook } from "./unreadable-workbook.ts";
import { WorkbookPackage } from "./workbook-package.ts";

/** A sheet to be copied as text. */
export interface SheetTask {
  readonly file: string;
  /** A new file. */
  readonly target: string;
  readonly maxBytes: number;
  readonly choices: SheetChoices;
}

export type SheetOutcome = { readonly findings: LineFindings } | { readonly unreadable: string } | { readonly isTooLarge: true };

class TooLarge extends Error {}

async function copySheet({ file, target, maxBytes, choices }: SheetTask): Promise<SheetOutcome> {
  let workbook: WorkbookPackage | undefined;
  try {
    workbook = await WorkbookPackage.open(file);
    const rows = plainSheet(workbook, choices);
    let findings: LineFindings | undefined;
    let written = 0;
    async function* texts() {
      for (;;) {
        const { value, done } = await rows.next();
        if (done === true) {
          findings = value;
          return;
        }
        written += Buffer.byteLength(value);
        if (written > maxBytes) throw new TooLarge();
        if (value !== "") yield value;
      }
    }
    await pipeline(texts, createWriteStream(target, { flags: "wx", mode: 0o600 }));
    if (findings === undefined) throw new Error("a sheet ended without its findings");
    return { findings };
  } catch (error) {
    if (error instanceof UnreadableWorkbook) return { unreadable: error.message };
    if (error instanceof TooLarge) return { isTooLarge: true };
    throw error;
  } finally {
    workbook?.close();
  }
}

serveFileTask(copySheet);
