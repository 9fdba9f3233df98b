import { loadBytes } from "../load-file.ts";
import type { ParquetTable } from "./parquet-rows.ts";
import type { PreviewFile } from "../preview-type.ts";

export interface ParquetRequest {
  /** Bytes of the file. */
  readonly size: number;
}
export interface ParquetAnswer {
  readonly request: number;
  readonly bytes: ArrayBuffer;
}
export type ParquetMessage =
  | { readonly kind: "read"; readonly request: number; readonly start: number; readonly end: number }
  | { readonly kind: "table"; readonly table: ParquetTable }
  | { readonly kind: "problem"; readonly problem: string };

/** No file takes that long without asking for a further range. */
const silenceMs = 60_000;

/** Reads the columns and first rows by ranges, in a worker that ends with the signal. Decision 0325. */
export async function loadParquet(file: PreviewFile, signal: AbortSignal): Promise<ParquetTable> {
  const worker = new Worker(new URL("parquet-worker.ts", import.meta.url), { type: "module" });
  let silence: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(silence);
    worker.terminate();
  };
  signal.addEventListener("abort", end);
  try {
    return await new Promise<ParquetTable>((resolve, reject) => {
      const restart = () => {
        clearTimeout(silence);
        silence = setTimeout(() => reject(new Error("The Parquet file takes too long to read.")), silenceMs);
      };
      const answer = async ({ request, start, end: stop }: ParquetMessage & { kind: "read" }) => {
        const bytes = await loadBytes(file, signal, { start, end: stop });
        const reply: ParquetAnswer = { request, bytes };
        worker.postMessage(reply, [bytes]);
        restart();
      };
      worker.addEventListener("message", ({ data }: MessageEvent<ParquetMessage>) => {
        restart();
        if (data.kind === "read") answer(data).catch(reject);
        else if (data.kind === "table") resolve(data.table);
        else reject(new Error(`The Parquet file cannot be shown: ${data.problem}.`));
      });
      worker.addEventListener("error", () => reject(new Error("The Parquet file cannot be shown.")));
      const request: ParquetRequest = { size: file.size };
      worker.postMessage(request, []);
      restart();
    });
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}
