import type { PreviewFile } from "./preview-type.ts";
import { textLimitBytes } from "./preview-type.ts";
import { loadBytes } from "./load-file.ts";

export interface CsvRequest {
  bytes: ArrayBuffer;
  /** Guessed if empty. */
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
}

/** Of a file over the limit: enough for the first rows, which are wanted soon. */
export const csvPartBytes = 1_000_000;

/** Reads the file, or the beginning of a large one, and parses it in a worker that ends with the signal. */
export async function loadTable(file: PreviewFile, signal: AbortSignal): Promise<CsvTable> {
  const isPart = file.size > textLimitBytes;
  const bytes = await loadBytes(file, signal, { end: isPart ? csvPartBytes : file.size });
  const worker = new Worker(new URL("csv-worker.ts", import.meta.url), { type: "module" });
  const end = () => worker.terminate();
  signal.addEventListener("abort", end);
  try {
    const answer = await new Promise<CsvTable | { problem: string }>((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<CsvTable | { problem: string }>) => resolve(data));
      worker.addEventListener("error", () => reject(new Error("The file could not be read.")));
      const request: CsvRequest = { bytes, delimiter: /\.tsv$/i.test(file.name) ? "\t" : "", isPart };
      worker.postMessage(request, [bytes]);
    });
    if ("problem" in answer) throw new Error(answer.problem);
    return answer;
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}
