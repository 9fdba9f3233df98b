import { filesets } from "@fairway/contract/filesets";
import type { PreviewReading } from "@fairway/contract/readings";
import { call } from "#lib/gateway/call.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { logFailure } from "#lib/browser/log.ts";
import { linesBeforeTable } from "./csv-lines.ts";
import type { PreviewFile } from "../preview-type.ts";
import { textLimitBytes } from "../preview-type.ts";
import { loadBytes } from "../load-file.ts";

export interface CsvRequest {
  bytes: ArrayBuffer;
  /** How the portal reads the file; null where that is unknown. */
  reading: PreviewReading | null;
  /** Applies without a reading; guessed if empty. */
  delimiter: string;
  /** Only the beginning of the file. */
  isPart: boolean;
}

export interface CsvTable {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** Columns of the file. */
  columns: number;
  shownColumns: number;
  /** There are more rows. */
  isCut: boolean;
  /** Rows that are left out because they are broken, counted from 1 at the header. */
  brokenRows: readonly number[];
  /** A note on the encoding; empty if there is none. */
  readingNote: string;
}

type ParsedTable = Omit<CsvTable, "readingNote">;
export type CsvAnswer = ParsedTable | { problem: string };

/** Of a file over the limit: enough for the first rows, which are wanted soon. */
export const csvPartBytes = 1_000_000;

/** Reads the file, or the beginning of a large one, and parses it in a worker that ends with the signal. */
export async function loadTable(file: PreviewFile, signal: AbortSignal): Promise<CsvTable> {
  const isPart = file.size > textLimitBytes;
  const [bytes, reading] = await Promise.all([
    loadBytes(file, signal, { end: isPart ? csvPartBytes : file.size }),
    readingOf(file, signal),
  ]);
  const worker = new Worker(new URL("csv-worker.ts", import.meta.url), { type: "module" });
  const end = () => worker.terminate();
  signal.addEventListener("abort", end);
  try {
    const answer = await new Promise<CsvAnswer>((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<CsvAnswer>) => resolve(data));
      worker.addEventListener("error", () => reject(new Error("The file could not be read.")));
      const request: CsvRequest = { bytes, reading, delimiter: /\.tsv$/i.test(file.name) ? "\t" : "", isPart };
      worker.postMessage(request, [bytes]);
    });
    if ("problem" in answer) throw new Error(answer.problem);
    return { ...answer, readingNote: noteOf(reading) };
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** How a dataset of the file would be read. The preview does without it if the portal cannot say. */
async function readingOf({ filesetId, path }: PreviewFile, signal: AbortSignal): Promise<PreviewReading | null> {
  if (filesetId === undefined || path === undefined) return null;
  try {
    return await call(filesets.reading, { params: { id: filesetId }, query: { file: path } }, { signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof GatewayError)) throw error;
    logFailure("How a file is read could not be found out", error);
    return null;
  }
}

function noteOf(reading: PreviewReading | null): string {
  const above = linesBeforeTable(reading);
  const skipped =
    above === 0 ? "" : above === 1 ? "The first line is not part of the table." : `The first ${above} lines are not part of the table.`;
  return [reading?.sentence ?? "", skipped].filter((text) => text !== "").join(" ");
}
