import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pluralize } from "@fairway/contract/counts";
import yazl from "yazl";
import { serveFileTask } from "#threads/file-worker-side.ts";
import { maxCellCharacters } from "./sheet-cells.ts";
import type { SheetColumn } from "./sheet-column.ts";
import { type AboutLine, aboutSheet, dataSheet } from "./sheet-text.ts";
import { storedRows } from "./stored-rows.ts";
import { workbookParts } from "./workbook-parts.ts";

/** A workbook to be made of stored rows. */
export interface WorkbookTask {
  readonly rowsFile: string;
  readonly rows: number;
  /** A new file. */
  readonly target: string;
  readonly sheetName: string;
  readonly columns: readonly SheetColumn[];
  readonly about: readonly AboutLine[];
}

export interface WrittenWorkbook {
  readonly cutTexts: number;
}

/** XML of sheets repeats itself, so that a higher level takes much longer and saves little. */
const compressionLevel = 3;

async function writeWorkbook({ rowsFile, rows, target, sheetName, columns, about }: WorkbookTask): Promise<WrittenWorkbook> {
  let cutTexts = 0;
  const stored = storedRows(createReadStream(rowsFile, { encoding: "utf8", highWaterMark: 256 * 1024 }));
  const zip = new yazl.ZipFile();
  // The order of the parts is that of spreadsheets, which some readers expect: types first, sheets last.
  for (const [path, text] of Object.entries(workbookParts(sheetName, { columns: columns.length, rows: rows + 1 })))
    zip.addBuffer(Buffer.from(text), path, { compressionLevel });
  const data = Readable.from(dataSheet(columns, rows, stored, () => (cutTexts += 1)));
  const failed = new Promise<never>((_, reject) => data.on("error", reject));
  zip.addReadStream(data, "xl/worksheets/sheet1.xml", { compressionLevel });
  zip.addReadStreamLazy("xl/worksheets/sheet2.xml", { compressionLevel }, (give) => {
    const cut: readonly AboutLine[] =
      cutTexts === 0
        ? []
        : [["Cut texts", `${pluralize(cutTexts, "text")} of more than ${maxCellCharacters.toLocaleString("en-US")} characters`]];
    give(null, Readable.from([aboutSheet([...about, ...cut])]));
  });
  zip.end();
  await Promise.race([failed, pipeline(zip.outputStream, createWriteStream(target, { flags: "wx", mode: 0o600 }))]);
  return { cutTexts };
}

serveFileTask(writeWorkbook);
